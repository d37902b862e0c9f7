/**
 * Phone numbers as shoppers type them (`0770…`, `+231…`, `00250…`, with spaces and dashes) and as the
 * gateway wants them: E.164 digits without a plus, 8 to 15, the first 1 to 9 (specification, Limits).
 *
 * The operator is never guessed from a prefix here; the gateway is asked. Here is only decided whether
 * it can be a mobile phone of a country in which the gateway collects.
 */
import parsePhoneNumber, { isSupportedCountry, type CountryCode } from "libphonenumber-js/max"

/** Where the gateway collects from wallets (specification, first paragraph). */
export const WALLET_COUNTRIES = ["LR", "RW"] as const

export type Phone = {
  /** E.164 digits without a plus. Goes to the gateway, never into a table or a log. */
  readonly digits: string
  /** ISO 3166 two letters, upper case; undefined for a number without one country. */
  readonly country: string | undefined
  /** The last three digits: all that is kept. */
  readonly hint: string
  readonly isMobile: boolean
}

export type PhoneProblem = "empty" | "not_a_phone" | "not_mobile" | "other_country"

/**
 * @param text as typed
 * @param country ISO two letters for numbers without a country prefix, any case
 */
export function parsePhone(
  text: unknown,
  country?: string,
): { phone: Phone } | { problem: PhoneProblem } {
  if (typeof text !== "string" || text.trim() === "") return { problem: "empty" }
  if (text.length > 40) return { problem: "not_a_phone" }
  const international = text.trim().replace(/^00[\s-]*(?=[1-9])/, "+")
  const home = homeCountry(country)
  const parsed =
    parsed_(international, home) ??
    // Digits with the country prefix but without a plus, as wallets often show them.
    (/^[1-9][\d\s().-]{7,}$/.test(international) ? parsed_(`+${international}`, home) : undefined)
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

/** A phone that can carry a wallet: mobile, and of a country in which the gateway collects. */
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

/** What to tell the shopper. */
export function phoneSentence(problem: PhoneProblem): string {
  switch (problem) {
    case "empty":
      return "Give the phone number that should pay."
    case "not_a_phone":
      return "This is not a phone number. Give it with its country prefix, for example +231 77 012 3456."
    case "not_mobile":
      return "This number is a fixed line. Give the mobile number of a mobile money wallet."
    case "other_country":
      return "Mobile money is available for phones of Liberia (+231) and Rwanda (+250) only."
  }
}

function homeCountry(country: string | undefined): CountryCode | undefined {
  const upper = country?.toUpperCase()
  return upper !== undefined && isSupportedCountry(upper) ? upper : undefined
}

function parsed_(text: string, country: CountryCode | undefined) {
  const number = parsePhoneNumber(text, country ? { defaultCountry: country } : undefined)
  return number?.isValid() ? number : undefined
}
