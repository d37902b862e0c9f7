import type { Database } from "./database"

const COUNT = `select count(*)::int as n from mp_operation where state = 'review'`

/** What waits for a person. */
export async function countInReview(database: Database): Promise<number> {
  const [row] = await database.query(COUNT, [])
  return Number(row?.["n"])
}
