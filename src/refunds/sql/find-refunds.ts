import { idFrom, type MedusaRefundId, type OperationId, type PaymentIntentId } from "../../core/ids"
import { LIMITS } from "../../core/limits"
import type { Operation } from "../../core/operation"
import { mayShareNumbers } from "../../ledger/accounts/credentials"
import type { Database } from "../../ledger/database"
import { findingAll, findingFirst } from "../../ledger/find-operations"

const BOUND = `
  select medusa_refund_id from mp_operation where medusa_refund_id = any($1::text[])`

/**
 * The collections with money for a payment session of Medusa's, even if the money went back: first
 * those that Medusa has recorded, then those that were not returned.
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

/** Every refund of the payments for a payment collection of Medusa's, oldest first. */
export const findRefundsOfMedusa = findingAll(
  `payment_collection_id = $1 and type = 'REFUND' order by created_at, id`,
)

/** Those of the given ids of Medusa's refund rows to which a refund of the ledger is bound. */
export async function findBoundRows(
  database: Database,
  medusaRefundIds: readonly MedusaRefundId[],
): Promise<ReadonlySet<MedusaRefundId | null>> {
  if (medusaRefundIds.length === 0) return new Set()
  const rows = await database.query(BOUND, [[...medusaRefundIds]])
  return new Set(
    rows.map((row) =>
      idFrom<MedusaRefundId>(idFrom<MedusaRefundId>(String(row["medusa_refund_id"]))),
    ),
  )
}

/** The refund that Medusa asked for under this id of its own. */
export const findByMedusaRefund = findingFirst(`medusa_refund_id = $1`)

const OF_INTENT = `
  select id from mp_operation
   where payment_intent_id = $1 and id <> $2 and type = 'COLLECTION'
     and ${mayShareNumbers("credential_id", "$3::text")}
   order by collected_minor is null limit 1`

/**
 * Another payment with this payment intent, of any account, because two accounts may belong to one
 * merchant. Payments of another gateway or merchant are left out: the same numbers mean other
 * payments there.
 */
export async function findOfIntent(
  database: Database,
  operation: Pick<Operation, "id" | "credentialId">,
  paymentIntentId: PaymentIntentId,
): Promise<{ readonly id: OperationId } | undefined> {
  const { id, credentialId } = operation
  const [row] = await database.query(OF_INTENT, [paymentIntentId, id, credentialId])
  return row && { id: idFrom(String(row["id"])) }
}

/** A refund under way counts as gone; one that failed or expired gave nothing back. */
const REFUNDED = `
  select coalesce(sum(amount_minor), 0)::text as minor from mp_operation
   where parent_id = $1 and type = 'REFUND' and state not in ('failed', 'expired')
     and created_at > now() - $2 * interval '1 ms'`

/** Money that refunds of the last day gave, or are to give, back of a collection; smallest unit. */
export async function refundedLately(
  database: Database,
  collectionOperationId: OperationId,
): Promise<bigint> {
  const [row] = await database.query(REFUNDED, [collectionOperationId, LIMITS.movedTogetherMs])
  return BigInt(String(row?.["minor"]))
}
