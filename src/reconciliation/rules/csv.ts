/**
 * Lines of a CSV file, RFC 4180. A spreadsheet program would run a payer's name or a message that
 * begins with `=` as a formula; an apostrophe in front marks it as a text.
 */

/** Tells spreadsheet programs that the file is UTF-8. */
export const BYTE_ORDER_MARK = "\uFEFF"

/** Matches what begins a formula, also behind spaces, and as full-width signs. */
const FORMULA = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/
/**
 * Where the comma is the decimal point, spreadsheet programs end cells at semicolons. A run of
 * spaces matches with or without a sign behind it: else a text of tabs alone takes the square of
 * its length.
 */
const CELL_INSIDE = /([;\t]\s*)([=+\-@\uFF1D\uFF0B\uFF0D\uFF20])?/g
/** A number, also with a decimal comma: an amount below zero is no formula. */
const NUMBER = /^-?\d+([.,]\d+)?$/

/** Spreadsheet programs end cells at semicolons where the comma is the decimal sign. */
export type Separator = "," | ";"

export function csvLine(
  cells: readonly (string | number | null)[],
  separator: Separator = ",",
): string {
  const texts = cells.map((cell) => csvCell(cell === null ? "" : String(cell), separator))
  return `${texts.join(separator)}\r\n`
}

function csvCell(text: string, separator: Separator): string {
  const begun = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
  const safe = begun.replaceAll(CELL_INSIDE, (_all, run: string, sign?: string) =>
    sign === undefined ? run : `${run}'${sign}`,
  )
  const isQuoted = /["\r\n]/.test(safe) || safe.includes(separator)
  return isQuoted ? `"${safe.replaceAll('"', '""')}"` : safe
}
