/**
 * The writes of a refund that are not made by its checks: its part of the collection is reserved,
 * and Medusa's refund row is bound to it.
 */
import { randomUUID } from "node:crypto"
import type { MedusaRefundId, OperationId, Reference } from "../../core/ids"
import { LIMITS } from "../../core/limits"
import type { EventCode } from "../../core/messages"
import type { Money } from "../../core/money"
import type { Operation } from "../../core/operation"
import { brokenRule, type Database } from "../../ledger/database"
import { OPERATION_COLUMNS, operationFrom, queryOperation } from "../../ledger/operation-row"
import { requestBecame, requestUsed, type People, type RequestUse } from "../../ledger/requests"
import { storable } from "../../core/storable"
import type { RefundsBefore } from "../rules/refund-amount"

/** A collection and what its refunds have taken so far, both as they were at one moment. */
export type RefundBasis = {
  readonly parent: Operation
  readonly before: RefundsBefore
  /** The part of the reserved money that came above what was asked for, in the smallest unit. */
  readonly restMinor: bigint
}

const BASIS = `
  select ${OPERATION_COLUMNS},
         (select coalesce(jsonb_agg(r.medusa_amount::text), '[]') from mp_operation r
           where r.parent_id = p.id and r.type = 'REFUND' and not r.is_duplicate
             and r.state not in ('failed', 'expired')) as medusa_amounts,
         (select coalesce(sum(r.amount_minor), 0)::text from mp_operation r
           where r.parent_id = p.id and r.type = 'REFUND' and r.is_duplicate
             and r.state not in ('failed', 'expired')) as late_minor,
         (select coalesce(sum(r.amount_minor), 0)::text from mp_operation r
           where r.parent_id = p.id and r.type = 'REFUND' and not r.is_duplicate
             and r.medusa_amount = 0 and r.state not in ('failed', 'expired')) as rest_minor
    from mp_operation p where p.id = $1 and p.type = 'COLLECTION'`

export async function findRefundBasis(
  database: Database,
  collectionOperationId: OperationId | null,
): Promise<RefundBasis | undefined> {
  const [row] = await database.query(BASIS, [collectionOperationId])
  if (!row) return undefined
  const parent = operationFrom(row)
  const amounts: unknown = row["medusa_amounts"]
  return {
    parent,
    restMinor: BigInt(String(row["rest_minor"])),
    before: {
      reservedMinor: parent.reservedRefundMinor,
      lateMinor: BigInt(String(row["late_minor"])),
      medusaAmounts: Array.isArray(amounts) ? amounts.map(String) : [],
    },
  }
}

/**
 * The failed refund of the same amount that the new refund replaces, if any: the one that an admin
 * holds by lease to make it again, else the last. Each failed refund is replaced by one alone.
 */
const FAILED_BEFORE = `(
  select f.id from mp_operation f
   where f.parent_id = $1 and f.type = 'REFUND' and f.state in ('failed', 'expired')
     and f.medusa_amount = $5::numeric and not f.is_duplicate and f.dismissed_at is null
     and not exists (select from mp_operation made where made.retry_of = f.id)
   order by coalesce(f.lease_until > now(), false) desc, f.created_at desc, f.id desc limit 1)`

/**
 * Reserves a refund's part of a collection, drafts the refund, and uses the request of the two
 * admins that it carries out, in one statement. `$2` is the
 * version that was read, and every reserve, release and return raises it. So the amount that was
 * worked out from the read row is right, or is not reserved.
 *
 * The row is locked before it is compared: of two requests at once the second waits, and gets
 * nothing. The table's constraint `refunds_never_exceed_what_was_collected` stands behind that.
 */
const reserveOf = (people: People | undefined) => `
  with request as materialized (
    ${people ? requestUsed(people, "REFUND", "$14::text", "$15::text") : "select where false"}
  ), parent as (
    select * from mp_operation
     where id = $1 and version = $2 and type = 'COLLECTION' and state in ('completed', 'review')
       and returned_at is null and reserved_refund_minor + $3 <= collected_minor
       and ($14::text is null or exists (select from request))
       for update
  ), reserved as (
    update mp_operation p
       set reserved_refund_minor = parent.reserved_refund_minor + $3,
           version = p.version + 1, updated_at = now()
      from parent where p.id = parent.id
    returning p.*
  ), parent_noted as (
    insert into mp_operation_event (operation_id, seq, name, state, code, facts)
    select id, version, 'refund_reserved', state, $9,
           jsonb_build_object('refund', $4::text, 'amount_minor', $3::text, 'asked_by', $7::text,
                              'note', $12::text)
      from reserved
  ), drafted as (
    insert into mp_operation (
      id, type, state, flow, account_id, credential_id, provider_id, payment_collection_id,
      payment_session_id, cart_id, order_id, parent_id, currency_code, amount_minor, medusa_amount,
      medusa_refund_id, retry_of, asked_by, source_type, payment_intent_id, expires_at, lease_token,
      lease_until, next_check_at, phone_hint, prompted_payer, customer_name, customer_email,
      search_words, draft_reference)
    select $4, 'REFUND', 'drafted', flow, account_id, credential_id, provider_id,
           payment_collection_id, payment_session_id, cart_id, order_id, id, currency_code, $3,
           $5::numeric, $6, ${FAILED_BEFORE}, $7, source_type, payment_intent_id,
           now() + $8 * interval '1 ms',
           $10::uuid, now() + $11 * interval '1 ms', now() + $11 * interval '1 ms',
           phone_hint, prompted_payer, customer_name, customer_email, search_words, $13::uuid
      from reserved
    returning *
  ), used as (
    ${requestBecame("$14::text", "$15::text", "$16::text", "drafted")}
  ), noted as (
    insert into mp_operation_event (operation_id, seq, name, state, code, facts)
    select id, version, 'draft', state, $9,
           jsonb_build_object('amount_minor', amount_minor::text, 'currency', currency_code,
                              'asked_for', medusa_amount::text, 'collection', parent_id,
                              'note', $12::text, 'agreed_with', $15::text)
      from drafted
  )
  select ${OPERATION_COLUMNS} from drafted`

export type RefundReserve = {
  readonly id: OperationId
  /** A UUID v4, the only reference under which its money may ever be sent. */
  readonly draftReference: Reference
  readonly amount: Money
  /** The amount that is asked for, in major units, as Medusa has it, not rounded. */
  readonly medusaAmount: string
  /** Medusa's own id of the refund; the same id gets the same refund. */
  readonly medusaRefundId: MedusaRefundId | null
  /** As in {@link Operation}. */
  readonly askedBy: string
  /** The code of both events: the refund's and the collection's. */
  readonly code: EventCode
  /** An admin's own words. */
  readonly note?: string | undefined
  /** Another admin's request, where two are needed. */
  readonly use?: RequestUse | undefined
}

/**
 * @param people who may use a request; needed where there is one
 * @returns the draft, held by lease; `"taken"` where Medusa's id has a refund already; undefined
 *   when the collection has changed since it was read, or the request can't be used any more
 */
export async function reserveRefund(
  database: Database,
  parent: Operation,
  reserve: RefundReserve,
  people?: People,
): Promise<Operation | "taken" | undefined> {
  try {
    return await queryOperation(database, reserveOf(reserve.use && people), [
      parent.id,
      parent.version,
      reserve.amount.minor.toString(),
      reserve.id,
      reserve.medusaAmount,
      reserve.medusaRefundId,
      reserve.askedBy,
      LIMITS.refundSessionMs,
      reserve.code,
      randomUUID(),
      LIMITS.refundDraftLeaseMs,
      reserve.note === undefined ? null : storable(reserve.note),
      reserve.draftReference,
      reserve.use?.id ?? null,
      reserve.use?.approvedBy ?? null,
      reserve.use?.answer ?? null,
    ])
  } catch (error) {
    if (brokenRule(error) === "one_refund_per_medusa_refund") return "taken"
    throw error
  }
}

/** `isOnItsWay` as SQL: a refund that Medusa may record as given back. */
const ON_ITS_WAY = `type = 'REFUND' and not is_duplicate
  and (state = 'completed' or state = 'in_flight' and failed_at is null)`

/**
 * Binds Medusa's refund row `$3` to the refund and commits the yes to Medusa. The version that was
 * read is compared, so of two rows that want the refund one gets it. The refund is due soon after,
 * so that the job checks what Medusa has written.
 *
 * Needs no lease: it moves no state, and the version makes a concurrent writer read again.
 */
const ADOPT = `
  with moved as (
    update mp_operation
       set medusa_refund_id = $3, answered_at = now(), recorded_at = null,
           version = version + 1, updated_at = now(),
           next_check_at = coalesce(next_check_at, now() + $4 * interval '1 ms')
     where id = $1 and version = $2 and ${ON_ITS_WAY}
       and set_config('synchronous_commit', 'on', true) = 'on'
    returning *
  ), noted as (
    insert into mp_operation_event (operation_id, seq, name, state, code, facts)
    select id, version, 'adopted', state, 'refund_adopted',
           jsonb_build_object('medusa_refund', medusa_refund_id, 'before', $5::text)
      from moved
  )
  select ${OPERATION_COLUMNS} from moved`

/** @returns undefined where another writer has moved or bound the refund since it was read */
export async function adoptRefund(
  database: Database,
  refund: Operation,
  medusaRefundId: MedusaRefundId,
): Promise<Operation | undefined> {
  const { id, version, medusaRefundId: before } = refund
  try {
    const dueInMs = LIMITS.refundAdoptedCheckMs
    return await queryOperation(database, ADOPT, [id, version, medusaRefundId, dueInMs, before])
  } catch (error) {
    if (brokenRule(error) === "one_refund_per_medusa_refund") return undefined
    throw error
  }
}

/**
 * Commits the yes to Medusa for the row that the refund is bound to. The answer is no where the
 * refund has failed meanwhile, or was bound to another row. It is no as well for a request that
 * took longer than a lease: the job counts it as dead, and may have removed its row.
 */
const ANSWER = `
  with moved as (
    update mp_operation
       set answered_at = coalesce(answered_at, now()), version = version + 1, updated_at = now()
     where id = $1 and medusa_refund_id = $2 and ${ON_ITS_WAY}
       and (answered_at is not null and recorded_at is null
            or created_at > now() - ${LIMITS.leaseMs} * interval '1 ms')
       and set_config('synchronous_commit', 'on', true) = 'on'
    returning *
  ), noted as (
    insert into mp_operation_event (operation_id, seq, name, state, code, facts)
    select id, version, 'answered_medusa', state, 'refund_answered',
           jsonb_build_object('medusa_refund', medusa_refund_id)
      from moved
  )
  select ${OPERATION_COLUMNS} from moved`

export async function answerRefund(
  database: Database,
  refundOperationId: OperationId,
  medusaRefundId: MedusaRefundId,
): Promise<Operation | undefined> {
  return queryOperation(database, ANSWER, [refundOperationId, medusaRefundId])
}
