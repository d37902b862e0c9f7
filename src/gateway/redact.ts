/**
 * Makes texts of the gateway safe. They may hold line breaks that forge log lines, terminal
 * sequences, a megabyte of HTML, or an echo of a phone number or a token. Everything that repeats a
 * gateway text passes it through {@link redact} first.
 *
 * Not guaranteed: a secret that looks like ordinary words is not recognised. For that reason no
 * text of a token answer is taken at all.
 */
import { LIMITS } from "../core/limits"

/** A UUID is kept as it is: its digits are no phone number. */
const UUID_OR_PHONE =
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\+?\d{8,15}(?!\d)/gi
const JWT = /eyJ[\w-]{4,}\.[\w-]+(?:\.[\w-]*)?/g
const BEARER = /\b(bearer|basic)\s+[\w~+/.=-]{6,}/gi
/** Also of direction, as U+200F and U+061C: they turn a line of a log or a screen around. */
const CONTROL = /[\p{Cc}\p{Cf}\u2028\u2029]/gu

/**
 * Makes a foreign text safe to log, store and display: secrets and phone numbers are masked (a
 * phone keeps its last three digits), control characters encoded, the length cut to
 * `LIMITS.messageLengthMax`.
 */
export function redact(text: string): string {
  // The cut comes before the expressions, so that a megabyte costs nothing; it leaves room for what
  // masking takes away.
  const masked = text
    .slice(0, LIMITS.messageLengthMax * 2)
    .replace(JWT, "[token]")
    .replace(BEARER, "$1 [token]")
    .replace(UUID_OR_PHONE, maskPhone)
    .replace(CONTROL, encodeControl)
  return masked.length <= LIMITS.messageLengthMax
    ? masked
    : `${masked.slice(0, LIMITS.messageLengthMax - 1)}…`
}

/**
 * Masks known secrets word for word, also in their URL-encoded form. Call it before {@link redact},
 * which may cut a text in the middle of a secret.
 *
 * @param secrets well-formed and not empty
 */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const forms = new Set(secrets.flatMap((secret) => [secret, encodeURIComponent(secret)]))
  return [...forms].reduce((rest, form) => rest.replaceAll(form, "•••"), text)
}

function maskPhone(found: string): string {
  if (found.includes("-")) return found
  return `${"•".repeat(3)}${found.slice(-LIMITS.phoneDigitsShown)}`
}

function encodeControl(character: string): string {
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`
}
