import type { Operation } from "../../core/operation"
import type { Database } from "../../ledger/database"
import { OPERATION_COLUMNS, operationFrom } from "../../ledger/operation-row"

/** The payment link of an order that an admin is shown: the one that lives, else the newest. */
const LINK_OF_ORDER = `
  select ${OPERATION_COLUMNS} from mp_operation
   where order_id = $1 and type = 'COLLECTION' and flow = 'link'
   order by (state in ('drafted', 'submitted', 'in_flight', 'completed', 'review')
             and recorded_at is null and returned_at is null) desc,
            created_at desc, id
   limit 1`

export async function findLinkOfOrder(
  database: Database,
  orderId: string,
): Promise<Operation | undefined> {
  const [row] = await database.query(LINK_OF_ORDER, [orderId])
  return row && operationFrom(row)
}
