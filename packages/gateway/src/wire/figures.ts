/** Reads figures, fees and rates: exactly, with a currency if the answer names one. */
import { z } from "zod"
import type { DecimalText } from "../terms/texts"
import { decimalIn, isAbsent } from "./forms"
import { UnusableField, moneyIn, type Figure, type Wire } from "./reading"
import { expectAmount, expectDecimal, expecting } from "./unusual"

/** A rate, from a number or text, as exact decimal text. */
export const decimalField = expecting(z.unknown().transform(decimalOf), expectDecimal)
/** An amount without a currency; absent and null are undefined, an unreadable one is refused. */
export const optionalAmountText = expecting(
  z
    .unknown()
    .optional()
    .transform((value, context) => (isAbsent(value) ? undefined : decimalOf(value, context))),
  expectAmount,
)

/** A figure that the answer must have, with its currency; else the unusable field. */
export function figureIn(
  wire: Wire,
  amountName: string,
  currencyName: string,
): Figure | UnusableField {
  const read = moneyIn(wire, amountName, currencyName)
  if (read instanceof UnusableField) return read
  return read.amount ?? new UnusableField(amountName, "missing")
}

/** The contract allows a null currency. The amount beside it is then in `wire` only. */
export function sideIn(wire: Wire, amountName: string, currencyName: string) {
  return isAbsent(wire[currencyName]) ? {} : moneyIn(wire, amountName, currencyName)
}

export function feeIn(
  wire: Wire,
  amountName: string,
  currencyName: string,
): Figure | UnusableField | undefined {
  const read = sideIn(wire, amountName, currencyName)
  return read instanceof UnusableField ? read : read.amount
}

function decimalOf(value: unknown, context: z.RefinementCtx): DecimalText {
  const text = decimalIn(value)
  if (text !== undefined) return text
  context.addIssue({ code: "custom", message: "no decimal number" })
  return z.NEVER
}
