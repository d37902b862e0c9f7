/** A backup of the ledger that is played back while the gateway goes on knowing what was sent. */
import type { LedgerDatabase } from "./ledger-database"

const OPERATIONS = ["mp_operation", "mp_operation_session", "mp_operation_event"] as const

/**
 * @param more tables beside those of operations
 * @returns plays the backup back; Medusa's tables, in the same database, stay as the caller has
 *   them
 */
export async function backUp(
  { ledger }: { readonly ledger: Pick<LedgerDatabase, "sql"> },
  ...more: readonly string[]
): Promise<() => Promise<void>> {
  const tables = [...OPERATIONS, "mp_database_mark", ...more]
  for (const table of tables) {
    await ledger.sql(`drop table if exists backup_${table}`)
    await ledger.sql(`create table backup_${table} as select * from ${table}`)
  }
  return async () => {
    await ledger.sql(`truncate ${["mp_operation", "mp_database_mark", ...more].join(", ")} cascade`)
    for (const table of tables) {
      await ledger.sql(`insert into ${table} select * from backup_${table}`)
    }
  }
}
