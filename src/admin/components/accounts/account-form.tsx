/**
 * The form that adds or changes an account. The secret is sent and never returned. The connection
 * test uses the typed values before they are saved. If another admin has changed the account
 * meanwhile, saving is refused.
 */
import { TriangleDownMini, TriangleRightMini } from "@medusajs/icons"
import { Heading, toast } from "@medusajs/ui"
import { useState, type ReactNode } from "react"
import { ApiError } from "../../lib/api"
import {
  accountActs,
  bodyOf,
  draftOf,
  NEW_DRAFT,
  type AccountDraft,
  type DraftProblem,
} from "../../lib/accounts"
import type { AccountResponse, AccountBody, ConnectionTestResponse } from "../../lib/responses"
import { useAct } from "../../lib/queries"
import { useWords } from "../../lib/words"
import { CheckLines } from "./check-lines"
import { ChoiceField, FormDrawer, SwitchField, TextField } from "../fields"
import { Button, Problem } from "../parts"

/** The id of an account that is not saved yet. */
const NEW = "new"

/** @param account null for a new one */
export function AccountForm(props: {
  readonly account: AccountResponse | null
  readonly onClose: () => void
}) {
  const { account, onClose } = props
  const { say } = useWords()
  const [draft, setDraft] = useState(account ? draftOf(account) : NEW_DRAFT)
  const [unread, setUnread] = useState<DraftProblem | null>(null)
  const [tested, setTested] = useState<ConnectionTestResponse | null>(null)
  const saved = () => {
    toast.success(say("account.saved"))
    onClose()
  }
  const save = useAct((body: AccountBody) => {
    if (!account) return accountActs.add(body)
    return accountActs.change({ id: account.id, body: { ...body, version: account.version } })
  }, saved)
  const test = useAct(
    (body: AccountBody) => accountActs.test({ id: account?.id ?? NEW, body }),
    setTested,
  )
  const withBody = (use: (body: AccountBody) => void) => {
    const body = bodyOf(draft)
    setUnread(typeof body === "string" ? body : null)
    if (typeof body !== "string") use(body)
  }
  return (
    <FormDrawer
      title={account ? say("account.editTitle", { label: account.label }) : say("account.addTitle")}
      submit={say("general.save")}
      isPending={save.isPending}
      onSubmit={() => withBody((body) => save.mutate(body))}
      onClose={onClose}
      above={<Problem error={save.error} />}
    >
      <Fields
        account={account}
        draft={draft}
        onChange={(field, value) => setDraft((before) => ({ ...before, [field]: value }))}
        refusal={save.error ?? test.error}
        unread={unread}
        beside={
          <>
            <div>
              <Button
                type="button"
                isLoading={test.isPending}
                onClick={() => withBody((body) => test.mutate(body))}
              >
                {say("accounts.test")}
              </Button>
            </div>
            <Problem error={test.error} />
            {tested && <CheckLines lines={tested.lines} />}
          </>
        }
      />
    </FormDrawer>
  )
}

/** The field that the store refused, if it names one. */
function fieldOf(error: unknown): string | null {
  const field = error instanceof ApiError ? error.details["field"] : null
  return typeof field === "string" ? field : null
}

function Fields(props: {
  readonly account: AccountResponse | null
  readonly draft: AccountDraft
  readonly onChange: (field: keyof AccountDraft, value: string | boolean) => void
  readonly refusal: unknown
  readonly unread: DraftProblem | null
  /** Beside the connection fields: the connection test. */
  readonly beside: ReactNode
}) {
  const { account, draft, unread } = props
  const { say, problem } = useWords()
  const refused = fieldOf(props.refusal)
  const errorOf = (field: string) => (refused === field ? problem(props.refusal) : undefined)
  /** A group with something wrong in it is open. */
  const isWrong = (...fields: readonly (keyof AccountDraft)[]) =>
    fields.some((field) => unread === field || refused?.replace("policies.", "") === field)
  const of = <Field extends keyof AccountDraft>(field: Field) => ({
    label: say(`account.${field}`),
    error: errorOf(field),
    value: draft[field],
    onChange: (value: AccountDraft[Field]) => props.onChange(field, value),
  })
  const amounts = (field: Exclude<DraftProblem, "wire_names">) => ({
    ...of(field),
    hint: say(`account.${field}Hint`),
    error: unread === field ? say("account.amountsWrong") : errorOf(`policies.${field}`),
  })
  return (
    <>
      <Group title={say("account.connection")}>
        <TextField {...of("label")} hint={say("account.labelHint")} isRequired />
        <TextField
          {...of("base_url")}
          hint={say("account.base_urlHint")}
          placeholder="https://"
          isRequired
        />
        <TextField {...of("client_id")} hint={say("account.client_idHint")} />
        <TextField
          {...of("client_secret")}
          hint={say(account?.has_secret ? "account.secretKept" : "account.secretHint")}
          type="password"
        />
        {props.beside}
      </Group>
      <Group title={say("account.payments")}>
        <TextField
          {...of("currencies")}
          hint={say(
            draft.currencies.trim() === "" ? "account.currenciesNone" : "account.currenciesHint",
          )}
          placeholder="LRD, USD"
        />
        <SwitchField {...of("is_default")} hint={say("account.is_defaultHint")} />
        <ChoiceField
          {...of("fee_bearer")}
          options={[
            { value: "", label: say("account.bearerUnset") },
            { value: "PAYER", label: say("account.PAYER") },
            { value: "PAYEE", label: say("account.PAYEE") },
          ]}
        />
      </Group>
      <Group
        title={say("account.orders")}
        isFolded
        isWrong={isWrong("push_window_minutes", "hosted_window_minutes")}
      >
        <ChoiceField
          {...of("order_placement")}
          options={[
            { value: "pay_first", label: say("account.pay_first") },
            { value: "order_first", label: say("account.order_first") },
          ]}
        />
        <ChoiceField
          {...of("source_kind")}
          hint={say("account.source_kindHint")}
          options={[
            { value: "ORDER", label: say("account.ORDER") },
            { value: "INVOICE", label: say("account.INVOICE") },
          ]}
        />
        <div className="grid grid-cols-2 gap-4">
          <TextField {...of("push_window_minutes")} type="number" />
          <TextField {...of("hosted_window_minutes")} type="number" />
        </div>
      </Group>
      <Group
        title={say("account.policies")}
        isFolded
        isWrong={isWrong("refund_second_admin_above")}
      >
        <SwitchField {...of("refund_orphans")} hint={say("account.refund_orphansHint")} />
        <ChoiceField
          {...of("refund_currency")}
          options={[
            { value: "", label: say("account.refund_currencyUnset") },
            { value: "SOURCE", label: say("account.refund_currencySOURCE") },
          ]}
        />
        <TextField {...amounts("refund_second_admin_above")} />
      </Group>
      <Group
        title={say("account.moneyOut")}
        isFolded
        isWrong={isWrong("money_out_daily_cap", "money_out_second_admin_above")}
      >
        <SwitchField {...of("money_out")} hint={say("account.money_outHint")} />
        <TextField {...amounts("money_out_daily_cap")} />
        <TextField {...amounts("money_out_second_admin_above")} />
        <SwitchField
          {...of("money_out_by_api_key")}
          hint={say("account.money_out_by_api_keyHint")}
        />
      </Group>
      <Group title={say("account.wire")} isFolded isWrong={isWrong("wire_names", "realtime_url")}>
        <TextField
          {...of("wire_names")}
          hint={say("account.wire_namesHint")}
          error={unread === "wire_names" ? say("account.wireWrong") : errorOf("wire_names")}
          isLong
        />
        <TextField
          {...of("realtime_url")}
          hint={say("account.realtime_urlHint")}
          placeholder="https://"
        />
      </Group>
    </>
  )
}

/** Its text begins where the text around it does. */
const IN_LINE = { marginLeft: -8 }

function Group(props: {
  readonly title: string
  readonly isFolded?: boolean
  readonly isWrong?: boolean
  readonly children: ReactNode
}) {
  const [isOpen, setOpen] = useState(!props.isFolded)
  const isShown = isOpen || props.isWrong === true
  return (
    <section className="flex flex-col gap-y-4 pb-2">
      {props.isFolded ? (
        <Heading level="h3">
          <Button
            type="button"
            variant="transparent"
            style={IN_LINE}
            aria-expanded={isShown}
            onClick={() => setOpen(!isShown)}
          >
            {isShown ? <TriangleDownMini /> : <TriangleRightMini />}
            {props.title}
          </Button>
        </Heading>
      ) : (
        <Heading level="h3">{props.title}</Heading>
      )}
      {isShown && props.children}
    </section>
  )
}
