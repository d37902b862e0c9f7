import type { Database } from "./database"

/** How long ago something of this name was written of an operation, by the database's clock. */
const AGE = `
  select extract(epoch from now() - max(created_at)) * 1000 as age_ms
    from mp_operation_event where operation_id = $1 and name = $2`

/** @returns milliseconds; undefined where it never was, or was pruned */
export async function ageOfLastEvent(
  database: Database,
  operationId: string,
  name: string,
): Promise<number | undefined> {
  const [row] = await database.query(AGE, [operationId, name])
  const age = row?.["age_ms"]
  return age === null || age === undefined ? undefined : Number(age)
}
