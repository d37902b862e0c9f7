/** What a list adds up to, as a reader of its rows adds them up. */
import type { OperationList } from "../../../src/review/schemas/operations"
import { centsOf } from "../truth"
import type { Row } from "./look"

export type Totals = NonNullable<OperationList["totals"]>[number]

type Told = { readonly count: number; readonly amount: string }
const toldOf = ({ count, amount }: Told) => [count, centsOf(amount)]

/** All that the totals of a list say: counts, and amounts in hundredths. */
export const statedTotals = ({ currency, payments, net_after_refunds: left, ...one }: Totals) => ({
  currency,
  received: toldOf(payments),
  fees: centsOf(payments.fees),
  net: centsOf(payments.net),
  withoutFees: [payments.without_fees, centsOf(payments.amount_without_fees)],
  payerFees: centsOf(payments.payer_fees),
  recorded: toldOf(one.recorded),
  refunded: toldOf(one.refunds),
  pending: toldOf(one.refunds_pending),
  takenBack: toldOf(one.taken_back),
  sent: toldOf(one.sent),
  left: centsOf(left),
})

/** The same of rows: by currency, in the order of the codes. */
export function addedUp(rows: readonly Row[]) {
  const counted = rows.filter((row) => row.figures.gross !== null || isOnItsWay(row))
  return [...new Set(counted.map(({ currency }) => currency))].sort().map((currency) =>
    sumOfRows(
      currency,
      counted.filter((row) => row.currency === currency),
    ),
  )
}

function sumOfRows(currency: string, own: readonly Row[]) {
  const of = (...types: readonly Row["type"][]) =>
    own.filter((row) => types.includes(row.type) && row.figures.gross !== null)
  const payments = of("COLLECTION")
  const known = payments.filter((row) => leftOf(row) !== null)
  const unknown = payments.filter((row) => leftOf(row) === null)
  const taken = payments.filter((row) => row.taken_back_at !== null)
  const fees = sum(known, grossOf) - sum(known, (row) => leftOf(row) ?? 0)
  const refunds = of("REFUND")
  const gross = (all: readonly Row[]) => [all.length, sum(all, grossOf)]
  const asked = (all: readonly Row[]) => [all.length, sum(all, ({ amount }) => centsOf(amount))]
  return {
    currency,
    received: gross(payments),
    fees,
    net: sum(known, grossOf) - fees,
    withoutFees: gross(unknown),
    payerFees: sum(known.filter(isOnTop), ({ figures }) => centsOf(figures.fee ?? 0)),
    recorded: asked(
      own.filter(({ recorded_at: at, type }) => type === "COLLECTION" && at !== null),
    ),
    refunded: gross(refunds),
    pending: asked(own.filter(isOnItsWay)),
    takenBack: gross(taken),
    sent: gross(of("PAYOUT", "TRANSFER")),
    left: sum(payments, grossOf) - fees - sum(refunds, grossOf) - sum(taken, grossOf),
  }
}

const UNDER_WAY: readonly Row["state"][] = ["submitted", "in_flight", "review"]
const isOnItsWay = ({ type, state }: Row) => type === "REFUND" && UNDER_WAY.includes(state)

/** The payer bears the fees, and the shop was left the whole. */
const isOnTop = (row: Row) =>
  row.figures.fee_bearer === "PAYER" && row.figures.fee !== null && leftOf(row) === grossOf(row)

const sum = (rows: readonly Row[], of: (row: Row) => number) =>
  rows.reduce((all, row) => all + of(row), 0)

const grossOf = ({ figures }: Row) => centsOf(figures.gross ?? 0)

/** What a payment left to the shop, whatever came later; null: not known, or contradicted. */
function leftOf(row: Row): number | null {
  const { net } = row.figures
  if (net === null) return null
  const left = centsOf(net) + (row.taken_back_at === null ? 0 : grossOf(row))
  return left > grossOf(row) ? null : left
}
