/**
 * The amount of a decision, for its confirmation. A refund sends back what the gateway says was
 * taken, whatever was asked for, so that amount is shown; if it is unknown, none is.
 */
import type { OperationDetail, GatewayReading } from "./responses"

export type Stake = { readonly amount: number; readonly currency: string }

type Decided = Pick<OperationDetail, "type" | "amount" | "currency" | "collected_amount">

export function atStake(
  operation: Decided,
  action: "accept" | "refund" | "dismiss",
  reading: GatewayReading | null,
): Stake | null {
  const { amount, currency, collected_amount } = operation
  const known = action === "refund" ? reading?.taken_amount : reading?.amount
  const isRead = reading?.kind === "reads" && typeof known === "number" && reading.currency !== null
  const read = isRead ? { amount: known, currency: reading.currency } : null
  if (operation.type !== "COLLECTION" || action === "accept") return { amount, currency }
  if (action === "refund") return read
  return read ?? { amount: collected_amount ?? amount, currency }
}
