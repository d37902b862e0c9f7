/**
 * The amount of a decision, for its confirmation. A refund returns what the gateway says was taken,
 * which may differ from what was asked for; if that is unknown, no amount is shown.
 */
import type { Resolve } from "./queries"
import type { OperationDetail, GatewayReading } from "./responses"

export type Stake = { readonly amount: number; readonly currency: string }

type Decided = Pick<
  OperationDetail,
  "type" | "amount" | "currency" | "collected_amount" | "refunded_amount"
>

export function atStake(
  operation: Decided,
  action: Resolve["action"],
  reading: GatewayReading | null,
): Stake | null {
  const { amount, currency, collected_amount, refunded_amount } = operation
  const isRefund = action === "refund" || action === "refund_rest"
  const known = isRefund ? reading?.taken_amount : reading?.amount
  const isRead = reading?.kind === "reads" && typeof known === "number" && reading.currency !== null
  const read = isRead ? { amount: known, currency: reading.currency } : null
  if (operation.type !== "COLLECTION") return { amount, currency }
  if (action === "accept" || action === "accept_asked") return { amount, currency }
  if (isRefund) {
    if (!read) return null
    // What a source reads once a part went back is not known: the ledger's amount stands.
    const isPartBack = refunded_amount > 0 && collected_amount !== null
    const taken = isPartBack ? { amount: collected_amount, currency } : read
    const kept = action === "refund_rest" ? amount : refunded_amount
    return { ...taken, amount: Math.round((taken.amount - kept) * 100) / 100 }
  }
  return read ?? { amount: collected_amount ?? amount, currency }
}
