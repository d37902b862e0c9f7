/**
 * The words by which a search finds a payment. The payer's words are stored with the payment; the
 * database adds the words of its ids and amounts (`schema/search.ts`). All are compared without
 * accents and in lower case. A phone number is stored as keyed digests only.
 */
import { COUNTRIES, MARKET_CURRENCIES, signOf } from "./markets"
import { parsePhone } from "./phone"

/** A keyed digest, as in `FlowDeps`. */
export type Digest = (text: string) => string

export type Payer = {
  readonly name: string | null
  readonly email: string | null
  /** The payer's number: E.164 digits without a plus. */
  readonly phone: string | null
}

const WORDS_MAX = 12
const WORD_LENGTH_MAX = 100
/** How many last digits a customer may say of a number, beside the three stored plainly. */
const LAST_DIGITS = [4, 5, 6, 7, 8]
/** Shorter numbers begin too many ids, so that they are compared whole. */
const NUMBER_BEGINS_AT = 5

/** The words of a payer, to be stored with the payment. */
export function payerWords({ name, email, phone }: Payer, digest: Digest): string[] {
  const parts = folded(name ?? "").split(/\s+/)
  const pieces = parts.flatMap((part) => part.split(/[^\p{L}\p{N}]+/u))
  const words = [folded(email ?? ""), ...parts, ...pieces]
    .filter((word) => word !== "" && word.length <= WORD_LENGTH_MAX)
    .slice(0, WORDS_MAX)
  const digits = phone === null ? [] : [phone, ...LAST_DIGITS.map((last) => phone.slice(-last))]
  return [...new Set([...words, ...digits.map((one) => phoneWord(one, digest))])]
}

/** Numbers in a search that may be those of orders: `23` and `#23`. */
export function orderNumbersIn(text: string): number[] {
  return wordsIn(text).flatMap((word) =>
    ORDER_NUMBER.test(word) ? Number(word.replace("#", "")) : [],
  )
}

const ORDER_NUMBER = /^#?\d{1,9}$/
const PHONE = /^\+?[\d().-]{4,20}$/
const AMOUNT = /^(\d{1,3}([,.]\d{3})+|\d{1,12})([.,]\d{1,2})?$/
const CURRENCY_AND_AMOUNT = /^([a-z]{3})?([\d.,]+)([a-z]{3})?$/

/**
 * What an admin typed, as a query of PostgreSQL's text search: every word must be found, as the
 * beginning of a word, an order's number, a phone number or its end, or an amount.
 *
 * @param text not blank
 * @param orderOf gives the id of the order with this number
 */
export function searchQuery(
  text: string,
  digest: Digest,
  orderOf: (orderNumber: number) => string | undefined,
): string {
  // `0770 123 042` and `5 601,12` are one word each; `Mary 23 42` may be three.
  const readings = new Set([text, text.replace(/(?<=\d)\s+(?=\d)/gu, "")])
  const queries = [...readings].map((reading) =>
    wordsIn(reading)
      .map((word) => `(${anyOf(word, digest, orderOf).join(" | ")})`)
      .join(" & "),
  )
  return [...new Set(queries)].join(" | ")
}

function anyOf(
  word: string,
  digest: Digest,
  orderOf: (orderNumber: number) => string | undefined,
): string[] {
  const isNumber = /^\d+$/.test(word)
  const isWhole = word.length < (isNumber ? NUMBER_BEGINS_AT : 2)
  const order = ORDER_NUMBER.test(word) ? orderOf(Number(word.replace("#", ""))) : undefined
  return [
    isWhole ? quoted(word) : `${quoted(word)}:*`,
    ...(order === undefined ? [] : [quoted(order.toLowerCase())]),
    ...phonesIn(word).map((digits) => quoted(phoneWord(digits, digest))),
    ...amountIn(word),
  ]
}

function phonesIn(word: string): string[] {
  if (!PHONE.test(word)) return []
  const digits = word.replace(/\D/g, "")
  const whole = COUNTRIES.flatMap((country) => {
    const read = parsePhone(word, country)
    return "phone" in read ? [read.phone.digits] : []
  })
  return [...new Set([...whole, ...(LAST_DIGITS.includes(digits.length) ? [digits] : [])])]
}

/**
 * `LRD5,601.12` and `5601,12` as the database writes it: `=5601.12`. Without decimals every amount
 * with these whole units is meant, because people leave the decimals out: `2421` finds 2,421.05.
 */
function amountIn(word: string): string[] {
  const [, before, amount = "", after] = CURRENCY_AND_AMOUNT.exec(word) ?? []
  if (!AMOUNT.test(amount)) return []
  const [, whole = "", digits] = /^(.*?)(?:[.,](\d{1,2}))?$/.exec(amount) ?? []
  const units = `=${BigInt(whole.replace(/\D/g, ""))}`
  const fraction = digits?.replace(/0+$/, "")
  const exact = quoted(fraction ? `${units}.${fraction}` : units)
  const meant = digits === undefined ? `(${exact} | ${quoted(`${units}.`)}:*)` : exact
  const currency = before ?? after
  return [currency === undefined ? meant : `(${meant} & ${quoted(currency)})`]
}

/**
 * Signs as a shop writes them beside an amount, with the code that stands for them. A bare `$` may
 * be the dollar of either country, so it names no currency.
 */
const SIGNS = new Map(
  [
    ...MARKET_CURRENCIES.map((code) => [signOf(code), code] as const),
    ["US$", "USD"] as const,
    ["$", ""] as const,
  ].flatMap(([sign, code]) => (sign ? [[sign.toLowerCase(), code.toLowerCase()] as const] : [])),
)
const ANY_SIGN = [...SIGNS.keys()].map((sign) => sign.replaceAll("$", "\\$")).join("|")
const SIGN_BEFORE = new RegExp(`(?<!\\S)(${ANY_SIGN})\\s*(?=\\d)`, "gu")
const SIGN_BEHIND = new RegExp(`(?<=\\d)\\s*(${ANY_SIGN})(?!\\S)`, "gu")

/** `l$4,816.56` and `4 816,56 l$` with the currency's code in place of its sign. */
const withoutSigns = (text: string) => {
  const codeOf = (_: string, sign: string) => SIGNS.get(sign) ?? ""
  return text.replace(SIGN_BEFORE, codeOf).replace(SIGN_BEHIND, codeOf)
}

const wordsIn = (text: string) =>
  withoutSigns(folded(text))
    .split(/\s+/)
    .map((word) => word.replace(/^(…|\.\.\.)(?=.)/, ""))
    .filter(Boolean)
    .slice(0, WORDS_MAX)

/** The keyed digest that is stored for a phone number, or for its last digits. */
export const phoneWord = (digits: string, digest: Digest) =>
  `tel:${digest(`search phone:${digits}`).slice(0, 16).toLowerCase()}`

/** `Élodie` as `elodie`. */
const folded = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim()

const quoted = (word: string) => `'${word.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`
