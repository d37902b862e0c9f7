/**
 * A row of `mp_operation` and the operation it stands for. Rows are `unknown` until their columns'
 * readers have read them: `bigint` and `numeric` come as text from the driver, and stay exact so.
 */
import { parseCurrency } from "../core/money"
import { BESIDE, COLUMNS, readText, type Column, type Fields } from "../core/operation-columns"
import { isOperation, type Operation } from "../core/operation"
import { readAs, type Stored } from "../core/schemas/stored"
import type { Database, Row } from "./database"

/** What every statement that returns operations selects; `read_at` is the database's clock. */
export const OPERATION_COLUMNS = `*, now() as read_at`

export class UnreadableRow extends Error {
  override readonly name = "UnreadableRow"
  constructor(column: string, row: Row) {
    super(`mp_operation ${String(row["id"])}: column ${column} can't be read`)
  }
}

/** @param onUnreadable called with each unreadable row, which holds up none of the others */
export function operationsFrom(
  rows: readonly Row[],
  onUnreadable?: (error: UnreadableRow) => void,
): Operation[] {
  return rows.flatMap((row) => {
    try {
      return operationFrom(row)
    } catch (error) {
      if (!(error instanceof UnreadableRow) || !onUnreadable) throw error
      onUnreadable(error)
      return []
    }
  })
}

/** The operations of a statement that selects {@link OPERATION_COLUMNS}. */
export async function queryOperations(
  database: Database,
  sql: string,
  parameters: readonly unknown[],
): Promise<Operation[]> {
  return (await database.query(sql, parameters)).map(operationFrom)
}

/** As {@link queryOperations}, for a statement with one row or none. */
export async function queryOperation(
  database: Database,
  sql: string,
  parameters: readonly unknown[],
): Promise<Operation | undefined> {
  return (await queryOperations(database, sql, parameters))[0]
}

type Entry = Column<unknown> & { readonly column: string }
const ENTRIES = Object.fromEntries(
  Object.entries<Column<unknown>>({ ...COLUMNS, ...BESIDE }).map(
    ([field, entry]): [string, Entry] => [
      field,
      { column: field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), ...entry },
    ],
  ),
) as Readonly<Record<keyof Fields, Entry>>
const FIELDS = Object.keys(COLUMNS) as (keyof Operation)[]

export const entryOf = (field: keyof Fields) => ENTRIES[field]

/** What a statement selects for {@link fieldsFrom}; each amount is read with its currency. */
export const columnsOf = (fields: readonly (keyof Fields)[]) =>
  ["currency_code", ...fields.map((field) => entryOf(field).column)].join(", ")

export function fieldsFrom<Field extends keyof Fields>(
  row: Row,
  fields: readonly Field[],
): Pick<Fields, Field> {
  const currency = parseCurrency(row["currency_code"])
  if (!currency) throw new UnreadableRow("currency_code", row)
  const values: { [Name in keyof Fields]?: unknown } = {}
  for (const field of fields) {
    const { read, column } = entryOf(field)
    values[field] = read(row[column], currency)
    if (values[field] === undefined) throw new UnreadableRow(column, row)
  }
  return values as Pick<Fields, Field>
}

export function operationFrom(row: Row): Operation {
  const operation = fieldsFrom(row, FIELDS)
  if (isOperation(operation)) return operation
  throw new UnreadableRow("payment_collection_id", row)
}

export function text<Value extends string = string>(row: Row, column: string): Value {
  const value = readText(row[column])
  if (value === undefined) throw new UnreadableRow(column, row)
  return value as Value
}

export function textOrNull<Value extends string = string>(row: Row, column: string): Value | null {
  return (row[column] ?? null) === null ? null : text<Value>(row, column)
}

/** What a column of JSON holds. */
export function json<Value>(row: Row, column: string, schema: Stored<Value>): Value {
  const value = readAs(schema, row[column])
  if (value === undefined) throw new UnreadableRow(column, row)
  return value
}
