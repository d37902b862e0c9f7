/**
 * Decides whether gateway, ledger and Medusa say the same of a period. Green needs every row and
 * every sum equal, all money explained, and nothing that waits. The page, the file and the script
 * use this one function.
 */
import { isElsewhere } from "./reconciliation"
import type {
  AccountReconciliation,
  Agreement,
  Open,
  PeriodTotals,
  Total,
} from "../schemas/reconciliation"

type Compared = Pick<AccountReconciliation, "is_complete" | "left_out" | "totals"> & {
  readonly differences: readonly { readonly code: string }[]
}

export function agreementOf(accounts: readonly Compared[]): Agreement {
  const open = accounts.flatMap(({ totals }) => totals.flatMap(openOf))
  const hasEqualRows = accounts.every(
    ({ is_complete, differences, left_out }) =>
      is_complete && differences.every(isElsewhere) && left_out === 0,
  )
  return { is_green: hasEqualRows && open.length === 0, open }
}

function openOf({ currency, bridge, gateway, ledger, medusa, refunds }: PeriodTotals): Open[] {
  const waits = (what: Open["what"], sum: Total | undefined): Open[] =>
    sum && hasMoney(sum) ? [{ kind: "waits", what, currency, sum, sums: null }] : []
  const unequal = (what: Open["what"], one: Total, other: Total): Open[] =>
    isEqual(one, other) ? [] : [{ kind: "unequal", what, currency, sum: null, sums: [one, other] }]
  const remainder = bridge && hasMoney(bridge.remainder) ? bridge.remainder : undefined
  return [
    ...waits(
      "under_review",
      hasMoney(ledger.under_review) ? ledger.under_review : bridge?.under_review,
    ),
    ...waits("under_way", bridge?.under_way),
    ...waits("refunds_under_way", refunds.under_way),
    ...waits("refunds_under_review", refunds.under_review),
    ...(gateway ? unequal("received", gateway.paid, ledger.received) : []),
    ...unequal("recorded", ledger.recorded, medusa.captured),
    ...unequal("refunded", refunds.recorded, refunds.medusa),
    ...(remainder
      ? [{ kind: "unequal", what: "not_explained", currency, sum: remainder, sums: null } as const]
      : []),
  ]
}

const hasMoney = ({ count, amount }: Total) => count !== 0 || Number(amount) !== 0

/** Compares the texts: all amounts of one currency are written with the same digits. */
const isEqual = (one: Total, other: Total) =>
  one.count === other.count && one.amount === other.amount
