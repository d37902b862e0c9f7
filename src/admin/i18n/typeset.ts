/**
 * French typography, by rule, so that the dictionaries are typed with plain spaces: a narrow
 * no-break space before `;`, `!`, `?` and inside « », a no-break one before `:` and after `n°`.
 */
const NARROW = "\u202F"
const NO_BREAK = "\u00A0"

type Texts = { readonly [key: string]: string | Texts }

/** Typesets all texts, and keeps their keys. */
export function typeset<T extends Texts>(texts: T): T {
  const entries = Object.entries(texts).map(([key, text]) => [
    key,
    typeof text === "string" ? setText(text) : typeset(text),
  ])
  return Object.fromEntries(entries) as T
}

const setText = (text: string): string =>
  text
    .replaceAll(/ ([;!?»])/g, `${NARROW}$1`)
    .replaceAll("« ", `«${NARROW}`)
    .replaceAll(" :", `${NO_BREAK}:`)
    .replaceAll("n° ", `n°${NO_BREAK}`)
