/**
 * The smallest and the largest amount that an operator takes, from the words of a refusal. They are
 * shown to a shopper before the next press, and nothing is decided by them. What can be read in two
 * ways is not read: `1,250` alone may be 1250 or 1.25.
 */
import { INTEGER_CURRENCIES, MARKET_CURRENCIES, signOf } from "../markets"
import type { CurrencyCode } from "../money"
import { asWords, saidIn, type Said } from "./refused-words"

/** The smallest and the largest amount, as decimal text in major units. */
export type AmountLimit = { readonly least?: string; readonly most?: string }

const NUMBER = String.raw`(\d[\d., ]*\d|\d)`
/** A currency, a sign, or a few words between what a number is and the number. */
const BETWEEN = String.raw`[^\d]{0,40}?`
const LEAST = new RegExp(
  String.raw`(?:\bmin(?:imum|imal)?\b|\bat least\b|\b(?:not|be) (?:less|lower) than\b` +
    String.raw`|\bgreater than or equal to\b|\bau moins\b|\bminimale\b)${BETWEEN}${NUMBER}`,
)
const MOST = new RegExp(
  String.raw`(?:\bmax(?:imum|imal)?\b|\bat most\b|\bnot (?:be )?(?:more|greater|higher) than\b` +
    String.raw`|\bless than or equal to\b|\bau plus\b|\bmaximale\b)${BETWEEN}${NUMBER}`,
)
const BOTH = new RegExp(
  String.raw`\b(?:between|entre)\b${BETWEEN}${NUMBER}${BETWEEN}\b(?:and|et)\b${BETWEEN}${NUMBER}`,
)
/** What a wallet holds, and what may go out of it in a time, limits one payment only by chance. */
const OF_WALLET =
  /\bbalance\b|\bsolde\b|\bfunds\b|\b(daily|weekly|monthly|day|week|month|jour|mois)\b/
const OF_AMOUNT =
  /\bamount\b.{0,40}\b(small|low|large|high|big|less|greater|least|most|below|above|exceed\w*|limit|range|minimum|maximum)\b|\b(minimum|maximum|min|max)\b.{0,20}\bamount\b|\bmontant\b.{0,40}\b(minim\w+|maxim\w+|faible|eleve|inferieur|superieur)/

/** Counts of other things are no amounts: `at least 8 characters` is about a number or a name. */
const OF_OTHER =
  /\d[\d., ]*(?:characters?|chars?|digits?|letters?|items?|elements?|entries|decimals?|times|attempts?|tries|seconds?|minutes?|hours?|caracteres?|chiffres?|lettres?|fois|essais|tentatives?|secondes?|heures?)\b/

const AMOUNT_FIELD = /(^|\.)(\w+_)?amount$/

/** The refusal is about the amount: another number would be refused as well. */
export function isAboutAmount(said: Said): boolean {
  if (said.fields?.some(({ path }) => AMOUNT_FIELD.test(path))) return true
  return saidIn(said)
    .map(asWords)
    .some((text) => !OF_WALLET.test(text) && (OF_AMOUNT.test(text) || hasLimit(limitIn(text))))
}

/**
 * @param currency that the payer pays in: a text that names another one says nothing about it
 * @param billed the source's currency: if it differs, a text has to say which of the two it means
 * @returns empty where no text names a limit, or two texts differ
 */
export function amountLimitIn(
  said: Said,
  currency: CurrencyCode,
  billed: CurrencyCode,
): AmountLimit {
  const limits = saidIn(said)
    .filter((text) => isOf(text, currency, billed))
    .map(asWords)
    .filter((text) => !OF_WALLET.test(text))
    .map(limitIn)
  const least = only(limits.flatMap((limit) => limit.least ?? []))
  const most = only(limits.flatMap((limit) => limit.most ?? []))
  if (least !== undefined && most !== undefined && Number(least) > Number(most)) return {}
  const isWhole = (text: string) => !INTEGER_CURRENCIES.has(currency) || /^\d+$/.test(text)
  return {
    ...(least !== undefined && isWhole(least) && { least }),
    ...(most !== undefined && isWhole(most) && { most }),
  }
}

export const hasLimit = ({ least, most }: AmountLimit): boolean =>
  least !== undefined || most !== undefined

function limitIn(text: string): AmountLimit {
  if (OF_OTHER.test(text)) return {}
  const [, low, high] = BOTH.exec(text) ?? []
  const least = plain(low ?? LEAST.exec(text)?.[1])
  const most = plain(high ?? MOST.exec(text)?.[1])
  return { ...(least !== undefined && { least }), ...(most !== undefined && { most }) }
}

/** `1,250.00` and `1 250` as `1250.00` and `1250`; undefined where it is not one number for sure. */
function plain(text: string | undefined): string | undefined {
  const number = text?.replace(/[.,]$/, "")
  if (number === undefined) return undefined
  const isPlain = /^\d{1,9}(\.\d{1,2})?$/.test(number)
  const isGrouped = /^\d{1,3}(,\d{3})+\.\d{2}$|^\d{1,3}( \d{3})+(\.\d{1,2})?$/.test(number)
  const isLong = /^\d{1,3}(,\d{3}){2,}$/.test(number)
  if (!isPlain && !isGrouped && !isLong) return undefined
  const digits = number.replace(/[, ]/g, "")
  return Number(digits) > 0 ? digits : undefined
}

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"))

function isOf(text: string, currency: CurrencyCode, billed: CurrencyCode): boolean {
  const codes = text.split(/[^A-Z]+/).filter((word) => CURRENCIES.has(word))
  const signed = MARKET_CURRENCIES.filter((one) => {
    const sign = signOf(one)
    return sign !== undefined && text.includes(sign)
  })
  const named = [...codes, ...signed]
  if (named.length > 0) return named.every((one) => one === currency)
  // A dollar sign alone may mean USD, or the dollar of the country.
  const isDollar = signOf(currency)?.endsWith("$") ?? false
  return currency === billed && (!isDollar || !text.includes("$"))
}

function only(values: readonly string[]): string | undefined {
  const [first, ...others] = values
  return others.every((other) => Number(other) === Number(first)) ? first : undefined
}
