import { LIMITS } from "../../core/limits"
import type { Database } from "../../ledger/database"

const COUNT = `
  select count(*)::int as n from (
    select from mp_operation where state = 'review' limit ${LIMITS.listCountMax}) waiting`

/** What waits for a person; at most {@link LIMITS.listCountMax}, then there is more. */
export async function countInReview(database: Database): Promise<number> {
  const [row] = await database.query(COUNT, [])
  return Number(row?.["n"])
}
