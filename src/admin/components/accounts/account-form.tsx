/**
 * The form that adds or changes an account. The secret is sent and never returned. The connection
 * test uses the typed values before they are saved. If another admin has changed the account
 * meanwhile, saving is refused.
 */
import { Button, Drawer, Heading, toast } from "@medusajs/ui"
import { useState, type FormEvent, type ReactNode } from "react"
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
import { ChoiceField, SwitchField, TextField } from "../fields"
import { Problem } from "../parts"

/** The id of an account that is not saved yet. */
const NEW = "new"

type Change = <K extends keyof AccountDraft>(field: K) => (value: AccountDraft[K]) => void

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
  const change: Change = (field) => (value) => {
    setDraft((before) => ({ ...before, [field]: value }))
  }
  const withBody = (use: (body: AccountBody) => void) => {
    const body = bodyOf(draft)
    setUnread(typeof body === "string" ? body : null)
    if (typeof body !== "string") use(body)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    withBody((body) => save.mutate(body))
  }
  return (
    <Drawer open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Drawer.Content>
        <Drawer.Header>
          <Drawer.Title>
            {account ? say("account.editTitle", { label: account.label }) : say("account.addTitle")}
          </Drawer.Title>
        </Drawer.Header>
        <form onSubmit={submit} className="flex min-h-0 flex-1 flex-col" noValidate>
          <Drawer.Body className="flex flex-1 flex-col gap-y-6 overflow-y-auto">
            <Fields
              account={account}
              draft={draft}
              change={change}
              refusal={save.error ?? test.error}
              unread={unread}
              beside={
                <>
                  <div>
                    <Button
                      size="small"
                      type="button"
                      variant="secondary"
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
          </Drawer.Body>
          <Drawer.Footer className="flex-col items-stretch gap-y-3">
            <Problem error={save.error} />
            <div className="flex justify-end gap-x-2">
              <Button size="small" type="button" variant="secondary" onClick={onClose}>
                {say("general.cancel")}
              </Button>
              <Button size="small" type="submit" isLoading={save.isPending}>
                {say("general.save")}
              </Button>
            </div>
          </Drawer.Footer>
        </form>
      </Drawer.Content>
    </Drawer>
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
  readonly change: Change
  readonly refusal: unknown
  readonly unread: DraftProblem | null
  /** Beside the connection fields: the connection test. */
  readonly beside: ReactNode
}) {
  const { account, draft, change, unread } = props
  const { say, problem } = useWords()
  const refused = fieldOf(props.refusal)
  const errorOf = (field: string) => (refused === field ? problem(props.refusal) : undefined)
  const amountsField = (field: Exclude<DraftProblem, "wire_names">) => (
    <TextField
      label={say(`account.${field}`)}
      hint={say(`account.${field}Hint`)}
      error={unread === field ? say("account.amountsWrong") : errorOf(`policies.${field}`)}
      value={draft[field]}
      onChange={change(field)}
    />
  )
  return (
    <>
      <Group title={say("account.connection")}>
        <TextField
          label={say("account.label")}
          hint={say("account.labelHint")}
          error={errorOf("label")}
          value={draft.label}
          onChange={change("label")}
          isRequired
        />
        <TextField
          label={say("account.base_url")}
          hint={say("account.base_urlHint")}
          error={errorOf("base_url")}
          placeholder="https://"
          value={draft.base_url}
          onChange={change("base_url")}
          isRequired
        />
        <TextField
          label={say("account.client_id")}
          error={errorOf("client_id")}
          value={draft.client_id}
          onChange={change("client_id")}
        />
        <TextField
          label={say("account.client_secret")}
          hint={say(account?.has_secret ? "account.secretKept" : "account.secretHint")}
          error={errorOf("client_secret")}
          type="password"
          value={draft.client_secret}
          onChange={change("client_secret")}
        />
        {props.beside}
      </Group>
      <Group title={say("account.payments")}>
        <TextField
          label={say("account.currencies")}
          hint={say("account.currenciesHint")}
          error={errorOf("currencies")}
          placeholder="LRD, USD"
          value={draft.currencies}
          onChange={change("currencies")}
        />
        <SwitchField
          label={say("account.is_default")}
          hint={say("account.is_defaultHint")}
          value={draft.is_default}
          onChange={change("is_default")}
        />
        <ChoiceField
          label={say("account.order_placement")}
          value={draft.order_placement}
          onChange={change("order_placement")}
          options={[
            { value: "pay_first", label: say("account.pay_first") },
            { value: "order_first", label: say("account.order_first") },
          ]}
        />
        <ChoiceField
          label={say("account.source_kind")}
          hint={say("account.source_kindHint")}
          value={draft.source_kind}
          onChange={change("source_kind")}
          options={[
            { value: "ORDER", label: say("account.ORDER") },
            { value: "INVOICE", label: say("account.INVOICE") },
          ]}
        />
        <ChoiceField
          label={say("account.fee_bearer")}
          value={draft.fee_bearer}
          onChange={change("fee_bearer")}
          options={[
            { value: "", label: say("account.bearerUnset") },
            { value: "PAYER", label: say("account.PAYER") },
            { value: "PAYEE", label: say("account.PAYEE") },
          ]}
        />
        <div className="grid grid-cols-2 gap-4">
          <TextField
            label={say("account.push_window_minutes")}
            error={errorOf("push_window_minutes")}
            type="number"
            value={draft.push_window_minutes}
            onChange={change("push_window_minutes")}
          />
          <TextField
            label={say("account.hosted_window_minutes")}
            error={errorOf("hosted_window_minutes")}
            type="number"
            value={draft.hosted_window_minutes}
            onChange={change("hosted_window_minutes")}
          />
        </div>
      </Group>
      <Group title={say("account.policies")}>
        <SwitchField
          label={say("account.refund_orphans")}
          hint={say("account.refund_orphansHint")}
          value={draft.refund_orphans}
          onChange={change("refund_orphans")}
        />
        <ChoiceField
          label={say("account.refund_currency")}
          value={draft.refund_currency}
          onChange={change("refund_currency")}
          options={[
            { value: "", label: say("account.refund_currencyUnset") },
            { value: "SOURCE", label: say("account.refund_currencySOURCE") },
          ]}
        />
        {amountsField("refund_second_admin_above")}
      </Group>
      <Group title={say("account.moneyOut")}>
        <SwitchField
          label={say("account.money_out")}
          hint={say("account.money_outHint")}
          value={draft.money_out}
          onChange={change("money_out")}
        />
        {amountsField("money_out_daily_cap")}
        {amountsField("money_out_second_admin_above")}
        <SwitchField
          label={say("account.money_out_by_api_key")}
          hint={say("account.money_out_by_api_keyHint")}
          value={draft.money_out_by_api_key}
          onChange={change("money_out_by_api_key")}
        />
      </Group>
      <Group title={say("account.wire")}>
        <TextField
          label={say("account.wire_names")}
          hint={say("account.wire_namesHint")}
          error={unread === "wire_names" ? say("account.wireWrong") : errorOf("wire_names")}
          value={draft.wire_names}
          onChange={change("wire_names")}
          isLong
        />
      </Group>
    </>
  )
}

function Group({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="flex flex-col gap-y-4">
      <Heading level="h3">{title}</Heading>
      {children}
    </section>
  )
}
