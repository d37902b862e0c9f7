/**
 * An amount as an admin types it: understood without doubt, or refused. Thousands stand apart by
 * spaces, or by commas as this product writes them: `1,500` and `1,500.00`. No amount has three
 * decimals, so such a comma is no decimal sign. `1.500` is a thousand and a half to one reader and
 * one and a half to another, so it is never read.
 */
import { currencyDigits } from "../../core/markets"

type TypedAmount =
  | {
      readonly kind: "amount"
      /** With the currency's decimals: `1000.50`. */ readonly text: string
    }
  | { readonly kind: "empty" | "unfinished" | "not_above_zero" | "not_amount" | "unclear" }
  | { readonly kind: "decimals"; readonly digits: number }

const PARTS = /^(\d+|\d{1,3}(?:[ \u00A0\u202F]\d{3})+)(?:[.,](\d*))?$/
/** Not `0,500`: it is half a unit to some, and five hundred to nobody. */
const WITH_COMMAS = /^([1-9]\d{0,2}(?:,\d{3})+)(?:\.(\d*))?$/
/** Whole digits that the store accepts, at most: 10^15 smallest units. */
const WHOLE_DIGITS_MAX = 13

export function typedAmount(typed: string, currency: string): TypedAmount {
  const text = typed.trim()
  if (text === "") return { kind: "empty" }
  if (/^[-−–]/.test(text)) return { kind: "not_above_zero" }
  const [matched, grouped = "", fraction] = WITH_COMMAS.exec(text) ?? PARTS.exec(text) ?? []
  if (matched === undefined) {
    return { kind: /^[\d\s.,'’]+$/.test(text) ? "unclear" : "not_amount" }
  }
  const whole = grouped.replace(/\D/g, "").replace(/^0+(?=\d)/, "")
  if (whole.length > WHOLE_DIGITS_MAX) return { kind: "not_amount" }
  const digits = currencyDigits(currency)
  if (fraction === "") return { kind: "unfinished" }
  if (fraction !== undefined && fraction.length > digits) {
    return fraction.length === 3 ? { kind: "unclear" } : { kind: "decimals", digits }
  }
  if (/^0*$/.test(whole + (fraction ?? ""))) return { kind: "not_above_zero" }
  const decimals = (fraction ?? "").padEnd(digits, "0")
  return { kind: "amount", text: decimals === "" ? whole : `${whole}.${decimals}` }
}
