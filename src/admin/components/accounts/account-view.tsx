/** An account of the environment, read-only, with the origin of each value. */
import { Drawer, Heading } from "@medusajs/ui"
import { draftOf } from "../../lib/account-draft"
import { accountName } from "../../lib/accounts"
import type { AccountResponse } from "../../lib/responses"
import { useWords, type Say } from "../../lib/words"
import { Button, Hint } from "../parts"

type Props = { readonly account: AccountResponse; readonly onClose: () => void }

export function AccountView({ account, onClose }: Props) {
  const { say, coded } = useWords()
  const sourceOf = (field: string) =>
    account.sources?.[`policies.${field}`] ?? account.sources?.[field]
  return (
    <Drawer open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Drawer.Content>
        <Drawer.Header>
          <Drawer.Title>{accountName(say, account)}</Drawer.Title>
        </Drawer.Header>
        {/* Nothing inside takes the focus, so without `tabIndex` a keyboard can't scroll it. */}
        <Drawer.Body tabIndex={0} className="flex flex-col gap-y-6 overflow-y-auto">
          <Hint>{say("account.readOnly")}</Hint>
          {Object.entries(groupsOf(say, account)).map(([group, fields]) => (
            <section key={group} className="flex flex-col gap-y-3">
              <Heading level="h3">{coded(`account.${group}`)}</Heading>
              <dl className="flex flex-col gap-y-3">
                {Object.entries(fields).map(([field, value]) => (
                  <div key={field} className="flex flex-col">
                    <dt className="txt-compact-small-plus text-ui-fg-subtle">
                      {coded(`account.${field}`)}
                    </dt>
                    <dd className="txt-compact-small break-words whitespace-pre-line">
                      {value || "–"}{" "}
                      <span className="text-ui-fg-subtle text-xs">
                        {sourceText(say, sourceOf(field))}
                      </span>
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

/** The groups of an account's form, read only: each field, and its value. */
function groupsOf(say: Say, account: AccountResponse) {
  const draft = draftOf(account)
  const never = say("account.secondNever")
  const yesOrNo = (is: boolean) => say(is ? "general.yes" : "general.no")
  const connection = {
    label: accountName(say, account),
    base_url: draft.base_url,
    client_id: draft.client_id,
    client_secret: yesOrNo(account.has_secret),
  }
  const payments = {
    currencies: draft.currencies,
    is_default: yesOrNo(draft.is_default),
    order_placement: say(`account.${draft.order_placement}`),
    source_kind: say(`account.${draft.source_kind}`),
    fee_bearer: say(`account.${draft.fee_bearer || "bearerUnset"}`),
    push_window_minutes: draft.push_window_minutes,
    hosted_window_minutes: draft.hosted_window_minutes,
    checks_per_second_max: draft.checks_per_second_max,
  }
  const policies = {
    place_late_money: yesOrNo(draft.place_late_money),
    refund_orphans: yesOrNo(draft.refund_orphans),
    cancel_stray_orders: yesOrNo(draft.cancel_stray_orders),
    disrupted_methods: say(`account.disrupted_${draft.disrupted_methods}`),
    cards_at_once: yesOrNo(draft.cards_at_once),
    refund_currency: say(`account.refund_currency${draft.refund_currency || "Unset"}`),
    refund_second_admin_above: draft.refund_second_admin_above || never,
  }
  const moneyOut = {
    money_out: yesOrNo(draft.money_out),
    money_out_daily_cap: draft.money_out_daily_cap || never,
    money_out_second_admin_above: draft.money_out_second_admin_above || never,
    money_out_by_api_key: yesOrNo(draft.money_out_by_api_key),
  }
  const wire = { wire_names: draft.wire_names, realtime_url: draft.realtime_url }
  return { connection, payments, policies, moneyOut, wire }
}

const OPTION = "option "

/** @param from a variable's name, `option <name>` or `default`; undefined if the plugin set it */
function sourceText(say: Say, from: string | undefined): string {
  if (from === undefined) return say("account.fromPlugin")
  if (from === "default") return say("account.fromDefault")
  if (!from.startsWith(OPTION)) return say("account.from", { source: from })
  return say("account.fromOption", { source: from.slice(OPTION.length) })
}
