/**
 * Makes texts of the gateway safe. They may hold line breaks that forge log lines, terminal
 * sequences, a megabyte of HTML, or an echo of a phone number or a token. All code that repeats a
 * gateway text passes it through {@link redact} first.
 *
 * Not guaranteed: a secret that looks like ordinary words is not recognised. For that reason no
 * text of a token answer is used at all.
 */
import { LIMITS } from "./terms/limits"
import { isWalletNumber, maskNumbers } from "./terms/masked-numbers"
import type { CleanText, ExactText, StateWord } from "./terms/texts"

const JWT = /eyJ[\w-]{4,}\.[\w-]+(?:\.[\w-]*)?/g
const BEARER = /\b(bearer|basic)\s+[\w~+/.=-]{6,}/gi
/** Includes direction marks such as U+200F and U+061C, which reorder a line of text. */
const CONTROL = /[\p{Cc}\p{Cf}\u2028\u2029]/gu
const UNFINISHED_NUMBER = /[+(]*\p{Nd}[\p{Nd}\s\p{Z}\p{P}\p{Cf}]*$/u
/** A terminal sequence as a whole: without its escape character its letters would stay behind. */
const SEQUENCE = /\u001b\[[0-?]*[ -/]*[@-~]/g
/** Control characters that separate words; they become one blank. */
const BLANKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/gu

/**
 * Makes a foreign text safe to log, store and display: secrets, phone and card numbers are masked
 * (a number keeps its last three digits), control characters encoded, the length cut to
 * `LIMITS.messageLengthMax`.
 */
export function redact(text: string): CleanText {
  return cut(masked(text).replace(CONTROL, encodeControl)) as CleanText
}

/** As {@link redact}, for a text that is only shown: control characters are removed. */
export function cleaned(text: string): CleanText {
  const plain = text
    .slice(0, LIMITS.messageLengthMax * 4)
    .replace(SEQUENCE, "")
    .replace(BLANKS, " ")
    .replace(CONTROL, "")
  return (cut(masked(plain).trim()) || NOTHING) as CleanText
}

/** Replaces a text of which nothing is left. */
const NOTHING = "?"

/**
 * Allows no control, format or unassigned character, no lone surrogate and no line separator. `.`
 * and `..` are refused because they change a path.
 */
const EXACT = /^(?!\.{1,2}$)[^\p{C}\p{Zl}\p{Zp}]+$/u

/**
 * An id as the gateway wrote it. An id that could do harm, or that repeats a token or a wallet's
 * number, is cleaned. The gateway then finds nothing under it, but its answer can still be read.
 */
export function exact(text: string): ExactText {
  const isSafe = text.length <= LIMITS.exactTextMax && EXACT.test(text)
  const hasSecret = text.search(JWT) >= 0 || text.search(BEARER) >= 0 || isWalletNumber(text)
  return (isSafe && !hasSecret ? text : cleaned(text).slice(0, LIMITS.exactTextMax)) as ExactText
}

/** A state is shown in sentences and table columns, so a text that is no word is masked and cut. */
export function stateWord(word: string): StateWord {
  return (/^[A-Za-z_]{1,40}$/.test(word) ? word : cleaned(word).slice(0, 40)) as StateWord
}

/**
 * Cuts the text before the expressions run, so that a megabyte costs nothing. The cut leaves room
 * for what masking removes. Half a token or number at the cut would match no expression, so it is
 * masked or dropped.
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
  if (secrets.length === 0) return text
  const forms = new Set(secrets.flatMap((secret) => [secret, encodeURIComponent(secret)]))
  return [...forms].reduce((rest, form) => rest.replaceAll(form, "•••"), text)
}

function encodeControl(character: string): string {
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`
}
