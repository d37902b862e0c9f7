/** Reads figures, fees and rates: exactly, with a currency if the answer names one. */
import { z } from "zod"
import type { CurrencyCode } from "../terms/money"
import type { DecimalText } from "../terms/texts"
import { currencyIn, decimalIn, isAbsent } from "./forms"
import { figureOf, UnusableField, moneyIn, type Figure, type Wire } from "./reading"
import { expectDecimal, expecting } from "./unusual"

/** A rate, from a number or text, as exact decimal text. */
export const decimalField = expecting(z.unknown().transform(decimalOf), expectDecimal)
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

/**
 * An amount beside another proof, only stored and shown. The contract allows a null currency. What
 * can't be read is left out: it must not hide what the answer says about the money.
 */
export function sideIn(wire: Wire, amountName: string, currencyName: string): Side {
  const currency = currencyIn(wire[currencyName])
  if (!currency) return {}
  const amount = isAbsent(wire[amountName]) ? undefined : figureOf(wire[amountName], currency)
  return { amount, currency }
}

type Side = { readonly amount?: Figure; readonly currency?: CurrencyCode }

/** A fee that is what the answer was asked for, so an unreadable one makes it unusable. */
export function feeIn(
  wire: Wire,
  amountName: string,
  currencyName: string,
): Figure | UnusableField | undefined {
  if (isAbsent(wire[currencyName])) return undefined
  const read = moneyIn(wire, amountName, currencyName)
  return read instanceof UnusableField ? read : read.amount
}

function decimalOf(value: unknown, context: z.RefinementCtx): DecimalText {
  const text = decimalIn(value)
  if (text !== undefined) return text
  context.addIssue({ code: "custom", message: "no decimal number" })
  return z.NEVER
}
