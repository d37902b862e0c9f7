/** An account of the environment, read-only, with the origin of each value. */
import { Drawer, Heading } from "@medusajs/ui"
import { accountName, draftOf } from "../../lib/accounts"
import type { AccountResponse } from "../../lib/responses"
import { useWords, type Say } from "../../lib/words"
import { Button, Hint } from "../parts"

type Props = { readonly account: AccountResponse; readonly onClose: () => void }

export function AccountView({ account, onClose }: Props) {
  const { say } = useWords()
  return (
    <Drawer open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Drawer.Content>
        <Drawer.Header>
          <Drawer.Title>{accountName(say, account)}</Drawer.Title>
        </Drawer.Header>
        {/* Nothing in it takes the focus: without this, a keyboard can not scroll it. */}
        <Drawer.Body tabIndex={0} className="flex flex-col gap-y-6 overflow-y-auto">
          <Hint>{say("account.readOnly")}</Hint>
          {groupsOf(say, account).map(({ title, rows }) => (
            <section key={title} className="flex flex-col gap-y-3">
              <Heading level="h3">{say(title)}</Heading>
              <dl className="flex flex-col gap-y-3">
                {rows.map(({ field, value, from }) => (
                  <div key={field} className="flex flex-col">
                    <dt className="txt-compact-small-plus text-ui-fg-subtle">
                      {say(`account.${field}`)}
                    </dt>
                    <dd className="txt-compact-small break-words whitespace-pre-line">
                      {value || "–"}{" "}
                      <span className="text-ui-fg-subtle text-xs">{sourceText(say, from)}</span>
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </Drawer.Body>
        <Drawer.Footer>
          <Button onClick={onClose}>{say("general.close")}</Button>
        </Drawer.Footer>
      </Drawer.Content>
    </Drawer>
  )
}

/** The same groups as in the form of an account. */
function groupsOf(say: Say, account: AccountResponse) {
  const draft = draftOf(account)
  const never = say("account.secondNever")
  const yesOrNo = (is: boolean) => say(is ? "general.yes" : "general.no")
  /** @param source the name under which the store gives the field's origin */
  const row = <Field extends string>(field: Field, value: string, source: string = field) => ({
    field,
    value,
    from: account.sources?.[source],
  })
  const rule = <Field extends string>(field: Field, value: string) =>
    row(field, value, `policies.${field}`)
  return [
    {
      title: "account.connection",
      rows: [
        row("label", accountName(say, account)),
        row("base_url", draft.base_url),
        row("client_id", draft.client_id),
        row("client_secret", yesOrNo(account.has_secret)),
      ],
    },
    {
      title: "account.payments",
      rows: [
        row("currencies", draft.currencies),
        row("is_default", yesOrNo(draft.is_default)),
        row("order_placement", say(`account.${draft.order_placement}`)),
        row("source_kind", say(`account.${draft.source_kind}`)),
        row("fee_bearer", say(`account.${draft.fee_bearer || "bearerUnset"}`)),
        row("push_window_minutes", draft.push_window_minutes),
        row("hosted_window_minutes", draft.hosted_window_minutes),
      ],
    },
    {
      title: "account.policies",
      rows: [
        rule("refund_orphans", yesOrNo(draft.refund_orphans)),
        rule("refund_currency", say(`account.refund_currency${draft.refund_currency || "Unset"}`)),
        rule("refund_second_admin_above", draft.refund_second_admin_above || never),
      ],
    },
    {
      title: "account.moneyOut",
      rows: [
        rule("money_out", yesOrNo(draft.money_out)),
        rule("money_out_daily_cap", draft.money_out_daily_cap || never),
        rule("money_out_second_admin_above", draft.money_out_second_admin_above || never),
        rule("money_out_by_api_key", yesOrNo(draft.money_out_by_api_key)),
      ],
    },
    {
      title: "account.wire",
      rows: [
        row("wire_names", draft.wire_names),
        row("realtime_url", draft.realtime_url || say("general.none")),
      ],
    },
  ] as const
}

const OPTION = "option "

/** @param from a variable, `option …` or `default`; undefined if neither can change it */
function sourceText(say: Say, from: string | undefined): string {
  if (from === undefined) return say("account.fromPlugin")
  if (from === "default") return say("account.fromDefault")
  if (!from.startsWith(OPTION)) return say("account.from", { source: from })
  return say("account.fromOption", { source: from.slice(OPTION.length) })
}
