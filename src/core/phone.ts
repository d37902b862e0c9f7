/**
 * Phone numbers as shoppers type and paste them (`0770…`, `+231…`, `00250…`), and as the gateway
 * takes them: E.164 digits without a plus (specification, Limits). Only whether a number can be a
 * mobile phone is decided here; its operator is never guessed from a prefix.
 */
import {
  PhoneNumberFormat,
  PhoneNumberType,
  PhoneNumberUtil,
  type PhoneNumber,
} from "google-libphonenumber"
import { COUNTRIES } from "./markets"
import { PHONE_TEXT_MAX, phoneText } from "./phone-text"
import { refusal, type Refusal } from "./refusal"

export type Phone = {
  /** E.164 digits without a plus. They go to the gateway, never into a table or a log. */
  readonly digits: string
  /** ISO 3166 two letters, upper case; undefined for a number that belongs to no single country. */
  readonly country: string | undefined
  /** The number's last three digits; no more of it is stored. */
  readonly hint: string
  readonly isMobile: boolean
}

const library = PhoneNumberUtil.getInstance()
/** The library's codes for an unknown country, and for numbers of no single one. */
const [UNKNOWN, WORLD] = ["ZZ", "001"]
const MOBILE: readonly (PhoneNumberType | undefined)[] = [
  PhoneNumberType.MOBILE,
  PhoneNumberType.FIXED_LINE_OR_MOBILE,
]

export type PhoneProblem = "not_a_phone" | "not_mobile" | "other_country"

/**
 * @param text as typed
 * @param country ISO two letters for numbers without a country prefix, any case
 */
export function parsePhone(
  text: unknown,
  country?: string,
): { phone: Phone } | { problem: PhoneProblem } {
  if (typeof text !== "string" || text.length > PHONE_TEXT_MAX) return { problem: "not_a_phone" }
  const international = phoneText(text)
  if (international === undefined) return { problem: "not_a_phone" }
  const home = country?.toUpperCase()
  const parsed =
    validNumber(international, home) ??
    // Digits with the country prefix but without a plus, as wallets often display them.
    (/^[1-9]/.test(international) ? validNumber(`+${international}`, home) : undefined)
  if (!parsed) return { problem: "not_a_phone" }
  const digits = library.format(parsed, PhoneNumberFormat.E164).slice(1)
  if (!/^[1-9][0-9]{7,14}$/.test(digits)) return { problem: "not_a_phone" }
  const region = library.getRegionCodeForNumber(parsed)
  return {
    phone: {
      digits,
      country: region === undefined || region === WORLD ? undefined : region,
      hint: digits.slice(-3),
      isMobile: MOBILE.includes(library.getNumberType(parsed)),
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
  const countries: readonly string[] = COUNTRIES
  const { phone } = result
  if (!phone.country || !countries.includes(phone.country)) return { problem: "other_country" }
  return phone.isMobile ? result : { problem: "not_mobile" }
}

export function phoneRefusal(problem: PhoneProblem): Refusal {
  return problem === "not_a_phone" ? refusal("invalid_phone") : refusal(`invalid_phone.${problem}`)
}

function validNumber(text: string, home: string = UNKNOWN): PhoneNumber | undefined {
  try {
    const number = library.parse(text, home)
    return library.isValidNumber(number) ? number : undefined
  } catch {
    // What is no number at all is an error of the library's.
    return undefined
  }
}
