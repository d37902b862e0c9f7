import type { Operation } from "../core/operation"
import type { Database } from "./database"
import { OPERATION_COLUMNS, operationFrom } from "./operation-row"

const OF_COLLECTION = `
  select ${OPERATION_COLUMNS} from mp_operation
   where parent_id = $1 and type = 'REFUND' order by created_at, id`

const BY_HOST_REFUND = `
  select ${OPERATION_COLUMNS} from mp_operation where host_refund_id = $1`

/** Every refund of a collection, whatever became of it, oldest first. */
export async function findRefundsOf(
  database: Database,
  collectionId: string,
): Promise<Operation[]> {
  const rows = await database.query(OF_COLLECTION, [collectionId])
  return rows.map(operationFrom)
}

/** The refund that Medusa asked for under this id of its own. */
export async function findByHostRefund(
  database: Database,
  hostRefundId: string,
): Promise<Operation | undefined> {
  const rows = await database.query(BY_HOST_REFUND, [hostRefundId])
  return rows[0] && operationFrom(rows[0])
}
