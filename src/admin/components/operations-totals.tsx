/** What the filtered list adds up to, over all its pages, by currency. */
import type { Query } from "../lib/api"
import { useTotals } from "../lib/queries"
import type { OperationTotals } from "../lib/responses"
import { useWords } from "../lib/words"
import { Hint } from "./parts"

export function Totals({ query }: { readonly query: Query }) {
  const { say } = useWords()
  const { data } = useTotals(query)
  if (!data?.count) return null
  const { totals } = data
  return (
    <div
      className="flex flex-col gap-y-1 px-6 pb-4"
      role="group"
      aria-label={say("list.totals")}
      data-testid="totals"
    >
      {totals ? (
        totals.map((total) => <OfCurrency key={total.currency} total={total} />)
      ) : (
        <Hint>{say("list.totalsTooMany")}</Hint>
      )}
    </div>
  )
}

/**
 * The sums of one currency: what was paid, fees, refunds, and what is left. What is left still
 * holds fees that are not known, so it also shows number and amount of the payments with such fees.
 */
function OfCurrency({ total }: { readonly total: OperationTotals }) {
  const { say, exact, number } = useWords()
  const { currency, payments, recorded, refunds, sent, taken_back: takenBack } = total
  const { refunds_pending: pending } = total
  const out = (amount: string) => exact(Number(amount) === 0 ? amount : `-${amount}`, currency)
  const wentOut = ({ amount, count }: OperationTotals["refunds"]) => ({
    amount: out(amount),
    number: number(count),
  })
  const isAtMost = payments.without_fees > 0
  const left = { amount: exact(total.net_after_refunds, currency) }
  // Of payments that Medusa holds, more may have come in than was asked for.
  const isOther = recorded.count === payments.count && recorded.amount !== payments.amount
  const asked = { amount: exact(recorded.amount, currency), number: number(recorded.count) }
  const parts = [
    isOther && say("list.totalRecorded", asked),
    payments.count > payments.without_fees && say("list.totalFees", { amount: out(payments.fees) }),
    refunds.count > 0 && say("list.totalRefunded", wentOut(refunds)),
    pending.count > 0 && say("list.totalPending", wentOut(pending)),
    takenBack.count > 0 && say("list.totalTakenBack", wentOut(takenBack)),
    payments.count + refunds.count > 0 &&
      say(isAtMost ? "list.totalNetAtMost" : "list.totalNet", left),
    isAtMost &&
      say("list.totalUnknown", {
        count: payments.without_fees,
        amount: exact(payments.amount_without_fees, currency),
      }),
    sent.count > 0 && say("list.totalSent", wentOut(sent)),
  ].filter((part) => part !== false)
  if (payments.count === 0 && parts.length === 0) return null
  const paid = { amount: exact(payments.amount, currency), number: number(payments.count) }
  return (
    <span className="txt-compact-small text-ui-fg-subtle flex flex-wrap gap-x-4 tabular-nums">
      {payments.count > 0 && (
        <span className="txt-compact-small-plus text-ui-fg-base">
          {say("list.totalPaid", paid)}
        </span>
      )}
      {parts.map((part) => (
        <span key={part}>{part}</span>
      ))}
    </span>
  )
}
