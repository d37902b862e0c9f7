import type { Operation } from "../core/operation"
import type { Database } from "./database"

const OF_INTENT = `
  select id from mp_operation
   where payment_intent_id = $1 and account_id = $2 and id <> $3 and type = 'COLLECTION' limit 1`

/** Another payment of the same account that has this payment intent. */
export async function findOfIntent(
  database: Database,
  operation: Pick<Operation, "id" | "accountId">,
  paymentIntentId: number,
): Promise<{ readonly id: string } | undefined> {
  const [row] = await database.query(OF_INTENT, [
    paymentIntentId,
    operation.accountId,
    operation.id,
  ])
  return row && { id: String(row["id"]) }
}
