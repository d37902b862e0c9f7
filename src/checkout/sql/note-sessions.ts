import type { Operation } from "../../core/operation"
import type { Database } from "../../ledger/database"

/**
 * Payment sessions that were made for an operation, whether it was ever pointed to them or not: a
 * storefront holds their ids, and asks with them after Medusa has deleted them.
 */
const NOTE = `
  insert into mp_operation_session (payment_session_id, operation_id, payment_collection_id)
  select unnest($3::text[]), $1, $2
  on conflict (payment_session_id) do nothing`

export async function noteSessions(
  database: Database,
  operation: Pick<Operation, "id" | "paymentCollectionId">,
  sessionIds: readonly string[],
): Promise<void> {
  await database.query(NOTE, [operation.id, operation.paymentCollectionId, sessionIds])
}
