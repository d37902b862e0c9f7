/** The payments and refunds of a receipt, oldest first, with the gateway's receipts of them. */
import type { OperationId, OrderId } from "../../core/ids"
import type { Operation } from "../../core/operation"
import type { Database } from "../../ledger/database"
import { json, OPERATION_COLUMNS, operationFrom } from "../../ledger/operation-row"
import { keptReceipt, type KeptReceipt } from "../../worker/schemas/stored-receipt"

export type PaperOperation = {
  readonly operation: Operation
  /** The operator's number of the movement, as the execution named it. */
  readonly transactionId: string | null
  readonly receipt: KeptReceipt | null
}

const moneyOf = (own: string) => `
  with own as (select id from mp_operation where type = 'COLLECTION' and ${own})
  select ${OPERATION_COLUMNS},
         (select body from mp_receipt r where r.operation_id = mp_operation.id) as receipt
    from mp_operation
   where id in (select id from own)
      or type = 'REFUND' and parent_id in (select id from own)
   order by created_at, id`

/** With what was paid twice for the same, which no order is bound to. */
const OF_ORDER = moneyOf(`(order_id = $1 or payment_collection_id in
  (select payment_collection_id from mp_operation where order_id = $1 and type = 'COLLECTION'))`)
const OF_PAYMENT = moneyOf("id = $1")

export const findMoneyOfPaper = (database: Database, orderId: OrderId) =>
  find(database, OF_ORDER, orderId)

/** Of one payment alone: money that never became an order. */
export const findMoneyOfPayment = (database: Database, operationId: OperationId) =>
  find(database, OF_PAYMENT, operationId)

async function find(database: Database, sql: string, id: string): Promise<PaperOperation[]> {
  const rows = await database.query(sql, [id])
  return rows.map((row) => ({
    operation: operationFrom(row),
    transactionId: textOrNull(row["provider_transaction_id"]),
    receipt: json(row, "receipt", keptReceipt.nullable()),
  }))
}

const textOrNull = (value: unknown) => (typeof value === "string" ? value : null)
