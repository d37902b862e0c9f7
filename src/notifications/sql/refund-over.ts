import type { OperationId } from "../../core/ids"
import type { Database } from "../../ledger/database"
import { IS_MADE_AGAIN } from "../../review/sql/attention"

const OVER = `
  select from mp_operation o
   where o.id = $1 and (o.dismissed_at is not null or ${IS_MADE_AGAIN})`

/** Whether a failed refund was made again, or dismissed by an admin. */
export async function isRefundOver(database: Database, id: OperationId): Promise<boolean> {
  return (await database.query(OVER, [id])).length > 0
}
