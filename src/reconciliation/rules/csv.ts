/**
 * Lines of a CSV file, RFC 4180. A spreadsheet program would run a payer's name or a message that
 * begins with `=` as a formula, and turn an operator's transaction number into an amount with its
 * last digits rounded away; an apostrophe in front marks both as a text. Which separator a program
 * cuts lines at depends on its language, so a cell starts no formula in any of them.
 */

const BYTE_ORDER_MARK = "\uFEFF"

/** What a column holds. Only a number is there to be added up, and only a time to be sorted by. */
export type ColumnKind = "text" | "number" | "time"

/** Spreadsheet programs end cells at semicolons where the comma is the decimal sign. */
export type Separator = "," | ";"

/** What begins a formula or a number, also as full-width and small signs. */
const WORD_SIGNS = String.raw`=@\uFF1D\uFF20\uFE66\uFE6B`
const SIGNS = String.raw`${WORD_SIGNS}+\-\uFF0B\uFF0D\uFE62\uFE63\u2212`
/** What may stand before it: programs drop spaces, quotes and characters that nobody sees. */
const UNSEEN = String.raw`\s"\p{C}`
const FORMULA = new RegExp(String.raw`^[${UNSEEN}]*[${SIGNS}]|^[\t\r\n]`, "u")
/**
 * Matches where a program that cuts at another separator begins a cell. Quotes don't hold there:
 * a quoted cell that is cut in two has none at the second part's beginning, or one of its text.
 * The run matches with or without a sign behind it: otherwise a text of tabs alone takes the square
 * of its length.
 */
const CELL_INSIDE = new RegExp(String.raw`([,;|\t\r\n][${UNSEEN}]*)([${SIGNS}])?`, "gu")
/** The same for a blank, at which few programs cut: a dash between blanks stays readable. */
const WORD_INSIDE = new RegExp(String.raw`([ \u00A0]["\p{C}]*)([${WORD_SIGNS}])`, "gu")
/**
 * A number that a program shows as it is written, also with a decimal comma: none with a zero in
 * front, nor of more digits than a program keeps. An amount below zero is no formula.
 */
const NUMBER = /^-?(0|[1-9]\d{0,14})([.,]\d+)?$/
/** Digits among signs and blanks, in any script, or with an exponent: a number, a date or a time. */
const NUMBER_LIKE = /^(?!')(?=\P{Nd}*\p{Nd})[\p{Nd}\p{P}\p{S}\s]+(E[+-]?\p{Nd}+)?$/iu
const NEEDS_QUOTES = /["\r\n,;\t]/

type Cells<Column extends string> = Partial<Readonly<Record<Column, string | null>>>

/**
 * Writes the lines of a file whose columns are of these kinds, from the left.
 * @param decimalSign what programs of the reader's language expect in a number
 */
export function csvTable<Column extends string>(
  kinds: Readonly<Record<Column, ColumnKind>>,
  separator: Separator = ",",
  decimalSign: "." | "," = ".",
) {
  const columns = Object.keys(kinds) as Column[]
  const textOf = (kind: ColumnKind, text: string) =>
    cellOf(kind === "number" ? text.replace(".", decimalSign) : text, kind, separator)
  const lineOf = (cells: readonly string[]) => `${cells.join(separator)}\r\n`
  return {
    /** The first line of a file; the mark tells spreadsheet programs that it is UTF-8. */
    head: (names: Cells<Column> = {}) =>
      BYTE_ORDER_MARK + lineOf(columns.map((one) => cellOf(names[one] ?? one, "text", separator))),
    line: (cells: Cells<Column>) =>
      lineOf(columns.map((one) => textOf(kinds[one], cells[one] ?? ""))),
  }
}

function cellOf(text: string, kind: ColumnKind, separator: Separator): string {
  const isNumber = kind === "number" && NUMBER.test(text)
  // A decimal comma would be quoted without need.
  if (isNumber && !text.includes(separator)) return text
  const isChanged = FORMULA.test(text) || (kind !== "time" && NUMBER_LIKE.test(text))
  const begun = isChanged && !isNumber ? `'${text}` : text
  const safe = begun
    .replaceAll(CELL_INSIDE, (_all, run: string, sign?: string) =>
      sign === undefined ? run : `${run}'${sign}`,
    )
    .replaceAll(WORD_INSIDE, "$1'$2")
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
