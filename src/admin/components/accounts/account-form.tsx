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
  bodyOf,
  draftOf,
  NEW_DRAFT,
  type AccountDraft,
  type DraftProblem,
  paymentsAMinute,
} from "../../lib/account-draft"
import { accountActs } from "../../lib/accounts"
import type { AccountResponse, AccountBody, ConnectionTestResponse } from "../../lib/responses"
import { useAct } from "../../lib/queries"
import { useWords } from "../../lib/words"
import { CheckLines } from "./check-lines"
import { asOptions, ChoiceField, FormDrawer, SwitchField, TextField } from "../fields"
import { Button, Problem } from "../parts"

const draftFields = Object.keys(NEW_DRAFT) as (keyof AccountDraft)[]

/** The id of an account that is not saved yet. */
const NEW = "new"

/** @param account null for a new account */
export function AccountForm(props: {
  readonly account: AccountResponse | null
  readonly onClose: () => void
}) {
  const { account, onClose } = props
  const { say } = useWords()
  const [initial] = useState(account ? draftOf(account) : NEW_DRAFT)
  const [draft, setDraft] = useState(initial)
  const [unread, setUnread] = useState<DraftProblem | null>(null)
  const [tested, setTested] = useState<ConnectionTestResponse | null>(null)
  const saved = () => {
    toast.success(say("account.saved"))
    onClose()
  }
  const save = useAct((body: AccountBody) => {
    if (!account) return accountActs.add(body)
    return accountActs.change(account.id, { ...body, version: account.version })
  }, saved)
  const test = useAct((body: AccountBody) => accountActs.test(account?.id ?? NEW, body), setTested)
  // A result belongs to the values that were tested.
  const forgetTest = () => {
    setTested(null)
    test.reset()
  }
  const change = (field: keyof AccountDraft, value: string | boolean) => {
    setDraft((before) => ({ ...before, [field]: value }))
    forgetTest()
  }
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
      isFilled={draftFields.some((field) => draft[field] !== initial[field])}
      onSubmit={() => withBody((body) => save.mutate(body))}
      onClose={onClose}
      above={<Problem error={save.error} />}
    >
      <Fields
        account={account}
        draft={draft}
        onChange={change}
        refusal={save.error ?? test.error}
        unread={unread}
        beside={
          <>
            <div>
              <Button
                type="button"
                isLoading={test.isPending}
                onClick={() => {
                  forgetTest()
                  withBody((body) => test.mutate(body))
                }}
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
  const { say, field, problem } = useWords()
  const refused = fieldOf(props.refusal)?.replace("policies.", "")
  const wrongIn = (name: keyof AccountDraft) => {
    if (name !== unread) return name === refused ? problem(props.refusal) : undefined
    return say(name === "wire_names" ? "account.wireWrong" : "account.amountsWrong")
  }
  /** Whether one of these fields is wrong; their group is then open. */
  const isWrong = (...names: readonly (keyof AccountDraft)[]) =>
    names.some((name) => wrongIn(name) !== undefined)
  const of = <Name extends keyof AccountDraft>(name: Name) => ({
    ...field(`account.${name}`),
    error: wrongIn(name),
    value: draft[name],
    onChange: (value: AccountDraft[Name]) => props.onChange(name, value),
  })
  return (
    <>
      <Group title={say("account.connection")}>
        <TextField {...of("label")} isRequired />
        <TextField {...of("base_url")} placeholder="https://" isRequired />
        <TextField {...of("client_id")} />
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
          {...(draft.currencies.trim() === "" && { hint: say("account.currenciesNone") })}
          placeholder="LRD, USD"
        />
        <SwitchField {...of("is_default")} />
        <ChoiceField
          {...of("fee_bearer")}
          options={asOptions(["", "PAYER", "PAYEE"], (who) =>
            say(`account.${who || "bearerUnset"}`),
          )}
        />
      </Group>
      <Group
        title={say("account.orders")}
        isFolded
        isWrong={isWrong("push_window_minutes", "hosted_window_minutes", "checks_per_second_max")}
      >
        <ChoiceField
          {...of("order_placement")}
          options={asOptions(["pay_first", "order_first"], (when) => say(`account.${when}`))}
        />
        <ChoiceField
          {...of("source_kind")}
          options={asOptions(["ORDER", "INVOICE"], (kind) => say(`account.${kind}`))}
        />
        <div className="grid grid-cols-2 gap-4">
          <TextField {...of("push_window_minutes")} type="number" />
          <TextField {...of("hosted_window_minutes")} type="number" />
        </div>
        <TextField
          {...of("checks_per_second_max")}
          type="number"
          hint={say("account.checks_per_second_maxHint", {
            payments: paymentsAMinute(draft.checks_per_second_max),
          })}
        />
      </Group>
      <Group
        title={say("account.policies")}
        isFolded
        isWrong={isWrong("refund_second_admin_above")}
      >
        <SwitchField {...of("place_late_money")} />
        <SwitchField {...of("refund_orphans")} />
        <SwitchField {...of("cancel_stray_orders")} />
        <ChoiceField
          {...of("disrupted_methods")}
          options={asOptions(["warn", "hide"], (what) => say(`account.disrupted_${what}`))}
        />
        <SwitchField {...of("cards_at_once")} />
        <ChoiceField
          {...of("refund_currency")}
          options={asOptions(["", "SOURCE"], (currency) =>
            say(`account.refund_currency${currency || "Unset"}`),
          )}
        />
        <TextField {...of("refund_second_admin_above")} />
      </Group>
      <Group
        title={say("account.moneyOut")}
        isFolded
        isWrong={isWrong("money_out_daily_cap", "money_out_second_admin_above")}
      >
        <SwitchField {...of("money_out")} />
        <TextField {...of("money_out_daily_cap")} />
        <TextField {...of("money_out_second_admin_above")} />
        <SwitchField {...of("money_out_by_api_key")} />
      </Group>
      <Group title={say("account.wire")} isFolded isWrong={isWrong("wire_names", "realtime_url")}>
        <TextField {...of("wire_names")} rows={3} isCode />
        <TextField {...of("realtime_url")} placeholder="https://" />
      </Group>
    </>
  )
}

/** Aligns a button's text with the text around the button. */
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
