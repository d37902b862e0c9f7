/**
 * Fields of an execution that the contract does not name, made safe to keep: an admin may find an
 * id there that this version does not know (contract, 3). No decision uses them.
 *
 * Names and texts may hold phone numbers, secrets, control characters or a megabyte. So the values
 * of private names are masked, texts pass {@link redact}, and number and length are limited.
 */
import { LIMITS } from "../terms/limits"
import { redact, withoutSecrets } from "../redact"
import { isWire, type Wire } from "./reading"
import { mayHoldIntent } from "./payment-intent"

export type OtherFields = Readonly<Record<string, unknown>>

const MASK = "•••"
/** The name of the entry that counts omitted fields. {@link safeName} never returns it. */
const LEFT_OUT = "…"

const STRICT_NAMES =
  /secret|token|pass(word|code|phrase)|signature|authori[sz]|credential|phone|msisdn|e_?mail/i
const STRICT_WORDS = /(^|[^a-z])(pin|otp|key|auth|cvv|cvc|pan|card|mobile|name|address)($|[^a-z])/i

/**
 * @param known names of fields that are read elsewhere, and omitted here
 * @param secrets texts that the result must not repeat
 * @returns undefined if there are no other fields
 */
export function otherFieldsIn(
  wire: Wire,
  known: ReadonlySet<string>,
  secrets: readonly string[],
): OtherFields | undefined {
  const names = Object.keys(wire).filter((name) => !known.has(name) && wire[name] !== null)
  if (names.length === 0) return undefined
  // Possible payment intents come first, so that many other fields can't push them out.
  const ordered = [
    ...names.filter((name) => mayHoldIntent(name)),
    ...names.filter((name) => !mayHoldIntent(name)),
  ]
  const kept: [string, unknown][] = []
  let length = 0
  for (const name of ordered.slice(0, LIMITS.otherFieldsMax)) {
    const entry: [string, unknown] = [safeName(name, secrets), safeValue(name, wire[name], secrets)]
    const entryLength = JSON.stringify(entry).length
    if (length + entryLength > LIMITS.otherFieldsLengthMax) continue
    length += entryLength
    kept.push(entry)
  }
  return objectOf(kept, names.length)
}

function safeValue(name: string, value: unknown, secrets: readonly string[]): unknown {
  if (isPrivate(name)) return MASK
  if (Array.isArray(value)) {
    const elements: readonly unknown[] = value
    return elements
      .slice(0, LIMITS.otherFieldsMax)
      .map((element) => safeLeaf(name, element, secrets))
  }
  if (!isWire(value)) return safeLeaf(name, value, secrets)
  const names = Object.keys(value)
  const kept = names.slice(0, LIMITS.otherFieldsMax).map((inner): [string, unknown] => {
    // The `id` within a payment intent object is kept like the intent itself.
    const meant = inner === "id" ? name : inner
    return [
      safeName(inner, secrets),
      isPrivate(inner) ? MASK : safeLeaf(meant, value[inner], secrets),
    ]
  })
  return objectOf(kept, names.length)
}

/** Makes one value safe; a number stays one. One level is enough for an id: the rest is omitted. */
function safeLeaf(name: string, value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === "boolean" || value === null) return value
  if (typeof value !== "number" && typeof value !== "string") return LEFT_OUT
  const text = String(value)
  if (mayHoldIntent(name) && /^\d{1,16}$/.test(text)) return value
  const safe = redact(withoutSecrets(text, secrets))
  if (safe === text && typeof value === "number") return value
  return safe.length <= LIMITS.otherFieldLengthMax
    ? safe
    : `${safe.slice(0, LIMITS.otherFieldLengthMax - 1)}…`
}

function objectOf(kept: readonly (readonly [string, unknown])[], count: number): OtherFields {
  const leftOut = count - kept.length
  return Object.fromEntries(leftOut === 0 ? kept : [...kept, [LEFT_OUT, leftOut]])
}

function isPrivate(name: string): boolean {
  const words = name.slice(0, LIMITS.otherFieldLengthMax).replace(/([a-z])([A-Z])/g, "$1_$2")
  return STRICT_NAMES.test(words) || STRICT_WORDS.test(words)
}

/** The name in ASCII letters, digits and `_.-`: the ledger accepts no lone surrogate. */
function safeName(name: string, secrets: readonly string[]): string {
  const plain = redact(withoutSecrets(name, secrets)).replace(/[^\w.-]/g, "?")
  return plain.slice(0, LIMITS.otherFieldLengthMax)
}
