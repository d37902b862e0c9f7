/**
 * A refusal is an expected answer: it has a stable code that a shop's code may rely on, the facts
 * of the case, and a sentence that says what to do. Codes, sentences and HTTP status are in
 * `messages/refusal.en.ts`.
 */
import { majorText, type Money } from "./money"
import { fillHoles } from "./messages/fill-holes"
import { END } from "./messages/reason.en"
import { REFUSALS } from "./messages/refusal.en"

const SENTENCES = {
  ...REFUSALS[400],
  ...REFUSALS[404],
  ...REFUSALS[409],
  ...REFUSALS[415],
  ...REFUSALS[422],
  ...REFUSALS[429],
  ...REFUSALS[503],
} as const

/** A code, or `code.situation`. Every code is a key, too. */
export type RefusalKey = keyof typeof SENTENCES
export type RefusalCode = Exclude<RefusalKey, `${string}.${string}`>
export type InvalidSituation = RefusalKey extends infer Key
  ? Key extends `invalid_request.${infer Situation}`
    ? Situation
    : never
  : never

const KEYS = Object.keys(SENTENCES) as RefusalKey[]

/** The HTTP status of each code. */
export const STATUS_OF = Object.fromEntries(
  Object.entries(REFUSALS).flatMap(([status, sentences]) =>
    Object.keys(sentences)
      .filter((key) => !key.includes("."))
      .map((code) => [code, Number(status)]),
  ),
) as Readonly<Record<RefusalCode, number>>

/** `19.99` and `USD`: how the routes write money in a refusal. */
export type Amount = { readonly amount: string; readonly currency: string }
type Fact = string | number | null | readonly (string | number)[] | Amount
/** Ids, amounts, states and counts, never prose; only the gateway's own words are passed on. */
export type Facts = Readonly<Record<string, Fact>>
/** Fields beside a refusal's facts: `currencies`, `missing`, `payment`, `retry_after_seconds`. */
export type Details = Readonly<Record<string, unknown>>

/** The names of the facts in a sentence. */
type Holes<Text> = Text extends `${string}{{${infer Name}}}${infer Rest}`
  ? Name | Holes<Rest>
  : never
type FactsOf<Key extends RefusalKey> = Facts & Record<Holes<(typeof SENTENCES)[Key]>, Fact>

export class Refusal extends Error {
  override readonly name = "Refusal"
  readonly code: RefusalCode

  constructor(
    readonly key: RefusalKey,
    readonly facts: Facts = {},
    readonly details: Details = {},
    message: string = sentenceOf(key, facts),
  ) {
    super(message)
    this.code = codeOf(key)
  }

  get httpStatus(): number {
    return STATUS_OF[this.code]
  }

  toResponse() {
    const { code, key, message, facts } = this
    return { code, situation: key, message, facts }
  }

  with(details: Details): Refusal {
    return new Refusal(this.key, this.facts, { ...this.details, ...details }, this.message)
  }
}

/** The facts may be left out only where the sentence has none. */
export function refusal<Key extends RefusalKey>(
  key: Key,
  ...[facts, details]: [Holes<(typeof SENTENCES)[Key]>] extends [never]
    ? [facts?: Facts, details?: Details]
    : [facts: FactsOf<Key>, details?: Details]
): Refusal {
  return new Refusal(key, facts, details)
}

/** @param field as the caller named it; null: the whole body */
export function invalid(
  field: string | null,
  situation?: InvalidSituation,
  facts: Facts = {},
): Refusal {
  const key = situation ? (`invalid_request.${situation}` as const) : "invalid_request"
  const message = `${field ?? "body"}: ${sentenceOf(key, facts)}`
  return new Refusal(key, facts, { field }, message)
}

/** The situation that a schema's failure is refused with, given in the place of a message. */
export const invalidAs = (situation: InvalidSituation): InvalidSituation => situation

export function isInvalidSituation(text: string): text is InvalidSituation {
  return Object.hasOwn(SENTENCES, `invalid_request.${text}`)
}

/** The seconds are in the body as well: a page of another origin can't read `Retry-After`. */
export function tooMany(waitMs: number): Refusal {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000))
  return refusal("too_many_requests", { seconds }, { retry_after_seconds: seconds })
}

/** The start waits in a queue, and the shopper's place in it is kept. */
export function queued(waitMs: number): Refusal {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000))
  const details = { queued: true, retry_after_seconds: seconds }
  return refusal("too_many_requests.queue", { seconds }, details)
}

/** The store's database is away, or gives no connection; whether anything was done is not known. */
export function storeUnavailable(waitMs: number): Refusal {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000))
  return refusal("store_unavailable", { seconds }, { retry_after_seconds: seconds })
}

/** A number that has never paid was asked too often within a day. */
export function unpaidNumber(waitMs: number): Refusal {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000))
  return refusal("too_many_requests.unpaid_number", { seconds }, { retry_after_seconds: seconds })
}

/** @param captcha whether a captcha lets the shopper go on at once */
export function cardPaused(waitMs: number, captcha: boolean): Refusal {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000))
  const details = { captcha, retry_after_seconds: seconds }
  return captcha
    ? refusal("card_paused.captcha", {}, details)
    : refusal("card_paused", { seconds }, details)
}

/** @param said the gateway's own words; empty: it gave none */
export function refusedByGateway(said: string, details?: Details): Refusal {
  return said === ""
    ? refusal("gateway_refused", {}, details)
    : refusal("gateway_refused.because", { said }, details)
}

/**
 * A refusal of our provider that came back through Medusa, which keeps only its text: code, colon,
 * sentence. A sentence without facts is in the catalogue and names its situation; of any other
 * sentence the situation is lost, and answered as null.
 *
 * @returns undefined for any other error
 */
export function refusalThroughMedusa(error: unknown): Refusal | undefined {
  const text = error instanceof Error ? error.message : ""
  const [, code = "", sentence = ""] = /^([a-z_]+): (.+)$/s.exec(text) ?? []
  if (!isCode(code)) return undefined
  const key = KEYS.find((one) => codeOf(one) === code && SENTENCES[one] === sentence)
  return key ? new Refusal(key) : new Refusal(code, {}, { situation: null }, sentence)
}

export function amountFact(money: Money): Amount {
  return { amount: majorText(money), currency: money.currency }
}

const isEndReason = (fact: Fact | undefined): fact is keyof typeof END =>
  typeof fact === "string" && Object.hasOwn(END, fact)

function isCode(text: string): text is RefusalCode {
  return Object.hasOwn(STATUS_OF, text)
}

function codeOf(key: RefusalKey): RefusalCode {
  const [code = ""] = key.split(".")
  if (!isCode(code)) throw new Error(`${key} has no code.`)
  return code
}

function sentenceOf(key: RefusalKey, facts: Facts): string {
  // Why money did not move is a sentence of its own.
  return fillHoles(SENTENCES[key], facts, (fact, name) =>
    name === "reason" && isEndReason(fact) ? END[fact] : textOf(fact),
  )
}

function textOf(fact: Fact | undefined): string {
  if (fact === undefined || fact === null) return "–"
  if (typeof fact !== "object") return String(fact)
  if ("amount" in fact) return `${fact.amount} ${fact.currency}`
  return fact.length === 0 ? "–" : fact.join(", ")
}
