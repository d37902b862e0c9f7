/**
 * Which stray orders wait for a person, and the payments that say whose they are. A stray order is
 * a row of `mp_task`: work that is done once. `subject` is the payment, and null once an admin has
 * said that the order is to stay.
 */
import type { CartId, OperationId, OrderId } from "../../core/ids"
import { LIMITS } from "../../core/limits"
import type { Operation } from "../../core/operation"
import { rowsOf, type Database } from "../../ledger/database"
import { OPERATION_COLUMNS, queryOperations } from "../../ledger/operation-row"

const NAME = "'stray_order:'"
const IS_STRAY = "name like 'stray\\_order:%'"
const ORDER_ID = `substr(name, length(${NAME}) + 1)`

/** The ids of payments that have a stray order. Read once a statement, and almost always empty. */
export const WITH_STRAY_ORDER = `
  array(select subject from mp_task where ${IS_STRAY} and subject is not null)`

const NOTE = `
  insert into mp_task (name, subject) values (${NAME} || $1::text, $2)
  on conflict (name) do nothing returning name`

/** @returns false if it was noted before, or an admin has said that it is to stay */
export async function noteStrayOrder(
  database: Database,
  orderId: OrderId,
  operationId: OperationId,
): Promise<boolean> {
  return (await database.query(NOTE, [orderId, operationId])).length > 0
}

type Noted = { readonly orderId: OrderId; readonly operationId: OperationId }

const NOTED = `
  select ${ORDER_ID} as "orderId", subject as "operationId" from mp_task
   where ${IS_STRAY} and subject is not null`

/** All that wait, in the order of their ids: of when they were made. */
export function findStrayOrders(database: Database): Promise<Noted[]> {
  return rowsOf<Noted>(database, `${NOTED} order by name limit ${LIMITS.upkeepRowsMax}`)
}

export async function findStrayOrdersOf(
  database: Database,
  operationId: OperationId,
): Promise<OrderId[]> {
  const rows = await rowsOf<Noted>(database, `${NOTED} and subject = $1 order by name`, [
    operationId,
  ])
  return rows.map(({ orderId }) => orderId)
}

const FORGET = `delete from mp_task where name = ${NAME} || $1::text returning name`

/** @returns false where another worker or request has forgotten it */
export async function forgetStrayOrder(database: Database, orderId: OrderId): Promise<boolean> {
  return (await database.query(FORGET, [orderId])).length > 0
}

const KEEP = `update mp_task set subject = null where ${IS_STRAY} and subject = $1`

/** The payment's stray orders stay as they are, and are not listed again. */
export async function keepStrayOrders(database: Database, operationId: OperationId): Promise<void> {
  await database.query(KEEP, [operationId])
}

/**
 * `$3` is when the stray was made. The order that has the money was made after it, so it was made
 * inside our completing: after the money's first proof, and before the order that has it.
 */
const PAID = `
  select ${OPERATION_COLUMNS} from mp_operation
   where order_id = $1 and cart_id = $2 and type = 'COLLECTION' and state = 'completed'
     and recorded_at is not null and not is_duplicate
     and money_at <= $3::timestamptz + ${LIMITS.strayOrderClocksMs} * interval '1 ms'
   order by money_at limit 1`

/** The payment whose completion made the order, if the stray was made inside it. */
export async function findCompletedInto(
  database: Database,
  made: { readonly orderId: OrderId; readonly cartId: CartId; readonly strayAt: Date },
): Promise<Operation | undefined> {
  const { orderId, cartId, strayAt } = made
  const [payment] = await queryOperations(database, PAID, [orderId, cartId, strayAt])
  return payment
}
