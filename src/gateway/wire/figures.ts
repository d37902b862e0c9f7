/** How figures, fees and rates are read: exact decimal text, with a currency where the answer names one. */
import { z } from "zod"
import { decimalText } from "../../core/money"
import { Misfit, moneyIn } from "./fields"
import type { Figure, Wire } from "./fields"

/** A rate, from a number or text, as exact decimal text. */
export const decimalField = z.unknown().transform(decimalOf)
/** An amount without a currency, likewise. Absent and null are undefined; one that is there is readable. */
export const optionalAmountText = z
  .unknown()
  .optional()
  .transform((value, context) => (isAbsent(value) ? undefined : decimalOf(value, context)))

/** A figure of which an answer can't do without. */
export function figureIn(wire: Wire, amountName: string, currencyName: string): Figure | Misfit {
  const read = moneyIn(wire, amountName, currencyName)
  if (read instanceof Misfit) return read
  return read.amount ?? new Misfit(amountName, "missing")
}

/** A fee whose currency may be null, as the contract has it: it is left to `wire` then. */
export function feeIn(
  wire: Wire,
  amountName: string,
  currencyName: string,
): Figure | Misfit | undefined {
  if (isAbsent(wire[currencyName])) return undefined
  const read = moneyIn(wire, amountName, currencyName)
  return read instanceof Misfit ? read : read.amount
}

function decimalOf(value: unknown, context: z.RefinementCtx): string {
  const text = decimalText(value)
  if (text !== undefined) return text
  context.addIssue({ code: "custom", message: "no decimal number" })
  return z.NEVER
}

function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null
}
