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

function OfCurrency({ total }: { readonly total: OperationTotals }) {
  const { say, exact, number } = useWords()
  const { currency, payments, refunds, sent } = total
  const moved = ({ amount, count }: OperationTotals["refunds"]) => ({
    amount: exact(amount, currency),
    number: number(count),
  })
  const hasFees = payments.count > payments.without_fees
  const parts = [
    hasFees && say("list.totalFees", { amount: exact(payments.fees, currency) }),
    hasFees && say("list.totalNet", { amount: exact(payments.net, currency) }),
    payments.without_fees > 0 && say("list.totalUnknown", { number: payments.without_fees }),
    refunds.count > 0 && say("list.totalRefunded", moved(refunds)),
    sent.count > 0 && say("list.totalSent", moved(sent)),
  ].filter((part) => part !== false)
  if (payments.count === 0 && parts.length === 0) return null
  return (
    <span className="txt-compact-small text-ui-fg-subtle flex flex-wrap gap-x-4 tabular-nums">
      {payments.count > 0 && (
        <span className="txt-compact-small-plus text-ui-fg-base">
          {say("list.totalPaid", moved(payments))}
        </span>
      )}
      {parts.map((part) => (
        <span key={part}>{part}</span>
      ))}
    </span>
  )
}
