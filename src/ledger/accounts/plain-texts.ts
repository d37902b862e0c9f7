/** Whether an account's gateway has refused a text lately: then texts go out in plain form. */
import type { AccountId } from "../../core/ids"
import { LIMITS } from "../../core/limits"
import type { Database } from "../database"

const READ = `
  select plain_texts_at > now() - $2::float8 * interval '1 ms' as is_wanted
    from mp_account where id = $1`

/** The time starts at the last refusal, so a gateway that takes full texts gets them again. */
const NOTE = `update mp_account set plain_texts_at = now() where id = $1`

export async function wantsPlainTexts(database: Database, accountId: AccountId): Promise<boolean> {
  const [row] = await database.query(READ, [accountId, LIMITS.plainTextsMs])
  return row?.["is_wanted"] === true
}

export async function notePlainTexts(database: Database, accountId: AccountId): Promise<void> {
  await database.query(NOTE, [accountId])
}
