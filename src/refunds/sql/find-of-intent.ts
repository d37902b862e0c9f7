import type { Operation } from "../../core/operation"
import type { Database } from "../../ledger/database"

const OF_INTENT = `
  select id from mp_operation
   where payment_intent_id = $1 and id <> $2 and type = 'COLLECTION'
   order by collected_minor is null limit 1`

/** Another payment that has this payment intent, of whatever account: two may be one merchant's. */
export async function findOfIntent(
  database: Database,
  operation: Pick<Operation, "id">,
  paymentIntentId: number,
): Promise<{ readonly id: string } | undefined> {
  const [row] = await database.query(OF_INTENT, [paymentIntentId, operation.id])
  return row && { id: String(row["id"]) }
}
