/**
 * The payment methods that fail most of their payments now, as they were told to the merchant: a
 * row of `mp_notification_trouble` keeps each until it is over. Shoppers are told; no payment is
 * decided by it.
 */
import type { Database } from "./database"

const PREFIX = "operator:"

export const disruptedSubject = (method: string): string => `${PREFIX}${method}`

const DISRUPTED = `
  select substr(subject, length('${PREFIX}') + 1) as method from mp_notification_trouble
   where subject like '${PREFIX}%'`

export async function listDisruptedMethods(database: Database): Promise<ReadonlySet<string>> {
  const rows = await database.query(DISRUPTED, [], "mp_methods_disrupted")
  return new Set(rows.map(({ method }) => String(method)))
}
