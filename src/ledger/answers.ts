import type { Database } from "./database"

/** Resolves if the database answers, and its tables are those of this version. */
export async function answers(database: Database): Promise<void> {
  await database.query("select 1", [], "mp_ready")
}
