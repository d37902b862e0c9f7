/**
 * What a migration does to tables that are in use, told from the database before and after it.
 * Additive is what leaves code of the version before at work: everything is there as it was, and
 * no row that it writes is refused.
 */
import { missingTables } from "./missing-tables"
import { readTables, type Table, type Tables } from "./read-tables"
import type { Database } from "../../src/ledger/database"

export type Schema = {
  readonly tables: Tables
  /** By `table: constraint`: the columns of a foreign key. */
  readonly references: Readonly<Record<string, readonly string[]>>
  /** Functions that triggers and statements call, and indexes that make statements fast. */
  readonly names: readonly string[]
}

export async function readSchema(database: Database): Promise<Schema> {
  const references = await database.query(
    `select c.conrelid::regclass || ': ' || c.conname as name,
            (select array_agg(a.attname::text) from pg_attribute a
              where a.attrelid = c.conrelid and a.attnum = any (c.conkey)) as columns
       from pg_constraint c
      where c.contype = 'f' and c.connamespace = 'public'::regnamespace`,
    [],
  )
  const names = await database.query(
    `select 'function ' || p.oid::regprocedure as name from pg_proc p
      where p.pronamespace = 'public'::regnamespace
     union all
     select 'index ' || i.relname from pg_class i
      where i.relkind = 'i' and i.relnamespace = 'public'::regnamespace`,
    [],
  )
  return {
    tables: await readTables(database),
    references: Object.fromEntries(
      references.map(({ name, columns }) => [String(name), (columns as string[]).map(String)]),
    ),
    names: names.map(({ name }) => String(name)),
  }
}

/** What is not additive about a change; empty: it is. */
export function notAdditive(before: Schema, after: Schema): string[] {
  const gone = before.names.filter((name) => !after.names.includes(name))
  const tables = Object.entries(before.tables).flatMap(([name, old]) => {
    const now = after.tables[name]
    return now === undefined ? [] : stricterRules(name, old, now)
  })
  const references = Object.entries(after.references)
    .filter(([name]) => before.references[name] === undefined)
    .filter(([name, columns]) => isOld(before.tables[name.split(": ")[0] ?? ""], columns))
    .map(([name]) => `${name} (refuses rows of the code before)`)
  return [...missingTables(before.tables, after.tables), ...gone, ...tables, ...references]
}

/** New rules and checks that speak of old columns alone: the code before does not keep them. */
function stricterRules(name: string, old: Table, now: Table): string[] {
  const rules = Object.entries(now.rules)
    .filter(([rule]) => old.rules[rule] === undefined)
    .map(([rule, { keys, condition }]) => [rule, [...keys, ...condition]] as const)
  const checks = Object.entries(now.checks).filter(([check]) => old.checks[check] === undefined)
  return [...rules, ...checks]
    .filter(([, words]) => isOld(old, words))
    .map(([rule]) => `${name}: ${rule} (refuses rows of the code before)`)
}

/** Whether none of the words is a column that the change has added. */
function isOld(table: Table | undefined, words: readonly string[]): boolean {
  const columns = Object.keys(table?.columns ?? {})
  return (
    table !== undefined && words.every((word) => word.startsWith("'") || columns.includes(word))
  )
}
