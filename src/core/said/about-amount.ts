/** Whether a refusal's words are about the amount: another phone number would be refused as well. */
import { asWords, saidIn, type Said } from "./refused-words"

/** The words of a smallest or a largest amount, with a number. */
const LIMITS = [
  /\bmin(?:imum|imal)?\b|\bat least\b|\b(?:not|be) (?:less|lower) than\b/,
  /\bmax(?:imum|imal)?\b|\bat most\b|\bnot (?:be )?(?:more|greater|higher) than\b/,
  /\b(?:less|greater) than or equal to\b|\bbetween\b|\bentre\b/,
  /\bau (?:moins|plus)\b|\bm(?:in|ax)imale\b/,
].map((words) => new RegExp(`(?:${words.source})[^\\d]{0,40}\\d`))
/** What a wallet holds, and what may go out of it in a time, limits one payment only by chance. */
const OF_WALLET =
  /\bbalance\b|\bsolde\b|\bfunds\b|\b(daily|weekly|monthly|day|week|month|jour|mois)\b/
const OF_AMOUNT =
  /\bamount\b.{0,40}\b(small|low|large|high|big|less|greater|least|most|below|above|exceed\w*|limit|range|minimum|maximum)\b|\b(minimum|maximum|min|max)\b.{0,20}\bamount\b|\bmontant\b.{0,40}\b(minim\w+|maxim\w+|faible|eleve|inferieur|superieur)/

/** Counts of other things are no amounts: `at least 8 characters` is about a number or a name. */
const OF_OTHER =
  /\d[\d., ]*(?:characters?|chars?|digits?|letters?|items?|elements?|entries|decimals?|times|attempts?|tries|seconds?|minutes?|hours?|caracteres?|chiffres?|lettres?|fois|essais|tentatives?|secondes?|heures?)\b/

const AMOUNT_FIELD = /(^|\.)(\w+_)?amount$/

export function isAboutAmount(said: Said): boolean {
  if (said.fields?.some(({ path }) => AMOUNT_FIELD.test(path))) return true
  return saidIn(said).map(asWords).some(namesAmount)
}

function namesAmount(text: string): boolean {
  if (OF_WALLET.test(text)) return false
  return OF_AMOUNT.test(text) || (!OF_OTHER.test(text) && LIMITS.some((one) => one.test(text)))
}
