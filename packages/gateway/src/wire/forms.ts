/**
 * Reads a value of an answer in its possible forms (docs/gateway-client.md, "What is read as
 * what"). Pure. A form that can mean two things is not read: the outcome is then unknown, and never
 * another amount of money.
 */
import { INTEGER_CURRENCIES } from "../terms/markets"
import { decimalText, parseCurrency } from "../terms/money"
import type { CurrencyCode } from "../terms/money"
import type { DecimalText, WebAddress } from "../terms/texts"
import { LIMITS } from "../terms/limits"
import { isProduction } from "../base-url"

/** Texts that serializers write for a missing value. `NA` is not one of them: it is a country. */
const PLACEHOLDER = /^(?:-+|n\/a|null|none|undefined)?$/i

/** Whether a value is undefined, null, empty, or a text that only says that there is no value. */
export function isAbsent(value: unknown): boolean {
  if (value === undefined || value === null) return true
  return typeof value === "string" && PLACEHOLDER.test(value.trim())
}

/** The text without the blanks around it; undefined if the value is no text or is absent. */
function textIn(value: unknown): string | undefined {
  return typeof value !== "string" || isAbsent(value) ? undefined : value.trim()
}

const WRITTEN_TRUE: ReadonlySet<unknown> = new Set(["true", "yes", "1", 1, true])
const WRITTEN_FALSE: ReadonlySet<unknown> = new Set(["false", "no", "0", 0, false])

export function flagIn(value: unknown): boolean | undefined {
  const form = typeof value === "string" ? value.trim().toLowerCase() : value
  if (WRITTEN_TRUE.has(form)) return true
  return WRITTEN_FALSE.has(form) ? false : undefined
}

/** The list's word in any case, with blanks or hyphens for `_`; another word is only trimmed. */
export function wordIn(value: string, words: readonly string[]): string {
  const word = value.trim().replace(/[\s-]+/g, "_")
  return words.find((one) => one === word.toUpperCase()) ?? value.trim()
}

/** Whether two values are equal. Case and the blanks around a text do not count. */
export function isSameWord(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== "string" || typeof other !== "string") return false
  return one.trim().toLowerCase() === other.trim().toLowerCase()
}

export function currencyIn(value: unknown): CurrencyCode | undefined {
  return parseCurrency(textIn(value))
}

/** An id, from an integer or its digits. */
export function idIn(value: unknown): number | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined
  const digits = String(value).trim()
  return /^\d{1,15}$/.test(digits) ? Number(digits) : undefined
}

/**
 * An absolute web address, or a path joined to the gateway's origin; undefined for any other text.
 * A host without `https://` is not taken for a path. The URL parser writes the result, so that all
 * readers see the same host. An address with a user is refused: people take the user for the host.
 *
 * @param isSecure accepts only https; http would show a payer's page to the network. Default: true
 * in production
 */
export function addressIn(
  text: string,
  origin: string | undefined,
  isSecure = isProduction(),
): WebAddress | undefined {
  const address = text.trim()
  if (/^https?:\/\//i.test(address)) return webAddress(address, undefined, isSecure)
  const first = /^[^/?#]*/.exec(address)?.[0] ?? ""
  if (origin === undefined || /[:.\\]/.test(first)) return undefined
  return webAddress(address, origin, isSecure)
}

/** Refuses every scheme but http and https, such as `javascript:`, and a text that is too long. */
function webAddress(
  text: string,
  origin: string | undefined,
  isSecure: boolean,
): WebAddress | undefined {
  if (text.length > LIMITS.webAddressMax || !URL.canParse(text, origin)) return undefined
  const { protocol, username, password, href } = new URL(text, origin)
  const isWeb = protocol === "https:" || (protocol === "http:" && !isSecure)
  return isWeb && username === "" && password === "" ? (href as WebAddress) : undefined
}

const GROUPED = /^([1-9]\d{0,2})(?:( )\d{3}(?: \d{3})*|([',.])\d{3}(?:\3\d{3})*)(?:([.,])(\d+))?$/
const DECIMAL_COMMA = /^\d+,(\d+)$/
/** The most characters that the text of an amount may have. */
const LONGEST_TEXT = 64
const BLANKS = /\s/g
const APOSTROPHES = /[’ʼ]/g

/**
 * The plain decimal text of an amount, with a point if it has a fraction.
 *
 * A point is the contract's own decimal mark. A single comma before three digits may mean thousands
 * or a fraction, so such a text is not read. In a currency without a fraction, a single point
 * before three digits is not read either.
 *
 * @param currency the amount's currency. Its code may be in the text; another code may not
 */
export function decimalIn(value: unknown, currency?: string): DecimalText | undefined {
  return plainDecimal(value, currency) as DecimalText | undefined
}

function plainDecimal(value: unknown, currency: string | undefined): string | undefined {
  if (typeof value === "number") return withoutNoise(decimalText(value))
  if (typeof value !== "string" || value.length > LONGEST_TEXT) return undefined
  const text = withoutCurrency(value, currency)
  const decimal = decimalText(text)
  if (decimal !== undefined) {
    const isInteger = currency !== undefined && INTEGER_CURRENCIES.has(currency)
    return isInteger && /^[1-9]\d{0,2}\.\d{3}$/.test(text) ? undefined : withoutNoise(decimal)
  }
  const fraction = DECIMAL_COMMA.exec(text)?.[1]
  if (fraction !== undefined) return fraction.length === 3 ? undefined : text.replace(",", ".")
  return ungrouped(text)
}

/** More digits after the point than an amount has, unless it is a sum of floats. */
const NOISE = /\.\d{9,}$/
/** The number of significant digits that a sum of floats keeps exactly. */
const SURE_DIGITS = 12
/** A thousandth of a cent. A larger difference to the short number is more than noise. */
const NOISE_BELOW = 1e-5

/**
 * Turns 69.97000000000001 into 69.97: the noise of floats must not reach a screen or a sum. A
 * number that does not become short, such as a rate, keeps every digit.
 */
function withoutNoise(text: string | undefined): string | undefined {
  if (text === undefined || !NOISE.test(text)) return text
  const short = decimalText(Number(Number(text).toPrecision(SURE_DIGITS)))
  if (short === undefined || NOISE.test(short)) return text
  return Math.abs(Number(short) - Number(text)) < NOISE_BELOW ? short : text
}

function withoutCurrency(value: string, currency: string | undefined): string {
  const text = value.trim().replace(BLANKS, " ").replace(APOSTROPHES, "'")
  if (currency === undefined) return text
  const isBefore = text.slice(0, currency.length).toUpperCase() === currency
  if (isBefore) return text.slice(currency.length).trim()
  const isAfter = text.slice(-currency.length).toUpperCase() === currency
  return isAfter ? text.slice(0, -currency.length).trim() : text
}

/**
 * Reads digits in groups of three. One sign separates all groups, and another sign begins the
 * fraction.
 */
function ungrouped(text: string): string | undefined {
  const found = GROUPED.exec(text)
  if (!found) return undefined
  const [whole, , blank, sign = blank, mark, fraction = ""] = found
  const isOneGroup = whole.split(sign ?? "").length === 2
  // Ambiguous: "1,250" alone, and below "1 250,500", whose comma may begin another group.
  if (mark === undefined && sign === "," && isOneGroup) return undefined
  if (mark === sign || (mark === "," && fraction.length === 3)) return undefined
  const units = mark === undefined ? whole : whole.slice(0, -fraction.length - 1)
  return `${units.replace(/\D/g, "")}${mark === undefined ? "" : `.${fraction}`}`
}
