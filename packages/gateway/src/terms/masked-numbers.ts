/**
 * Phone and card numbers in a foreign text, however they are written: `0886 731 904`,
 * `+231-886-731-904`, `4111 1111 1111 1111`, with no-break blanks, dots, or characters of no width
 * between the digits. They are masked but for the last three digits.
 *
 * Masked are numbers that may be a wallet's, international ones, eight digits or more in a row,
 * and 13 digits or more in groups, which may be a card. Kept are UUIDs, dates, amounts, order
 * numbers with a prefix of capitals, and shorter numbers.
 *
 * Not guaranteed: a number of another country in groups, without plus and without `00`, reads as
 * groups of an order number.
 */
import { LIMITS } from "./limits"
import { PHONES } from "./markets"

const SEPARATOR = String.raw`[\s\p{Z}\p{Cf}\p{Cc}\p{Pd}.()\/_·,]`
const UUID = String.raw`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`
const UUID_UNPARTED = String.raw`(?<![0-9a-z])(?=[0-9]*[a-f])[0-9a-f]{32}(?![0-9a-z])`
const YEAR = "(?:19|20)\\d\\d"
const MONTH = "(?:0[1-9]|1[0-2])"
const DAY = "(?:0[1-9]|[12]\\d|3[01])"
const DATE = String.raw`(?<![\p{Nd}+])(?:${YEAR}([-/.])${MONTH}\1${DAY}|${DAY}([-/.])${MONTH}\2${YEAR})(?![\p{Nd}])`
/** Digits with separators between them. A comma before a blank parts the numbers of a list. */
const RUN = String.raw`\+?\(?\p{Nd}(?:(?:(?!,\s)${SEPARATOR}){0,3}\p{Nd})+`

const FOUND = new RegExp(`(?:${UUID}|${UUID_UNPARTED}|${DATE})|(?<run>${RUN})`, "giu")

const anyOf = (patterns: readonly string[]) => `(?:${patterns.join("|")})`
const WITH_PREFIX = anyOf(PHONES.map(({ prefix, wallets }) => prefix + wallets))
/** Nine digits or more: eight with a zero are rather the number of an order. */
const WITH_ZERO = String.raw`(?=\d{9})0${anyOf(PHONES.map(({ wallets }) => wallets))}`
/** Wallet numbers of the markets: with the country's prefix, or with the zero. */
const WALLET = new RegExp(`^(?:(?:00)?${WITH_PREFIX}|${WITH_ZERO})$`)
/** Wallet numbers as people write them where no zero is needed; also an amount of millions. */
const WALLET_BARE = new RegExp(`^${anyOf(PHONES.flatMap(({ bare }) => bare ?? []))}$`)
/** From so many digits on a number may be a card's, which has up to 19. */
const CARD_DIGITS_MIN = 13
const PHONE_DIGITS_MIN = 8

export function maskNumbers(text: string): string {
  return text.replace(FOUND, (found: string, ...rest: unknown[]) => {
    const { run } = rest.at(-1) as { readonly run?: string }
    const at = rest.at(-3) as number
    return run === undefined ? found : maskRun(run, text.slice(0, at), text.slice(at + run.length))
  })
}

/** Whether all of the text is a number of a wallet, in whatever way it is written. */
export function isWalletNumber(text: string): boolean {
  // Asked first, because most ids of a status have letters.
  if (/\p{L}/u.test(text)) return false
  const digits =
    inPlainDigits(text)
      .replace(/^\s*\+/, "")
      .match(/\d+/g)
      ?.join("") ?? ""
  return WALLET.test(digits)
}

/** Masks what may be a phone or card number in a run of digits with separators between them. */
function maskRun(run: string, before: string, after: string): string {
  // Characters of no width part nothing.
  const seen = inPlainDigits(run.replace(/[\p{Cf}\p{Cc}]/gu, (one) => (/\s/.test(one) ? one : "")))
  const groups = seen.match(/\d+/g) ?? []
  const digits = groups.join("")
  if (digits.length < PHONE_DIGITS_MIN) return run
  if (groups.length === 1) {
    return isPlainReference(digits, before) ? run : masked(digits)
  }
  if (isAmount(seen, before, after)) return run
  const isForeign = /^(?:\+|\()/.test(seen)
  const isCard = digits.length >= CARD_DIGITS_MIN && !areAmounts(seen, digits)
  if (isForeign || isCard || holdsWallet(groups)) return masked(digits)
  // The groups are no number together, but one of them may be a number alone.
  return run.replace(/\p{Nd}{8,}/gu, (group, at: number) => {
    const plain = inPlainDigits(group)
    return isPlainReference(plain, before + run.slice(0, at)) ? group : masked(plain)
  })
}

/** Neighbouring groups are a wallet's number, also where other groups stand before and after it. */
function holdsWallet(groups: readonly string[]): boolean {
  if (groups.length === 3 && WALLET_BARE.test(groups.join(""))) return true
  return groups.some((_group, from) => {
    let joined = ""
    return groups.slice(from).some((group) => WALLET.test((joined += group)))
  })
}

/** Eight digits that are a day, or that follow a prefix of capitals, as in `INV-00012345`. */
function isPlainReference(digits: string, before: string): boolean {
  if (digits.length !== PHONE_DIGITS_MIN) return false
  return (
    new RegExp(`^${YEAR}${MONTH}${DAY}$`).test(digits) ||
    /(?<![a-z])[A-Z]{2,6}[-_#/]?$/.test(before)
  )
}

const PLAIN = /^[1-9]\d{0,8}[.,]\d{1,2}$/
const GROUPED = /^[1-9]\d{0,2}([\s\p{Z}.,])\d{3}(?:\1\d{3})*(?:(?!\1)[.,]\d{1,2})?$/u
const CURRENCY_BEFORE = /(?:[A-Z]{3}|\p{Sc})\s?$/u
const CURRENCY_AFTER = /^\s?(?:[A-Z]{3}(?![A-Za-z])|\p{Sc})/u

/** Groups of thousands are an amount by their decimals, or by a currency beside them. */
function isAmount(text: string, before: string, after: string): boolean {
  if (PLAIN.test(text)) return true
  if (!GROUPED.test(text)) return false
  const hasDecimals = /\D\d{1,2}$/.test(text)
  return hasDecimals || CURRENCY_BEFORE.test(before) || CURRENCY_AFTER.test(after)
}

/** Amounts with decimals, with blanks or a slash between them; or beside other short numbers. */
function areAmounts(text: string, digits: string): boolean {
  const parts = text.split(/[\s\p{Z}/]+/u)
  const amounts = parts.filter((part) => /^(?:0|[1-9]\d{0,6})\.\d{2}$/.test(part))
  if (amounts.length === parts.length) return true
  const isShort = parts.every((part) => amounts.includes(part) || /^\d{1,7}$/.test(part))
  return amounts.length > 0 && isShort && !hasCheckDigit(digits)
}

/** The last digit is a check digit, as each card number has one. */
function hasCheckDigit(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 1 : 2)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

/** Digits of other scripts, such as full-width or Arabic digits, become those of ASCII. */
function inPlainDigits(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/[\u0660-\u0669\u06F0-\u06F9]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replace(/\p{Nd}/gu, (digit) => (/\d/.test(digit) ? digit : "0"))
}

function masked(digits: string): string {
  return `${"•".repeat(3)}${digits.slice(-LIMITS.phoneDigitsShown)}`
}
