/**
 * In which forms a value of an answer is read (docs/gateway-client.md, "What is read as what").
 * Pure. A form that can mean two things is read as neither: the answer is then unknown, and never
 * other money.
 */
import { decimalText, INTEGER_CURRENCIES, parseCurrency } from "../../core/money"
import type { CurrencyCode } from "../../core/money"
import type { DecimalText, WebAddress } from "../../core/said/texts"
import { LIMITS } from "../../core/limits"
import { isProduction } from "../base-url"

/** What serializers write where there is no value. `NA` is not among them: it is a country. */
const PLACEHOLDER = /^(?:-+|n\/a|null|none|undefined)?$/i

/** Absent, null, empty, or a text that only says that there is nothing. */
export function isAbsent(value: unknown): boolean {
  if (value === undefined || value === null) return true
  return typeof value === "string" && PLACEHOLDER.test(value.trim())
}

/** A text without blanks around it; undefined where there is none. */
export function textIn(value: unknown): string | undefined {
  return typeof value !== "string" || isAbsent(value) ? undefined : value.trim()
}

const WRITTEN_TRUE: ReadonlySet<unknown> = new Set(["true", "yes", "1", 1, true])
const WRITTEN_FALSE: ReadonlySet<unknown> = new Set(["false", "no", "0", 0, false])

export function flagIn(value: unknown): boolean | undefined {
  const form = typeof value === "string" ? value.trim().toLowerCase() : value
  if (WRITTEN_TRUE.has(form)) return true
  return WRITTEN_FALSE.has(form) ? false : undefined
}

/** The word of the list that is meant, whatever its case; another word as it came. */
export function wordIn(value: string, words: readonly string[]): string {
  const word = value.trim().replace(/[\s-]+/g, "_")
  return words.find((one) => one === word.toUpperCase()) ?? value.trim()
}

/** Equal, but for case and blanks around it. */
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
  const digits = typeof value === "string" ? value.trim() : String(value)
  return /^\d{1,15}$/.test(digits) ? Number(digits) : undefined
}

/**
 * An address of the web, or one relative to the gateway's own; undefined for any other. A name
 * without `https://` is not taken for a path. It comes as the parser writes it, so that no two
 * readers see two hosts in it; one with a user in it is none, because people read that as a host.
 *
 * @param isSecure only https, as in production: http shows a payer's page to the network
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

/** `javascript:` and the like are refused, and a text without end. */
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
/** Longer ones are no amounts. */
const LONGEST_TEXT = 64
const BLANKS = /\s/g
const APOSTROPHES = /[’ʼ]/g

/**
 * The plain decimal text of an amount, with a point if it has a fraction.
 *
 * A point is the contract's own decimal mark. A comma alone before three digits may stand for
 * thousands or for a fraction, so it is not read; nor is a point before three digits in a currency
 * without a fraction.
 *
 * @param currency the amount's own, which may stand in the text as well; no other may
 */
export function decimalIn(value: unknown, currency?: string): DecimalText | undefined {
  return plainDecimal(value, currency) as DecimalText | undefined
}

function plainDecimal(value: unknown, currency: string | undefined): string | undefined {
  if (typeof value === "number") return withoutNoise(decimalText(value))
  if (typeof value !== "string" || value.length > LONGEST_TEXT) return undefined
  const text = withoutCurrency(value, currency)
  if (decimalText(text) !== undefined) {
    const isInteger = currency !== undefined && INTEGER_CURRENCIES.has(currency)
    return isInteger && /^[1-9]\d{0,2}\.\d{3}$/.test(text)
      ? undefined
      : withoutNoise(decimalText(text))
  }
  const fraction = DECIMAL_COMMA.exec(text)?.[1]
  if (fraction !== undefined) return fraction.length === 3 ? undefined : text.replace(",", ".")
  return ungrouped(text)
}

/** More digits after the point than any amount has that was not added up of floats. */
const NOISE = /\.\d{9,}$/
/** Digits that a sum of floats keeps. */
const SURE_DIGITS = 12
/** A thousandth of a cent. What is further from the short number is another number. */
const NOISE_BELOW = 1e-5

/**
 * 69.97 for 69.97000000000001, which would stand on a screen and in a sum otherwise. A number that
 * is not short after all, such as a rate, keeps every digit.
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

/** Groups of three, all parted by one sign, which is not that of the fraction. */
function ungrouped(text: string): string | undefined {
  const found = GROUPED.exec(text)
  if (!found) return undefined
  const [whole, , blank, sign = blank, mark, fraction = ""] = found
  const isOneGroup = whole.split(sign ?? "").length === 2
  // "1,250" alone; and "1 250,500", where the comma may part another group.
  if (mark === undefined && sign === "," && isOneGroup) return undefined
  if (mark === sign || (mark === "," && fraction.length === 3)) return undefined
  const units = mark === undefined ? whole : whole.slice(0, -fraction.length - 1)
  return `${units.replace(/\D/g, "")}${mark === undefined ? "" : `.${fraction}`}`
}
