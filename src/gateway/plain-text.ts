/**
 * Texts that only describe: names, notes, reasons, e-mails. No payment may fail for one of them, so
 * no character is sent that gateways are known to refuse or that reorders a line on a screen; and
 * where the gateway refuses a text all the same, the request goes out once more in its plain form.
 */
import type { GatewayError } from "./errors"
import { Invalid } from "./errors"

/** Control characters between words are blanks; marks of direction and joiners are nothing. */
const CONTROL = /[\p{Cc}\u2028\u2029]+/gu
const FORMAT = /\p{Cf}/gu

/** Without control and direction characters, and without half a character of UTF-16. */
export function sendable(text: string): string {
  return text
    .replace(FORMAT, "")
    .replace(CONTROL, " ")
    .replace(/\p{Cs}/gu, "")
}

/** As {@link sendable}, for `JSON.stringify`. */
export function sendableValue(_name: string, value: unknown): unknown {
  return typeof value === "string" ? sendable(value) : value
}

/** No gateway is known that refuses so short a text of letters, digits, dots and blanks. */
const PLAIN_LENGTH_MAX = 40

/**
 * ASCII letters, digits, dots, hyphens and single blanks, at most 40 of them.
 *
 * @param otherwise where nothing is left of the text, as of one in another script
 */
export function plainText(text: string, otherwise: string): string {
  const letters = text.normalize("NFKD").replace(/\p{M}/gu, "")
  const plain = letters.replace(/[^A-Za-z0-9.-]+/g, " ").trim()
  const short = plain.slice(0, PLAIN_LENGTH_MAX).trim()
  return /[A-Za-z0-9]/.test(short) ? short : otherwise
}

/** Fields that describe, by the wire's last name of them; `items` is the number of lines. */
const DESCRIBES = new Set(
  ["note", "reason", "name", "fullname", "email", "description", "items", "title", "label"].concat([
    "party_name",
    "party_email",
    "account_name",
  ]),
)

/** Also as a part of a field's name in a sentence: `party_name: not allowed`. */
const WORDS =
  /(?<![a-z])(notes?|reasons?|names?|fullname|e-?mails?|descriptions?|characters?|text|long|length|lines?|items|ascii|unicode|encoding)(?![a-z])/i

/**
 * Whether a refusal may be one of a text. A field decides where one is named, else the words; a
 * refusal that says nothing may be of anything.
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

/** What the client is told of refused texts, and tells. Neither may throw. */
export type PlainTexts = {
  /** Whether it has refused a text lately. */
  isWanted(): Promise<boolean>
  /** It took the plain form of what it had refused. */
  want(refused: GatewayError): void
}
