import type { Operation } from "../core/operation"
import type { Database } from "./database"
import { OPERATION_COLUMNS, operationFrom } from "./operation-row"

/** Live, as the rule `one_live_collection_per_payment_collection` says it. */
const LIVE = `type = 'COLLECTION' and returned_at is null and not surplus
  and state in ('drafted', 'submitted', 'in_flight', 'completed', 'review')`

/** What STATUS shows first: recorded, then review, then live, then the newest. */
const BY_IMPORTANCE = `
  order by (state = 'completed' and recorded_at is not null and returned_at is null) desc,
           (state = 'review' and not surplus) desc,
           (${LIVE}) desc,
           surplus,
           created_at desc, id`

const BY_COLLECTION = `
  select ${OPERATION_COLUMNS} from mp_operation
   where payment_collection_id = $1 and type = 'COLLECTION' ${BY_IMPORTANCE} limit 1`

const BY_SESSION = `
  select ${OPERATION_COLUMNS} from mp_operation
   where type = 'COLLECTION' and payment_collection_id =
         (select payment_collection_id from mp_operation_session where payment_session_id = $1)
         ${BY_IMPORTANCE} limit 1`

const LIVE_OF_CART = `
  select ${OPERATION_COLUMNS} from mp_operation where cart_id = $1 and ${LIVE} limit 1`

const LIVE_OF_COLLECTION = `
  select ${OPERATION_COLUMNS} from mp_operation where payment_collection_id = $1 and ${LIVE} limit 1`

const NEWEST_ENDED = `
  select ${OPERATION_COLUMNS} from mp_operation
   where payment_collection_id = $1 and type = 'COLLECTION' and state in ('failed', 'expired')
     and source_id is not null and coalesce(source_status, '') not in ('CANCELED', 'PAID')
   order by created_at desc`

const SURPLUS = `
  select ${OPERATION_COLUMNS} from mp_operation
   where payment_collection_id = $1 and type = 'COLLECTION' and state = 'review' and surplus
     and returned_at is null
   limit 1`

const BY_ID = `select ${OPERATION_COLUMNS} from mp_operation where id = $1`

const BY_TOKEN = `select ${OPERATION_COLUMNS} from mp_operation where return_token = $1`

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
   order by surplus, created_at desc
   limit 1`

/** The operation that a payment collection shows. */
export function findByCollection(database: Database, collectionId: string) {
  return one(database, BY_COLLECTION, collectionId)
}

/** The operation that a payment session shows, also one that Medusa has replaced long ago. */
export function findBySession(database: Database, sessionId: string) {
  return one(database, BY_SESSION, sessionId)
}

export function findLiveOfCart(database: Database, cartId: string) {
  return one(database, LIVE_OF_CART, cartId)
}

export function findLiveOfCollection(database: Database, collectionId: string) {
  return one(database, LIVE_OF_COLLECTION, collectionId)
}

/** Ended operations whose source may still be payable, newest first. */
export async function findEndedWithOpenSource(
  database: Database,
  collectionId: string,
): Promise<Operation[]> {
  const rows = await database.query(NEWEST_ENDED, [collectionId])
  return rows.map(operationFrom)
}

/** Late money of a payment collection that a person has not decided about yet. */
export function findSurplusOfCollection(database: Database, collectionId: string) {
  return one(database, SURPLUS, collectionId)
}

export function findById(database: Database, id: string) {
  return one(database, BY_ID, id)
}

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
