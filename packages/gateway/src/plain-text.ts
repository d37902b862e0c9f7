/**
 * Texts that only describe: names, notes, reasons, e-mails. No payment may fail because of one. So
 * characters that gateways are known to refuse, or that reorder a line on a screen, are never sent.
 * If the gateway refuses a text all the same, the request goes out once more in its plain form.
 */
import type { GatewayError } from "./errors"
import { Invalid } from "./errors"

/** Control characters between words become one blank. */
const CONTROL = /[\p{Cc}\u2028\u2029]+/gu
/** Direction marks and joiners are removed. */
const FORMAT = /\p{Cf}/gu

/** Removes control and direction characters, and lone surrogates of UTF-16. */
export function sendable(text: string): string {
  return text
    .replace(FORMAT, "")
    .replace(CONTROL, " ")
    .replace(/\p{Cs}/gu, "")
}

/** {@link sendable} as a replacer for `JSON.stringify`. */
export function sendableValue(_name: string, value: unknown): unknown {
  return typeof value === "string" ? sendable(value) : value
}

/** No known gateway refuses a text of this length made of letters, digits, dots and blanks. */
const PLAIN_LENGTH_MAX = 40

/**
 * Reduces a text to ASCII letters, digits, dots, hyphens and single blanks, at most 40 characters.
 *
 * @param otherwise used when nothing is left, as with a text in another script
 */
export function plainText(text: string, otherwise: string): string {
  const letters = text.normalize("NFKD").replace(/\p{M}/gu, "")
  const plain = letters.replace(/[^A-Za-z0-9.-]+/g, " ").trim()
  const short = plain.slice(0, PLAIN_LENGTH_MAX).trim()
  return /[A-Za-z0-9]/.test(short) ? short : otherwise
}

/**
 * Fields that only describe, by the last part of their path on the wire. `items` is here because a
 * gateway may refuse the number of lines.
 */
const DESCRIBES = new Set(
  ["note", "reason", "name", "fullname", "email", "description", "items", "title", "label"].concat([
    "party_name",
    "party_email",
    "account_name",
  ]),
)

/** Words of a refusal about a text; also a part of a field's name: `party_name: not allowed`. */
const WORDS =
  /(?<![a-z])(notes?|reasons?|names?|fullname|e-?mails?|descriptions?|characters?|text|long|length|lines?|items|ascii|unicode|encoding)(?![a-z])/i

/**
 * Whether the gateway may have refused a text. If the refusal names fields, they decide; else its
 * words do. A refusal without words may be about anything, so it counts.
 */
export function mayBeOfText(error: GatewayError): boolean {
  if (!(error instanceof Invalid) || error.status === undefined) return false
  const { fields = [], detail } = error
  if (fields.length > 0) {
    return fields.some(({ path, message }) =>
      path === "" ? WORDS.test(message) : DESCRIBES.has(path.split(".").at(-1) ?? ""),
    )
  }
  return detail === undefined || WORDS.test(detail)
}

/** Remembers that a gateway refuses texts. Neither call may throw. */
export type PlainTexts = {
  /** Whether the gateway has refused a text lately, so that plain forms are to be sent at once. */
  isWanted(): Promise<boolean>
  /** Called when the gateway accepted the plain form of a request that it had refused. */
  want(refused: GatewayError): void
}
