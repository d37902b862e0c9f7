/**
 * What may leave the shop in a support bundle: ids, moments, short numbers, and words that the
 * plugin itself uses. Any other word is left out, so that no name has to be recognised as one.
 *
 * Not guaranteed: a name that is also a word of the plugin's messages, such as "Bill", stays.
 */
import { MARKETS } from "../../core/markets"
import { MESSAGES } from "../../core/messages"
import { TRANSITIONS } from "../../core/operation"
import { PROVIDERS } from "../../core/providers"
import { STATUS_OF } from "../../core/refusal"
import { maskNumbers } from "../../core/said/masked-numbers"

const LEFT_OUT = "…"
/** A number with more digits may be a phone's, also without its country. */
const DIGITS_MAX = 6
const NUMBER_MAX = 10 ** DIGITS_MAX
const LINE_MAX = 2_000

const ID = String.raw`(?<![\w@.+-])[a-z]{2,12}(?:_[a-z]{2,6})?_(?:[0-9A-HJKMNP-TV-Z]{26}|[0-9a-f]{32})(?![\w@])`
const UUID = String.raw`(?<![\w@.+-])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\w@])`
const MOMENT = String.raw`(?<!\w)20\d\d-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?Z?)?(?!\w)`
const RUN = String.raw`\p{Nd}(?:[\s\p{P}\p{Cf}]{0,3}\p{Nd})*`
const WORD = String.raw`[\p{L}\p{M}_][\p{L}\p{M}\p{Nd}_]*`
/** Letters and digits in one go, with the digits that follow: half a number may stand in it. */
const MIXED = String.raw`[\p{L}\p{M}_]+\p{Nd}[\p{L}\p{M}\p{Nd}_]*(?:[\s\p{P}\p{Cf}]{0,3}\p{Nd}+)*`
const TOKEN = new RegExp(
  `(?<id>${ID}|${UUID}|${MOMENT})|(?<word>${MIXED}|${WORD})|(?<run>${RUN})|[^\\p{P}\\p{S}\\s]`,
  "gu",
)

/** With the digits that follow one at its end. */
const ADDRESS = /[^\s<>"'()]+@[^\s<>"'()]+(?:(?<=\p{Nd})(?:[\s\p{P}\p{Cf}]{0,3}\p{Nd}+)+)?/gu
/** What follows such a word is left out, however short it is. */
const SECRET =
  /((?:pass(?:code|word)|secret|token|pin|otp|cvv)s?)(?:["']?\s*[:=]\s*["']?[^\s"',]+|\s+[^\s\d]*\d[^\s"',]*)/giu

/** The words of logs, rows and settings that no message names. */
const OTHER_WORDS = `
  collection refund payout transfer push hosted card link order invoice payer payee true false null
  PENDING PROCESSING COMPLETED FAILED REVERSED IDLE ACTIVE PAID CANCELED
  info warn warning error debug merchant payments mpacc_env pass degraded down ok failed version
  source_kind fee_bearer order_placement currencies policies environment admin state status default
  checks_per_second_max realtime_url portal_url phone_country wire_names pay_window_minutes
  ECONNREFUSED ECONNRESET ETIMEDOUT ENOTFOUND EAI_AGAIN EPIPE UND_ERR_CONNECT_TIMEOUT
  development production test demo plugin medusa node postgres
  submit see complete fail expire doubt strand accept give_back dismiss ask record cancel retry`

const codesOf = (texts: object) => Object.entries(texts).flat().map(String)

const VOCABULARY: ReadonlySet<string> = new Set(
  [
    ...Object.values(MESSAGES).flatMap(codesOf),
    ...Object.entries(TRANSITIONS).flatMap(([state, events]) => [
      state,
      ...Object.entries<string>(events).flat(),
    ]),
    ...Object.values(MARKETS).flatMap(({ currencies, operators }) => [
      ...Object.keys(currencies),
      ...Object.keys(operators),
    ]),
    ...Object.values(PROVIDERS).map(({ providerId }) => providerId),
    ...Object.keys(STATUS_OF),
    OTHER_WORDS,
  ].flatMap((text) => text.toLowerCase().match(new RegExp(WORD, "gu")) ?? []),
)

/** A text without the words that the plugin does not use itself, and without long numbers. */
export function impersonalText(text: string): string {
  const known = maskNumbers(
    text.slice(0, LINE_MAX).replace(SECRET, `$1 ${LEFT_OUT}`).replace(ADDRESS, LEFT_OUT),
  )
  const kept = known.replace(TOKEN, (found: string, ...rest) => {
    const { id, word, run } = rest.at(-1) as { id?: string; word?: string; run?: string }
    if (id !== undefined) return found
    if (word !== undefined) return VOCABULARY.has(word.toLowerCase()) ? found : LEFT_OUT
    const digits = run?.match(/\p{Nd}/gu)?.length ?? Infinity
    return digits <= DIGITS_MAX ? found : LEFT_OUT
  })
  return kept.replace(/…(?:[\s\p{P}\p{S}]{0,3}…)+/gu, LEFT_OUT)
}

/** A JSON value in the same way, with its keys. Dates are written as ISO 8601. */
export function impersonal(value: unknown): unknown {
  if (value === null || value === undefined || typeof value === "boolean") return value ?? null
  if (value instanceof Date) return value.toISOString()
  if (typeof value === "number") return Math.abs(value) < NUMBER_MAX ? value : LEFT_OUT
  if (typeof value === "string") return impersonalText(value)
  if (Array.isArray(value)) return value.map(impersonal)
  if (typeof value !== "object") return LEFT_OUT
  return Object.fromEntries(
    Object.entries(value).map(([key, one], at) => {
      const kept = impersonalText(key)
      return [kept === key ? key : `${LEFT_OUT}${at}`, impersonal(one)]
    }),
  )
}

/** The same of an object whose own keys the plugin wrote: they stay. */
export function impersonalFacts(facts: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(facts).map(([key, one]) => [key, impersonal(one)]))
}
