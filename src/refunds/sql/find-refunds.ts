import { LIMITS } from "../../core/limits"
import type { Operation } from "../../core/operation"
import { mayShareNumbers } from "../../ledger/accounts/credentials"
import type { Database } from "../../ledger/database"
import { findingAll, findingFirst } from "../../ledger/find-operations"

const BOUND = `
  select host_refund_id from mp_operation where host_refund_id = any($1::text[])`

/**
 * What was collected for a payment of Medusa's, even if it went back: first what Medusa recorded,
 * then what is still here.
 */
export const findCollectedFor = findingAll(`
  type = 'COLLECTION' and collected_minor is not null
    and payment_collection_id =
        (select payment_collection_id from mp_operation_session where payment_session_id = $1)
    and (payment_session_id = $1 or id in
        (select operation_id from mp_operation_session where payment_session_id = $1))
  order by recorded_at is null, returned_at is not null, is_duplicate, created_at desc, id`)

/** Every refund of a collection, whatever became of it, oldest first. */
export const findRefundsOf = findingAll(
  `parent_id = $1 and type = 'REFUND' order by created_at, id`,
)

/** Every refund of what was paid for a payment collection of Medusa's, oldest first. */
export const findRefundsOfHost = findingAll(
  `payment_collection_id = $1 and type = 'REFUND' order by created_at, id`,
)

/** Of these ids of Medusa's refund rows, those that a refund is bound to. */
export async function findBoundRows(
  database: Database,
  hostRefundIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (hostRefundIds.length === 0) return new Set()
  const rows = await database.query(BOUND, [[...hostRefundIds]])
  return new Set(rows.map((row) => String(row["host_refund_id"])))
}

/** The refund that Medusa asked for under this id of its own. */
export const findByHostRefund = findingFirst(`host_refund_id = $1`)

const OF_INTENT = `
  select id from mp_operation
   where payment_intent_id = $1 and id <> $2 and type = 'COLLECTION'
     and ${mayShareNumbers("credential_id", "$3::text")}
   order by collected_minor is null limit 1`

/**
 * Another payment with this payment intent, of any account: two may belong to one merchant. Another
 * gateway, or another merchant there, has the same numbers for other payments.
 */
export async function findOfIntent(
  database: Database,
  operation: Pick<Operation, "id" | "credentialId">,
  paymentIntentId: number,
): Promise<{ readonly id: string } | undefined> {
  const { id, credentialId } = operation
  const [row] = await database.query(OF_INTENT, [paymentIntentId, id, credentialId])
  return row && { id: String(row["id"]) }
}

/** Under way counts as gone; what failed or never landed gave nothing back. */
const REFUNDED = `
  select coalesce(sum(amount_minor), 0)::text as minor from mp_operation
   where parent_id = $1 and type = 'REFUND' and state not in ('failed', 'expired')
     and created_at > now() - $2 * interval '1 ms'`

/** What of a collection was given back, or is on its way, within a day; in smallest units. */
export async function refundedLately(database: Database, collectionId: string): Promise<bigint> {
  const [row] = await database.query(REFUNDED, [collectionId, LIMITS.movedTogetherMs])
  return BigInt(String(row?.["minor"]))
}
