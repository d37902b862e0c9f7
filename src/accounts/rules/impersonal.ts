/**
 * What may leave the shop in a support bundle: moments, short numbers, and words that the plugin
 * itself uses. Any other word is left out, so that no name has to be recognised as one. An id can
 * open a payment, a cart or an order, so a keyed digest stands in its place: equal ids stay equal.
 *
 * Not guaranteed: a name that is also a word of the plugin's messages, such as "Bill", stays.
 */
import { MARKETS } from "../../core/markets"
import { MESSAGES } from "../../core/messages"
import { TRANSITIONS } from "../../core/operation"
import { PROVIDER_IDS } from "../../core/flows"
import { STATUS_OF } from "../../core/refusal"
import { maskNumbers } from "../../core/said/masked-numbers"

const LEFT_OUT = "…"
/** A number with more digits may be a phone's, also without its country. */
const DIGITS_MAX = 6
const NUMBER_MAX = 10 ** DIGITS_MAX
const LINE_MAX = 2_000

/** Kinds of ids whose kind is named beside the digest. What looks like another is left out: a key. */
const KINDS_OF_IDS =
  `mpop mpacc mpcred mprec mpappr payses pay pay_col paycol order cart cus reg ref
  capt ordli cali prod variant user sloc ful return claim exch ordch sc`.split(/\s+/)
const ID = String.raw`(?<![\w@.+-])(?:${KINDS_OF_IDS.join("|")})_(?:[0-9A-HJKMNP-TV-Z]{26}|[0-9a-f]{32})(?![\w@])`
const UUID = String.raw`(?<![\w@.+-])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\w@])`
/** Four numbers with points, and what has colons as no time has. */
const NETWORK = String.raw`\p{Nd}{1,3}(?:\.\p{Nd}{1,3}){3,}|[\p{Nd}a-fA-F]*:(?:[\p{Nd}a-fA-F]*:){3,}[\p{Nd}a-fA-F.]*|[\p{Nd}a-fA-F:]*::[\p{Nd}a-fA-F:.]*`
const MOMENT = String.raw`(?<!\w)20\d\d-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?Z?)?(?!\w)`
const RUN = String.raw`\p{Nd}(?:[\s\p{P}\p{Cf}]{0,3}\p{Nd})*`
const WORD = String.raw`[\p{L}\p{M}_][\p{L}\p{M}\p{Nd}_]*`
/** Letters and digits in one go, with the digits that follow: half a number may stand in it. */
const MIXED = String.raw`[\p{L}\p{M}_]+\p{Nd}[\p{L}\p{M}\p{Nd}_]*(?:[\s\p{P}\p{Cf}]{0,3}\p{Nd}+)*`
const TOKEN = new RegExp(
  `(?<moment>${MOMENT})|(?<id>${ID}|${UUID})|(?<network>${NETWORK})|(?<word>${MIXED}|${WORD})|(?<run>${RUN})|[^\\p{P}\\p{S}\\s]`,
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

const WHOLE_WORD = new RegExp(`^${WORD}$`, "u")

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
    ...PROVIDER_IDS,
    ...Object.keys(STATUS_OF),
    OTHER_WORDS,
  ].flatMap((text) => text.toLowerCase().match(new RegExp(WORD, "gu")) ?? []),
)

/** As `FlowDeps.digest`. */
type Digest = (text: string) => string

const DIGEST_LENGTH = 10

const digestOf = (id: string, digest: Digest): string => {
  const kind = KINDS_OF_IDS.find((one) => id.startsWith(`${one}_`)) ?? "id"
  const hex = Buffer.from(digest(`id in a support bundle: ${id}`), "base64url").toString("hex")
  return `${kind}#${hex.slice(0, DIGEST_LENGTH)}`
}

/** A text without the words that the plugin does not use itself, ids, and long numbers. */
export function impersonalText(text: string, digest: Digest): string {
  const known = maskNumbers(
    text.slice(0, LINE_MAX).replace(SECRET, `$1 ${LEFT_OUT}`).replace(ADDRESS, LEFT_OUT),
  )
  const kept = known.replace(TOKEN, (found: string, ...rest) => {
    const { moment, id, word, run } = rest.at(-1) as Readonly<Record<string, string | undefined>>
    if (moment !== undefined) return found
    if (id !== undefined) return digestOf(id, digest)
    if (word !== undefined) return VOCABULARY.has(word.toLowerCase()) ? found : LEFT_OUT
    const digits = run?.match(/\p{Nd}/gu)?.length ?? Infinity
    return digits <= DIGITS_MAX ? found : LEFT_OUT
  })
  return kept.replace(/…(?:[\s\p{P}\p{S}]{0,3}…)+/gu, LEFT_OUT)
}

/** A JSON value in the same way, with its keys. Dates are written as ISO 8601. */
export function impersonal(value: unknown, digest: Digest): unknown {
  if (value === null || value === undefined || typeof value === "boolean") return value ?? null
  if (value instanceof Date) return value.toISOString()
  if (typeof value === "number") return Math.abs(value) < NUMBER_MAX ? value : LEFT_OUT
  if (typeof value === "string") return impersonalText(value, digest)
  if (Array.isArray(value)) return value.map((one) => impersonal(one, digest))
  if (typeof value !== "object") return LEFT_OUT
  return Object.fromEntries(
    Object.entries(value).map(([key, one], at) => {
      const kept = impersonalText(key, digest)
      return [kept === key ? key : `${LEFT_OUT}${at}`, of(key, one, digest)]
    }),
  )
}

/** The same of an object whose keys the plugin wrote: they stay. */
export function impersonalFacts(
  facts: Readonly<Record<string, unknown>>,
  digest: Digest,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(facts).map(([key, one], at) => [
      WRITTEN_KEY.test(key) ? key : `${LEFT_OUT}${at}`,
      of(key, one, digest),
    ]),
  )
}

const WRITTEN_KEY = /^[a-z_]{1,40}\d{0,2}[a-z_]{0,40}$/
const IS_ID = /(?:^|_)(?:ids?|references?|retry_of)$/

/** What its name calls an id, or ids, is one, whatever it looks like. */
function of(key: string, value: unknown, digest: Digest): unknown {
  if (Array.isArray(value)) return value.map((one) => of(key, one, digest))
  if (!IS_ID.test(key) || (typeof value !== "string" && typeof value !== "number")) {
    return impersonal(value, digest)
  }
  const text = String(value)
  const isWord = WHOLE_WORD.test(text) && VOCABULARY.has(text.toLowerCase())
  return isWord || PROVIDER_IDS.includes(text) ? text : digestOf(text, digest)
}
