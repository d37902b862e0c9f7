/**
 * Whether gateway, ledger and Medusa say the same of a period. Green needs every row and every sum
 * equal on all three sides. A sum that is explained but not equal is not green either, because the
 * reader would take green for "nothing is open".
 */
import type { AccountReconciliation, PeriodTotals, Total } from "./responses"

/** `waits`: not settled yet. `unequal`: settled, and the sums differ. */
export type Open = {
  readonly kind: "waits" | "unequal"
  readonly what: "under_review" | "under_way" | "refunds_under_way" | "paid" | "refunded"
  readonly currency: string
  /** What waits; of unequal sums none, because there are three. */
  readonly sum: Total | null
}

export type Agreement = {
  readonly isGreen: boolean
  readonly open: readonly Open[]
}

type Compared = Pick<AccountReconciliation, "is_complete" | "differences" | "left_out" | "totals">

export function agreementOf(accounts: readonly Compared[]): Agreement {
  const open = accounts.flatMap(({ totals }) => totals.flatMap(openOf))
  const hasRows = accounts.every(
    ({ is_complete, differences, left_out }) =>
      is_complete && differences.length === 0 && left_out === 0,
  )
  return { isGreen: hasRows && open.length === 0, open }
}

function openOf({ currency, bridge, gateway, ledger, medusa, refunds }: PeriodTotals): Open[] {
  const waits = (what: Open["what"], sum: Total | undefined): Open[] =>
    sum && hasMoney(sum) ? [{ kind: "waits", what, currency, sum }] : []
  const unequal = (what: Open["what"], sums: readonly Total[]): Open[] =>
    areEqual(sums) ? [] : [{ kind: "unequal", what, currency, sum: null }]
  const paid = [gateway?.paid, ledger.completed, medusa.captured].flatMap((sum) => sum ?? [])
  return [
    ...waits(
      "under_review",
      hasMoney(ledger.under_review) ? ledger.under_review : bridge?.under_review,
    ),
    ...waits("under_way", bridge?.under_way),
    ...waits("refunds_under_way", refunds.under_way),
    ...unequal("paid", paid),
    ...unequal("refunded", [refunds.gateway, refunds.ledger, refunds.medusa]),
  ]
}

const hasMoney = ({ count, amount }: Total) => count !== 0 || Number(amount) !== 0

/** All amounts are written with the digits of one currency. */
const areEqual = ([first, ...others]: readonly Total[]) =>
  others.every(({ count, amount }) => count === first?.count && amount === first.amount)
