/**
 * What one answer teaches about a question that the contract leaves open (contract, 17). A lesson
 * holds our own names, kinds, and words of the gateway that are plain words: never its free text,
 * so it can be shown, stored and sent to others.
 */
import type { CallOptions } from "./call"
import type { Gateway } from "./create-gateway"
import type { OperationName } from "./operations"
import type { Outcome } from "./outcome"
import type { AmountAndFeesRequest } from "./wire/predictions"
import { PAYMENT_INTENT_FIELDS } from "./wire/payment-intent"
import { isWire, type Wire } from "./wire/reading"

export type Lesson = {
  readonly question: string
  readonly call: OperationName
  /** The field that answers the question; null if the whole answer does. */
  readonly field: string | null
  /** What was learned; null if the question is not answered. */
  readonly learned: string | null
  /** Why the question is not answered; null if it is. */
  readonly why: string | null
}

/** How a number is written: `text, 2 decimals`, `number, 0 decimals`, or the kind of its value. */
export function numberForm(value: unknown): string {
  if (typeof value !== "number" && typeof value !== "string") {
    return value === undefined ? "absent" : value === null ? "null" : "another kind"
  }
  const kind = typeof value === "number" ? "number" : "text"
  const plain = /^-?\d+(?:\.(\d+))?$/.exec(String(value))
  return plain ? `${kind}, ${(plain[1] ?? "").length} decimals` : `${kind}, in another form`
}

/** A word of the gateway, unless it may be something else than a word. */
export function wordSaid(value: unknown): string {
  if (typeof value !== "string") return numberForm(value)
  return /^[A-Za-z_]{1,24} *$/.test(value) ? value.trim() : "no plain word"
}

/** The path of the payment intent's id in an answer; null if it has none under a known name. */
export function intentField(wire: Wire): string | null {
  const named = (one: Wire) => PAYMENT_INTENT_FIELDS.find((name) => (one[name] ?? null) !== null)
  const own = named(wire)
  if (own !== undefined) return own
  for (const [name, value] of Object.entries(wire)) {
    const inner = isWire(value) ? named(value) : undefined
    if (inner !== undefined) return `${wordSaid(name)}.${inner}`
  }
  return null
}

/** How a call ended, in the client's own codes: `done`, or a kind with its HTTP status. */
export function endingOf(outcome: Outcome<unknown>): string {
  if (outcome.kind === "done") return "done"
  const { status, code, retryAfterMs } = outcome.error
  const wait = retryAfterMs === undefined ? "" : `, asked to wait ${retryAfterMs} ms`
  return `${outcome.kind}, ${status ?? code}${wait}`
}

/** What the harmless questions are asked with. */
export type HarmlessAbout = {
  readonly prediction: AmountAndFeesRequest
  /** A UUID v4 under which nothing was ever executed. */
  readonly unusedReference: string
}

type Ask = (gateway: Gateway, about: HarmlessAbout, options: CallOptions) => Promise<Lesson>

const lesson = (
  question: string,
  call: OperationName,
  field: string | null,
  outcome: Outcome<unknown>,
  learned: string | null,
): Lesson => ({
  ...{ question, call, field, learned },
  why: learned === null ? (outcome.kind === "done" ? "none seen" : endingOf(outcome)) : null,
})

/** Questions that only read. A suite and a connection test ask the same ones. */
export const HARMLESS_QUESTIONS = {
  amount_form: async (gateway, { prediction }, options) => {
    const outcome = await gateway.predictions.amountAndFees(prediction, options)
    const form = outcome.kind === "done" ? numberForm(outcome.value.wire["payer_amount"]) : null
    return lesson("amount_form", "predictions.amountAndFees", "payer_amount", outcome, form)
  },
  state_words: async (gateway, { prediction }, options) => {
    const { currency } = prediction.baseAmount
    const outcome = await gateway.orders.list({ currency }, options)
    const words =
      outcome.kind === "done" ? outcome.value.map(({ wire }) => wordSaid(wire["status"])) : []
    const said = words.length > 0 ? [...new Set(words)].sort().join(", ") : null
    return lesson("state_words", "orders.list", "status", outcome, said)
  },
  unknown_reference: async (gateway, { unusedReference }, options) => {
    const outcome = await gateway.status.collection(unusedReference, options)
    const isSaid = outcome.kind === "done" || outcome.error.status !== undefined
    const said = isSaid ? endingOf(outcome) : null
    return lesson("unknown_reference", "status.collection", null, outcome, said)
  },
} as const satisfies Readonly<Record<string, Ask>>

export type HarmlessQuestion = keyof typeof HARMLESS_QUESTIONS
