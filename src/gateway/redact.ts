/**
 * Makes texts of the gateway safe. They may hold line breaks that forge log lines, terminal
 * sequences, a megabyte of HTML, or an echo of a phone number or a token. Everything that repeats a
 * gateway text passes it through {@link redact} first.
 *
 * Not guaranteed: a secret that looks like ordinary words is not recognised. For that reason no
 * text of a token answer is taken at all.
 */
import { LIMITS } from "../core/limits"
import { isWalletNumber, maskNumbers } from "../core/said/masked-numbers"
import type { CleanText, ExactText, StateWord } from "../core/said/texts"

const JWT = /eyJ[\w-]{4,}\.[\w-]+(?:\.[\w-]*)?/g
const BEARER = /\b(bearer|basic)\s+[\w~+/.=-]{6,}/gi
/** Also of direction, as U+200F and U+061C: they turn a line of a log or a screen around. */
const CONTROL = /[\p{Cc}\p{Cf}\u2028\u2029]/gu
const UNFINISHED_NUMBER = /[+(]*\p{Nd}[\p{Nd}\s\p{Z}\p{P}\p{Cf}]*$/u
/** What colours a terminal, with the letters that would be left of it. */
const SEQUENCE = /\u001b\[[0-?]*[ -/]*[@-~]/g
/** Controls that part words. */
const BLANKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/gu

/**
 * Makes a foreign text safe to log, store and display: secrets, phone and card numbers are masked
 * (a number keeps its last three digits), control characters encoded, the length cut to
 * `LIMITS.messageLengthMax`.
 */
export function redact(text: string): CleanText {
  return cut(masked(text).replace(CONTROL, encodeControl)) as CleanText
}

/** As {@link redact}, for a text that is only shown: control characters are taken out of it. */
export function cleaned(text: string): CleanText {
  const plain = text
    .slice(0, LIMITS.messageLengthMax * 4)
    .replace(SEQUENCE, "")
    .replace(BLANKS, " ")
    .replace(CONTROL, "")
  return (cut(masked(plain).trim()) || NOTHING) as CleanText
}

/** Stands for a text of which nothing is left. */
const NOTHING = "?"

/** Neither control, format and unassigned characters nor half a pair; `.` changes a path. */
const EXACT = /^(?!\.{1,2}$)[^\p{C}\p{Zl}\p{Zp}]+$/u

/**
 * An id as it came. One that could do harm, or that repeats a token or the number of a wallet, is
 * cleaned: asking the gateway for it finds nothing then, and the answer that has it is still read.
 */
export function exact(text: string): ExactText {
  const isSafe = text.length <= LIMITS.exactTextMax && EXACT.test(text)
  const hasSecret = text.search(JWT) >= 0 || text.search(BEARER) >= 0 || isWalletNumber(text)
  return (isSafe && !hasSecret ? text : cleaned(text).slice(0, LIMITS.exactTextMax)) as ExactText
}

/** A word stands in sentences and columns, so any other text is masked and cut. */
export function stateWord(word: string): StateWord {
  return (/^[A-Za-z_]{1,40}$/.test(word) ? word : cleaned(word).slice(0, 40)) as StateWord
}

/**
 * The cut comes before the expressions, so that a megabyte costs nothing; it leaves room for what
 * masking takes away. Half a token or number where it was cut would be recognised by none of them.
 */
function masked(text: string): string {
  const mostRead = LIMITS.messageLengthMax * 2
  const read = text.slice(0, mostRead).replace(JWT, "[token]").replace(BEARER, "$1 [token]")
  const numbers = maskNumbers(read)
  return text.length > mostRead
    ? numbers.replace(/eyJ[\w.-]*$/, "[token]").replace(UNFINISHED_NUMBER, "")
    : numbers
}

function cut(masked: string): string {
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

function encodeControl(character: string): string {
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`
}
