import { LIMITS } from "../core/limits"
import type { Operation } from "../core/operation"
import type { Database } from "./database"
import { OPERATION_COLUMNS, operationFrom } from "./operation-row"

/** Live, as the rule `one_live_collection_per_payment_collection` says it. */
const LIVE = `type = 'COLLECTION' and returned_at is null and not is_duplicate
  and state in ('drafted', 'submitted', 'in_flight', 'completed', 'review')`

/** What STATUS shows first: recorded, then review, then live, then the newest. */
export const BY_IMPORTANCE = `
  order by (state = 'completed' and recorded_at is not null and returned_at is null) desc,
           (state = 'review' and not is_duplicate) desc,
           (${LIVE}) desc,
           is_duplicate,
           created_at desc, id`

const BY_COLLECTION = `
  select ${OPERATION_COLUMNS} from mp_operation
   where payment_collection_id = $1 and type = 'COLLECTION' ${BY_IMPORTANCE} limit 1`

const BY_SESSION = `
  select ${OPERATION_COLUMNS} from mp_operation
   where type = 'COLLECTION' and payment_collection_id =
         (select payment_collection_id from mp_operation_session where payment_session_id = $1)
         ${BY_IMPORTANCE} limit 1`

/** What an order was paid in part with, and Medusa knows, is not in the way of the rest. */
const LIVE_BESIDE = `
  select ${OPERATION_COLUMNS} from mp_operation
   where (cart_id = $1 or order_id = $3 and recorded_at is null)
     and payment_collection_id <> $2 and ${LIVE}
   order by state = 'drafted', created_at, id`

const LIVE_OF_COLLECTION = `
  select ${OPERATION_COLUMNS} from mp_operation
   where payment_collection_id = $1 and ${LIVE} limit 1`

/** What may forbid a change of a cart: the live operation, or an ended one being paid after all. */
const HOLDING = `
  and (${LIVE} or type = 'COLLECTION' and state in ('failed', 'expired')
       and source_status = 'PROCESSING' and next_check_at is not null)
  order by (${LIVE}) desc, created_at desc limit 1`

const HOLDING_CART = `select ${OPERATION_COLUMNS} from mp_operation where cart_id = $1 ${HOLDING}`

const HOLDING_COLLECTION = `
  select ${OPERATION_COLUMNS} from mp_operation where payment_collection_id = $1 ${HOLDING}`

const NEWEST_ENDED = `
  select ${OPERATION_COLUMNS} from mp_operation
   where payment_collection_id = $1 and type = 'COLLECTION' and state in ('failed', 'expired')
     and source_id is not null and source_status is distinct from 'CANCELED'
     and not (collected_minor is not null and source_status = 'PAID')
   order by created_at desc, id desc`

const OTHERS_OF_SOURCE = `
  select ${OPERATION_COLUMNS} from mp_operation
   where payment_collection_id = $1 and type = 'COLLECTION' and source_id = $2 and id <> $3
   order by created_at desc, id desc`

const OF_COLLECTION = `
  select ${OPERATION_COLUMNS} from mp_operation
   where payment_collection_id = $1 and type = 'COLLECTION' order by created_at desc`

const DUPLICATE = `
  select ${OPERATION_COLUMNS} from mp_operation
   where payment_collection_id = $1 and type = 'COLLECTION' and state = 'review' and is_duplicate
     and returned_at is null
   limit 1`

const BY_ID = `select ${OPERATION_COLUMNS} from mp_operation where id = $1`

/** While it is checked, and as long after its beginning as any ended payment may be watched. */
const BY_TOKEN = `
  select ${OPERATION_COLUMNS} from mp_operation
   where return_token = $1
     and (next_check_at is not null or created_at > now() - ${LIMITS.watchForMs} * interval '1 ms')`

const MONEY_OF_ORDER = `
  select ${OPERATION_COLUMNS} from mp_operation
   where order_id = $1 and type = 'COLLECTION' and state in ('completed', 'review')
     and returned_at is null limit 1`

const COLLECTED_OF_SESSION = `
  select ${OPERATION_COLUMNS} from mp_operation
   where type = 'COLLECTION' and state in ('completed', 'review') and returned_at is null
     and payment_collection_id =
         (select payment_collection_id from mp_operation_session where payment_session_id = $1)
     and (payment_session_id = $1 or id in
         (select operation_id from mp_operation_session where payment_session_id = $1))
   order by is_duplicate, created_at desc
   limit 1`

/** The operation that a payment collection shows. */
export function findByCollection(database: Database, collectionId: string) {
  return one(database, BY_COLLECTION, collectionId)
}

/** The operation that a payment session shows, also one that Medusa has replaced long ago. */
export function findBySession(database: Database, sessionId: string) {
  return one(database, BY_SESSION, sessionId)
}

/** Live ones of the other payment collections of the same cart or order, drafts last. */
export async function findLiveBeside(
  database: Database,
  of: {
    readonly cartId: string | null
    readonly orderId: string | null
    readonly collectionId: string
  },
): Promise<Operation[]> {
  const { cartId, orderId, collectionId } = of
  if (cartId === null && orderId === null) return []
  const rows = await database.query(LIVE_BESIDE, [cartId, collectionId, orderId])
  return rows.map(operationFrom)
}

export function findLiveOfCollection(database: Database, collectionId: string) {
  return one(database, LIVE_OF_COLLECTION, collectionId)
}

/** Other tries with the same source, newest first: a retry takes over a failed push's source. */
export async function findOthersOfSource(
  database: Database,
  operation: Pick<Operation, "id" | "paymentCollectionId" | "sourceId">,
): Promise<Operation[]> {
  const rows = await database.query(OTHERS_OF_SOURCE, [
    operation.paymentCollectionId,
    operation.sourceId,
    operation.id,
  ])
  return rows.map(operationFrom)
}

/** What may forbid to change a cart, whether money moves for it or not. */
export function findHoldingCart(database: Database, cartId: string) {
  return one(database, HOLDING_CART, cartId)
}

/** As `findHoldingCart`, for one payment collection. */
export function findHoldingCollection(database: Database, collectionId: string) {
  return one(database, HOLDING_COLLECTION, collectionId)
}

/** All operations of a payment collection, newest first. */
export async function findAllOfCollection(
  database: Database,
  collectionId: string,
): Promise<Operation[]> {
  const rows = await database.query(OF_COLLECTION, [collectionId])
  return rows.map(operationFrom)
}

/**
 * Ended operations whose source may still be payable, or is paid, newest first; but not where a
 * person has decided about that money.
 */
export async function findEndedWithOpenSource(
  database: Database,
  collectionId: string,
): Promise<Operation[]> {
  const rows = await database.query(NEWEST_ENDED, [collectionId])
  return rows.map(operationFrom)
}

/** Late money of a payment collection that an admin has not decided about yet. */
export function findDuplicateOfCollection(database: Database, collectionId: string) {
  return one(database, DUPLICATE, collectionId)
}

export function findById(database: Database, id: string) {
  return one(database, BY_ID, id)
}

/** @returns undefined once the operation's watch is over, too */
export function findByReturnToken(database: Database, token: string) {
  return one(database, BY_TOKEN, token)
}

/** Money that the ledger holds for an order and that was not given back. */
export function findMoneyOfOrder(database: Database, orderId: string) {
  return one(database, MONEY_OF_ORDER, orderId)
}

/** Money that the ledger holds and that came, or was bound, to this payment session. */
export function findMoneyOfSession(database: Database, sessionId: string) {
  return one(database, COLLECTED_OF_SESSION, sessionId)
}

async function one(database: Database, sql: string, key: string): Promise<Operation | undefined> {
  const rows = await database.query(sql, [key])
  return rows[0] && operationFrom(rows[0])
}
