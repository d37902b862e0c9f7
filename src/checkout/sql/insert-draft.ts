import { randomUUID } from "node:crypto"
import { isOnlyMadeByAdmins } from "../../core/flows"
import type { Operation } from "../../core/operation"
import type { Database } from "../../ledger/database"
import { inserted } from "../../ledger/advance-operation"
import { OPERATION_COLUMNS, queryOperation } from "../../ledger/operation-row"

/** The fields of an operation that `start` knows from its first moment. */
type Known = Pick<
  Operation,
  | ("id" | "draftReference" | "flow" | "accountId" | "credentialId" | "providerId")
  | ("paymentCollectionId" | "paymentSessionId" | "cartId" | "orderId" | "amount" | "lines")
  | ("sourceType" | "feeBearer" | "returnToken" | "successUrl" | "cancelUrl" | "phoneHint")
>

export type Draft = Known & {
  /** The admin who asked for a link or a prompt; null or left out for a shopper's start. */
  readonly askedBy?: string | null
  readonly customerName: string | null
  readonly customerEmail: string | null
  /** The words by which an admin's search finds the payment; see `core/search-words`. */
  readonly searchWords: readonly string[]
  readonly windowMs: number
  /** Milliseconds that a new order waits for its money; null: as long as its other operations. */
  readonly orderWindowMs: number | null
  readonly leaseMs: number
}

/**
 * Inserts a new collection, its first event and its session, in one statement. No row comes back if
 * the payment collection already has a live operation, which a constraint decides and not a read,
 * or if the order's time to be paid is over. All operations of an order share its time to be paid.
 */
export function insertDraft(
  database: Database,
  { amount, windowMs, orderWindowMs, leaseMs, ...draft }: Draft,
): Promise<Operation | undefined> {
  const { paymentCollectionId, orderId } = draft
  const times = [windowMs, orderWindowMs, leaseMs]
  const code = isOnlyMadeByAdmins(draft.flow) ? "link_made" : "shopper_starts"
  const parameters: unknown[] = [paymentCollectionId, orderId, ...times, randomUUID(), code]
  const fields = { ...draft, currencyCode: amount.currency, amountMinor: amount.minor }
  const { columns, values } = inserted(fields, parameters)
  const insert = `
  with known as (
    select min(window_ends_at) as ends_at from mp_operation
     where payment_collection_id = $1 and order_id = $2 and type = 'COLLECTION'
  ), order_window as (
    select coalesce(ends_at, now() + $4::double precision * interval '1 ms') as ends_at from known
  ), drafted as (
    insert into mp_operation (
      type, state, expires_at, window_ends_at, waiting, waiting_at, lease_token, lease_until,
      next_check_at, ${columns})
    select 'COLLECTION', 'drafted', least(now() + $3 * interval '1 ms', ends_at), ends_at, $5 > 0,
           case when $5 > 0 then now() end, $6,
           case when $5 > 0 then now() + $5 * interval '1 ms' end,
           least(now() + $3 * interval '1 ms', ends_at), ${values}
      from order_window
     where ends_at is null or ends_at > now()
    on conflict do nothing
    returning *
  ), noted as (
    insert into mp_operation_event (operation_id, seq, name, state, code, facts)
    select id, version, 'draft', state,
           $7,
           jsonb_strip_nulls(jsonb_build_object(
             'amount_minor', amount_minor::text, 'currency', currency_code, 'asked_by', asked_by))
      from drafted
  ), bound as (
    insert into mp_operation_session (payment_session_id, operation_id, payment_collection_id)
    select payment_session_id, id, payment_collection_id from drafted
    on conflict (payment_session_id) do update set operation_id = excluded.operation_id
  )
  select ${OPERATION_COLUMNS} from drafted`
  return queryOperation(database, insert, parameters)
}
