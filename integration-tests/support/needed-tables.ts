/** Writes `src/ledger/tables/needed-tables.ts` from what a migrated database has. */
import path from "node:path"
import type { Tables } from "../../src/ledger/tables/read-tables"
import { textOf } from "../../src/ledger/tables/table-text"

export const NEEDED_FILE = path.resolve(__dirname, "../../src/ledger/tables/needed-tables.ts")
const LINE_MAX = 100

const HEAD = `/**
 * What this version needs of the database, as its migrations make it. Written by \`npm run tables\`,
 * never by hand; a test compares it with a freshly migrated database.
 */
import { tablesIn } from "./table-text"

export const NEEDED_TABLES = tablesIn({
`

export function neededFile(tables: Tables): string {
  const parts = Object.entries(tables).map(
    ([name, table]) => `  ${name}: \`\n${wrapped(textOf(table))}\`,\n`,
  )
  return `${HEAD}${parts.join("")}})\n`
}

/** As many entries in a line as fit. */
function wrapped(text: string): string {
  const lines: string[] = []
  let line = ""
  for (const entry of text.replaceAll(";\n", ";\u0000").split("\u0000")) {
    const longer = line === "" ? `    ${entry}` : `${line} ${entry}`
    if (line !== "" && longer.length > LINE_MAX) {
      lines.push(line)
      line = `    ${entry}`
    } else line = longer
  }
  return [...lines, line].join("\n")
}
