/**
 * What may be shown of texts that the gateway wrote. They are foreign: they may hold line breaks that
 * forge log lines, terminal sequences, a megabyte of HTML, or echo what we sent, a phone number or a
 * token. Everything of ours that repeats a gateway text passes it through {@link redact} first.
 *
 * What is not guaranteed: a secret in a form that looks like ordinary words is not recognised. That is
 * why the token call takes no text from its answers at all.
 */
import { LIMITS } from "../core/limits"

/** References are kept as they are: their digits are no phone number. */
const UUID_OR_PHONE =
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\+?\d{8,15}(?!\d)/gi
const JWT = /eyJ[\w-]{4,}\.[\w-]+(?:\.[\w-]*)?/g
const BEARER = /\b(bearer|basic)\s+[\w~+/.=-]{6,}/gi
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

/**
 * A foreign text, made safe to log, store and show: secrets and phone numbers masked (a phone keeps its
 * last three digits), control characters encoded, cut to `LIMITS.messageLengthMax`.
 */
export function redact(text: string): string {
  // Cut before the expressions run, with room for what masking takes away: a megabyte costs nothing.
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
 * The text without secrets that are known word for word, also as they look in an address. Goes before
 * {@link redact}, which may cut a text in the middle of one.
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
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
}
