/**
 * How people write and paste a phone number, which server and admin read alike. What is no digit is
 * dropped by its Unicode category, because no list of dashes, spaces and marks is ever complete.
 */

/** What a request may carry: a number pasted from a document brings marks that nobody sees. */
export const PHONE_TEXT_MAX = 200

const DIGIT = /\p{Nd}/u
/** Without modifier letters: one of them is a dash in Japanese. */
const LETTER = /[\p{Lu}\p{Ll}\p{Lt}\p{Lo}]/u
/** Behind a number of a switchboard; the number is called without it. */
const EXTENSION = /[\s,;(]*(?:extension|extn?|x)[\s.:=]*\p{Nd}{1,7}\)?$/iu
/** As in "call 077 012 3456", "tel:+231…" or "077 012 3456 (Ada)". */
const WORDS_BEFORE = /^[^\p{Nd}+＋]*\p{L}[^\p{Nd}+＋(]*/u
const WORDS_BEHIND = /\P{Nd}*\p{L}\P{Nd}*$/u

/**
 * The number's ASCII digits, behind a plus where it is international, without the words around it
 * and without an extension.
 *
 * @returns undefined where a letter stands between digits: a mistake of typing
 */
export function phoneText(typed: string): string | undefined {
  const text = typed
    .trim()
    .replace(EXTENSION, "")
    .replace(WORDS_BEFORE, "")
    .replace(WORDS_BEHIND, "")
  if (LETTER.test(text)) return undefined
  const [before = ""] = text.split(DIGIT, 1)
  // Plus signs have compatibility forms, such as the full-width one.
  const plus = before.normalize("NFKC").includes("+") ? "+" : ""
  return (plus + digitsOf(text)).replace(/^\+?00(?=[1-9])/, "+")
}

/** In whatever script they are written. */
function digitsOf(text: string): string {
  const digits = Array.from(text).filter((character) => DIGIT.test(character))
  return digits.map((digit) => valueOf(digit.codePointAt(0) ?? 0)).join("")
}

/** Unicode encodes the digits of a script in a row from 0 to 9, and keeps to it. */
function valueOf(codePoint: number): number {
  let first = codePoint
  while (DIGIT.test(String.fromCodePoint(first - 1))) first -= 1
  return (codePoint - first) % 10
}
