/**
 * Phone numbers as shoppers type them (`0770…`, `+231…`, `00250…`, with spaces and dashes), and as
 * the gateway takes them: E.164 digits without a plus (specification, Limits). Only whether a
 * number can be a mobile phone is decided here; its operator is never guessed from a prefix.
 */
import parsePhoneNumber, { isSupportedCountry, type CountryCode } from "libphonenumber-js/max"
import { refusal, type Refusal } from "./refusal"

/** The countries in which the gateway collects from wallets (specification, first paragraph). */
export const WALLET_COUNTRIES = ["LR", "RW"] as const

export type Phone = {
  /** E.164 digits without a plus. They go to the gateway, never into a table or a log. */
  readonly digits: string
  /** ISO 3166 two letters, upper case; undefined for a number that belongs to no single country. */
  readonly country: string | undefined
  /** The number's last three digits; no more of it is stored. */
  readonly hint: string
  readonly isMobile: boolean
}

export type PhoneProblem = "not_a_phone" | "not_mobile" | "other_country"

/**
 * @param text as typed
 * @param country ISO two letters for numbers without a country prefix, any case
 */
export function parsePhone(
  text: unknown,
  country?: string,
): { phone: Phone } | { problem: PhoneProblem } {
  if (typeof text !== "string" || text.length > 40) return { problem: "not_a_phone" }
  const international = text.trim().replace(/^00[\s-]*(?=[1-9])/, "+")
  const upper = country?.toUpperCase()
  const home = upper !== undefined && isSupportedCountry(upper) ? upper : undefined
  const parsed =
    validNumber(international, home) ??
    // Digits with the country prefix but without a plus, as wallets often display them.
    (/^[1-9][\d\s().-]{7,}$/.test(international)
      ? validNumber(`+${international}`, home)
      : undefined)
  if (!parsed) return { problem: "not_a_phone" }
  const digits = parsed.number.slice(1)
  if (!/^[1-9][0-9]{7,14}$/.test(digits)) return { problem: "not_a_phone" }
  const type = parsed.getType()
  return {
    phone: {
      digits,
      country: parsed.country,
      hint: digits.slice(-3),
      isMobile: type === undefined || type === "MOBILE" || type === "FIXED_LINE_OR_MOBILE",
    },
  }
}

/** A phone that can have a wallet: mobile, and of a country in which the gateway collects. */
export function parseWalletPhone(
  text: unknown,
  country?: string,
): { phone: Phone } | { problem: PhoneProblem } {
  const result = parsePhone(text, country)
  if ("problem" in result) return result
  const countries: readonly string[] = WALLET_COUNTRIES
  const { phone } = result
  if (!phone.country || !countries.includes(phone.country)) return { problem: "other_country" }
  return phone.isMobile ? result : { problem: "not_mobile" }
}

export function phoneRefusal(problem: PhoneProblem): Refusal {
  return problem === "not_a_phone" ? refusal("invalid_phone") : refusal(`invalid_phone.${problem}`)
}

function validNumber(text: string, country: CountryCode | undefined) {
  const number = parsePhoneNumber(text, country ? { defaultCountry: country } : undefined)
  return number?.isValid() ? number : undefined
}
