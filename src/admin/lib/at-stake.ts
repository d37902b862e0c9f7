/**
 * How much a decision is about, as it is put to the person who confirms it. What goes back is what the
 * gateway says was taken, whatever was asked for or read of it before, so that is what is shown; where it
 * was not told, no amount is.
 */
import type { DeskDetail, GatewayReading } from "./answers"

export type Stake = { readonly amount: number; readonly currency: string }

type Decided = Pick<DeskDetail, "type" | "amount" | "currency" | "collected_amount">

export function atStake(
  operation: Decided,
  action: "accept" | "refund" | "dismiss",
  reading: GatewayReading | null,
): Stake | null {
  const { amount, currency, collected_amount } = operation
  const told = action === "refund" ? reading?.taken_amount : reading?.amount
  const isRead = reading?.kind === "reads" && typeof told === "number" && reading.currency !== null
  const read = isRead ? { amount: told, currency: reading.currency } : null
  if (operation.type !== "COLLECTION" || action === "accept") return { amount, currency }
  if (action === "refund") return read
  return read ?? { amount: collected_amount ?? amount, currency }
}
