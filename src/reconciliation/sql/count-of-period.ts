/**
 * How many payments and refunds began in a period, counted no further than anybody compares at
 * once.
 */
import type { Database } from "../../ledger/database"
import type { LedgerPeriod } from "./period"

const COUNT = `
  select count(*)::int as count from (
    select from mp_operation
     where account_id = any($1::text[]) and created_at >= $2 and created_at < $3
       and type in ('COLLECTION', 'REFUND')
     limit $4) began`

/** @returns at most `most` and one more */
export async function countOfPeriod(
  database: Database,
  { accountIds, from, until }: LedgerPeriod,
  most: number,
): Promise<number> {
  const [row] = await database.query(COUNT, [[...accountIds], from, until, most + 1])
  return Number(row?.["count"] ?? 0)
}
