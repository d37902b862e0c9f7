/** Finds operations by what they belong to; each finder is one SQL statement. */
import type { CartId, OrderId, PaymentCollectionId } from "../core/ids"
import { LIMITS } from "../core/limits"
import type { Operation } from "../core/operation"
import { mayShareNumbers } from "./accounts/credentials"
import type { Database } from "./database"
import { OPERATION_COLUMNS, queryOperation, queryOperations } from "./operation-row"

type Find<Found> = (database: Database, id: string) => Promise<Found>

/** @param where SQL that follows `where`: the condition on `$1`, and the order */
export function findingAll(where: string): Find<Operation[]> {
  const sql = `select ${OPERATION_COLUMNS} from mp_operation where ${where}`
  return (database, id) => queryOperations(database, sql, [id])
}

export function findingFirst(where: string): Find<Operation | undefined> {
  const sql = `select ${OPERATION_COLUMNS} from mp_operation where ${where} limit 1`
  return (database, id) => queryOperation(database, sql, [id])
}

const OF_COLLECTION = `payment_collection_id = $1 and type = 'COLLECTION'`

const COLLECTION_OF_SESSION = `
  (select payment_collection_id from mp_operation_session where payment_session_id = $1)`

/** A live collection, as the constraint `one_live_collection_per_payment_collection` has it. */
const LIVE = `type = 'COLLECTION' and returned_at is null and not is_duplicate
  and state in ('drafted', 'submitted', 'in_flight', 'completed', 'review')`

/** What STATUS shows first: recorded, then review, then live, then the newest. */
export const BY_IMPORTANCE = `
  order by (state = 'completed' and recorded_at is not null and returned_at is null) desc,
           (state = 'review' and not is_duplicate) desc,
           (${LIVE}) desc,
           is_duplicate,
           created_at desc, id`

export const findById = findingFirst(`id = $1`)

/** The operation that a payment collection shows. */
export const findByCollection = findingFirst(`${OF_COLLECTION} ${BY_IMPORTANCE}`)

/** The operation that a payment session shows, also a session that Medusa has long replaced. */
export const findBySession = findingFirst(
  `type = 'COLLECTION' and payment_collection_id = ${COLLECTION_OF_SESSION} ${BY_IMPORTANCE}`,
)

export const findLiveOfCollection = findingFirst(`payment_collection_id = $1 and ${LIVE}`)

/** All operations of a payment collection, newest first. */
export const findAllOfCollection = findingAll(`${OF_COLLECTION} order by created_at desc`)

/** A duplicate payment of the payment collection about which no admin has decided yet. */
export const findDuplicateOfCollection = findingFirst(
  `${OF_COLLECTION} and state = 'review' and is_duplicate and returned_at is null`,
)

/** What may forbid a change of a cart: the live operation, or an ended one being paid after all. */
const HOLDING = `
  (${LIVE} or type = 'COLLECTION' and state in ('failed', 'expired')
     and source_status = 'PROCESSING' and next_check_at is not null)
  order by (${LIVE}) desc, created_at desc`

/** The operation that may forbid a change of the cart, whether money moves for it or not. */
export const findHoldingCart = findingFirst(`cart_id = $1 and ${HOLDING}`)

/** As `findHoldingCart`, for one payment collection. */
export const findHoldingCollection = findingFirst(`payment_collection_id = $1 and ${HOLDING}`)

/**
 * Ended operations whose source may still be payable, or is paid, newest first. An operation about
 * whose money an admin has decided is left out.
 */
export const findEndedWithOpenSource = findingAll(`
  ${OF_COLLECTION} and state in ('failed', 'expired')
    and source_id is not null and source_status is distinct from 'CANCELED'
    and not (collected_minor is not null and source_status = 'PAID')
  order by created_at desc, id desc`)

/**
 * A return token works while its operation is checked, and for `watchForMs` after the operation
 * began, as long as any ended payment may be watched.
 */
export const findByReturnToken = findingFirst(`
  return_token = $1
    and (next_check_at is not null or created_at > now() - ${LIMITS.watchForMs} * interval '1 ms')`)

/** Money that the ledger holds for an order and that was not given back. */
export const findMoneyOfOrder = findingFirst(`
  order_id = $1 and type = 'COLLECTION' and state in ('completed', 'review')
    and returned_at is null`)

/** Money that the ledger holds and that came, or was bound, to this payment session. */
export const findMoneyOfSession = findingFirst(`
  type = 'COLLECTION' and state in ('completed', 'review') and returned_at is null
    and payment_collection_id = ${COLLECTION_OF_SESSION}
    and (payment_session_id = $1 or id in
         (select operation_id from mp_operation_session where payment_session_id = $1))
  order by is_duplicate, created_at desc`)

/** A recorded payment of a part of an order is not in the way of the rest's payment. */
const LIVE_BESIDE = `
  select ${OPERATION_COLUMNS} from mp_operation
   where (cart_id = $1 or order_id = $3 and recorded_at is null)
     and payment_collection_id <> $2 and ${LIVE}
   order by state = 'drafted', created_at, id`

/** Live operations of the other payment collections of the same cart or order, drafts last. */
export async function findLiveBeside(
  database: Database,
  of: {
    readonly cartId: CartId | null
    readonly orderId: OrderId | null
    readonly paymentCollectionId: PaymentCollectionId
  },
): Promise<Operation[]> {
  const { cartId, orderId, paymentCollectionId } = of
  if (cartId === null && orderId === null) return []
  return queryOperations(database, LIVE_BESIDE, [cartId, paymentCollectionId, orderId])
}

const OTHERS_OF_SOURCE = `
  select ${OPERATION_COLUMNS} from mp_operation
   where ${OF_COLLECTION} and source_id = $2 and id <> $3 and source_type = $4
     and ${mayShareNumbers("credential_id", "$5::text")}
   order by created_at desc, id desc`

/** Other operations with the same source, newest first: a retry reuses a failed push's source. */
export function findOthersOfSource(
  database: Database,
  operation: Pick<
    Operation,
    "id" | "paymentCollectionId" | "sourceType" | "sourceId" | "credentialId"
  >,
): Promise<Operation[]> {
  const { id, paymentCollectionId, sourceType, sourceId, credentialId } = operation
  const source = [paymentCollectionId, sourceId, id, sourceType, credentialId]
  return queryOperations(database, OTHERS_OF_SOURCE, source)
}
