/** Finds the payments that still have money which can be refunded. */
import type { Operation } from "../../core/operation"
import type { Database } from "../../ledger/database"
import { OPERATION_COLUMNS, operationsFrom } from "../../ledger/operation-row"
import type { OnUnreadable } from "./find-for-period"

const REFUNDABLE = `
  select ${OPERATION_COLUMNS} from mp_operation
   where type = 'COLLECTION' and state in ('completed', 'review') and returned_at is null
     and collected_minor > reserved_refund_minor and credential_id is not null
   order by created_at desc, id limit $1`

/** Newest first: most refunds are of the last days. */
export async function findRefundable(
  database: Database,
  atMost: number,
  onUnreadable: OnUnreadable,
): Promise<Operation[]> {
  return operationsFrom(await database.query(REFUNDABLE, [atMost]), onUnreadable)
}
