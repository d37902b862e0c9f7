/**
 * What tables lack of what others had, for the test that migrations only add. More tables, columns
 * and rules may be there, but no column that every row has to fill.
 */
import type { Table, Tables, UniqueRule } from "./read-tables"

/** @returns one phrase for each thing, such as `mp_operation.phone_hint`; empty: they fit */
export function missingTables(needed: Tables, found: Tables): string[] {
  return Object.entries(needed).flatMap(([name, table]) => {
    const there = found[name]
    return there === undefined ? [name] : missingInTable(name, table, there)
  })
}

function missingInTable(name: string, needed: Table, found: Table): string[] {
  const names = (record: object) => Object.keys(record)
  return [
    ...names(needed.columns)
      .filter((column) => !isColumn(needed.columns[column], found.columns[column]))
      .map((column) =>
        columnPhrase(`${name}.${column}`, needed.columns[column], found.columns[column]),
      ),
    ...names(found.columns)
      .filter((column) => needed.columns[column] === undefined)
      .filter((column) => found.columns[column]?.endsWith(" not null"))
      .map((column) => `${name}.${column} (must be optional)`),
    ...names(needed.rules)
      .filter((rule) => !isRule(needed.rules[rule], found.rules[rule]))
      .map((rule) => `${name}: ${rule}`),
    ...names(needed.checks)
      .filter((check) => !isCheck(needed.checks[check], found.checks[check]))
      .map((check) => `${name}: ${check}`),
    ...needed.triggers
      .filter((trigger) => !found.triggers.includes(trigger))
      .map((trigger) => `${name}: ${trigger}`),
  ]
}

/** A column that fits may have a default that the code does not need. */
function isColumn(needed: string | undefined, found: string | undefined): boolean {
  return found === needed || found === `${needed} default`
}

const columnPhrase = (name: string, needed = "", found?: string) =>
  found === undefined ? name : `${name} (is ${found}, must be ${needed})`

/** Statements name a rule's columns, and count on its condition: both have to be the same. */
function isRule(needed: UniqueRule | undefined, found: UniqueRule | undefined): boolean {
  return JSON.stringify(needed) === JSON.stringify(found)
}

/** A later version may allow more values than this one knows. */
function isCheck(needed: readonly string[] = [], found?: readonly string[]): boolean {
  return found !== undefined && needed.every((word) => found.includes(word))
}
