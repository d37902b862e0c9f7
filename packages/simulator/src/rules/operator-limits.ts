/**
 * The least and the most that an operator takes in one payment. The contract names none; under the
 * habit `operator_limits` an execution beyond them is refused on the amount.
 */
import { CURRENCY_FACTS } from "../markets"
import { decimalText, minorFromWire, type Money } from "../money"
import { refused } from "../problem"
import type { World } from "../world"
import { operatorByMethod } from "./operators"

/** Throws 422 on `body.amount` for an amount that the method's operator does not take. */
export function requireWithinLimits({ habits }: World, method: string, amount: Money): void {
  if (!habits.has("operator_limits") || !operatorByMethod(method)) return
  const { currency } = amount
  const { least, most } = CURRENCY_FACTS[currency]
  const text = (major: number) =>
    `${decimalText({ minor: minorFromWire(major, currency) ?? 0, currency })} ${currency}`
  const isBelow = amount.minor < (minorFromWire(least, currency) ?? 0)
  const isAbove = amount.minor > (minorFromWire(most, currency) ?? 0)
  if (isBelow) throw refused(["body", "amount"], `Minimum amount is ${text(least)}`)
  if (isAbove) throw refused(["body", "amount"], `Maximum amount is ${text(most)}`)
}
