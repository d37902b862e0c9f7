/**
 * Each country in which the gateway reaches wallets, as its client knows it: money, phone numbers,
 * operators. Beside it stands how people write a number, which server and admin read alike.
 */
export * from "merchant-payments-gateway/terms/markets"

/** Behind a number of a switchboard; the number is called without it. */
const EXTENSION = /[\s,;(]*(?:extension|extn?|x)[\s.:=]*\p{Nd}{1,7}\)?$/iu
/** As in "call 077 012 3456", "tel:+231…" or "077 012 3456 (Ada)". */
const WORDS_BEFORE = /^[^\p{Nd}+＋]*\p{L}[^\p{Nd}+＋(]*/u
const WORDS_BEHIND = /\P{Nd}*\p{L}\P{Nd}*$/u

/**
 * The number without the words around it and without an extension: the library reads letters as the
 * digits of their keys.
 *
 * @returns undefined where a letter stands between digits: a mistake of typing
 */
export function phoneText(typed: string): string | undefined {
  const text = typed
    .trim()
    .replace(EXTENSION, "")
    .replace(WORDS_BEFORE, "")
    .replace(WORDS_BEHIND, "")
    .replace(/^00[\s-]*(?=[1-9])/, "+")
  return /\p{L}/u.test(text) ? undefined : text
}
