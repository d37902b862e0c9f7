/**
 * Lines of a file that spreadsheet programs open: RFC 4180, each text safe from being taken for a
 * formula. A payer's name or a gateway's message that begins with `=` would be carried out by
 * whoever opens the file; it gets an apostrophe in front, which those programs take for "this is a
 * text".
 */

/** By it spreadsheet programs know that the file is UTF-8. */
export const BYTE_ORDER_MARK = "\uFEFF"

/** What they begin a formula with, also behind spaces, and as full-width signs. */
const FORMULA = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/
/**
 * Where the comma is the decimal point, cells end at semicolons: what follows one begins a cell. A
 * run of spaces is taken whole, sign or no sign behind it, so that none is read twice: a text of
 * tabs alone would else take the square of its length.
 */
const CELL_INSIDE = /([;\t]\s*)([=+\-@\uFF1D\uFF0B\uFF0D\uFF20])?/g
/** An amount below zero is none. */
const NUMBER = /^-?\d+(\.\d+)?$/

export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map((cell) => csvCell(cell === null ? "" : String(cell))).join(",")}\r\n`
}

function csvCell(text: string): string {
  const begun = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
  const safe = begun.replaceAll(CELL_INSIDE, (_all, run: string, sign?: string) =>
    sign === undefined ? run : `${run}'${sign}`,
  )
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
