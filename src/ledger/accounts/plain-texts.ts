/** Whether an account's gateway has refused a text lately: then texts go out in their plain form. */
import { LIMITS } from "../../core/limits"
import type { Database } from "../database"

const READ = `
  select plain_texts_at > now() - $2::float8 * interval '1 ms' as is_wanted
    from mp_account where id = $1`

/** Each refusal counts from itself, so that a gateway that takes them again gets them again. */
const NOTE = `update mp_account set plain_texts_at = now() where id = $1`

export async function wantsPlainTexts(database: Database, accountId: string): Promise<boolean> {
  const [row] = await database.query(READ, [accountId, LIMITS.plainTextsMs])
  return row?.["is_wanted"] === true
}

export async function notePlainTexts(database: Database, accountId: string): Promise<void> {
  await database.query(NOTE, [accountId])
}
