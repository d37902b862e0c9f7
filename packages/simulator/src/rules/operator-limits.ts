/**
 * The least and the most that an operator takes in one payment. The contract names none; under the
 * habit `operator_limits` an execution beyond them is refused on the amount.
 */
import { decimalText, minorFromWire, type Currency, type Money } from "../money"
import { refused } from "../problem"
import type { World } from "../world"
import { operatorByMethod } from "./operators"

/** Major units, as wide as an operator's limits for one payment usually are. */
const LIMITS: Readonly<Record<Currency, { least: number; most: number }>> = {
  USD: { least: 0.5, most: 1_000 },
  LRD: { least: 50, most: 190_000 },
  RWF: { least: 100, most: 1_400_000 },
}

/** Throws 422 on `body.amount` for an amount that the method's operator does not take. */
export function requireWithinLimits({ habits }: World, method: string, amount: Money): void {
  if (!habits.has("operator_limits") || !operatorByMethod(method)) return
  const { currency } = amount
  const { least, most } = LIMITS[currency]
  const text = (major: number) =>
    `${decimalText({ minor: minorFromWire(major, currency) ?? 0, currency })} ${currency}`
  const isBelow = amount.minor < (minorFromWire(least, currency) ?? 0)
  const isAbove = amount.minor > (minorFromWire(most, currency) ?? 0)
  if (isBelow) throw refused(["body", "amount"], `Minimum amount is ${text(least)}`)
  if (isAbove) throw refused(["body", "amount"], `Maximum amount is ${text(most)}`)
}
