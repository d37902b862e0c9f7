import type { PaymentSessionId } from "../../core/ids"
import type { Operation } from "../../core/operation"
import type { Database } from "../../ledger/database"
import { OPERATION_COLUMNS, queryOperation } from "../../ledger/operation-row"

/**
 * Points a live operation to the payment session that Medusa made in place of the old one. The
 * caller has compared provider, amount and currency, and holds no lease: the state stays as it is,
 * and a concurrent writer sees another version and reads the row again.
 */
const REBIND = `
  with moved as (
    update mp_operation
       set payment_session_id = $3, version = version + 1, updated_at = now()
     where id = $1 and version = $2
    returning *
  ), noted as (
    insert into mp_operation_event (operation_id, seq, name, state, code, facts)
    select id, version, 'rebound', state, 'rebound',
           jsonb_build_object('payment_session_id', payment_session_id)
      from moved
  ), bound as (
    insert into mp_operation_session (payment_session_id, operation_id, payment_collection_id)
    select payment_session_id, id, payment_collection_id from moved
    on conflict (payment_session_id) do update set operation_id = excluded.operation_id
  )
  select ${OPERATION_COLUMNS} from moved`

export function rebindOperation(
  database: Database,
  operation: Operation,
  sessionId: PaymentSessionId,
): Promise<Operation | undefined> {
  return queryOperation(database, REBIND, [operation.id, operation.version, sessionId])
}

/**
 * Keeps the payment sessions that were made for an operation, also those it was never bound to: a
 * storefront holds their ids, and asks with them after Medusa has deleted the sessions.
 */
const NOTE = `
  insert into mp_operation_session (payment_session_id, operation_id, payment_collection_id)
  select unnest($3::text[]), $1, $2
  on conflict (payment_session_id) do nothing`

export async function noteSessions(
  database: Database,
  operation: Pick<Operation, "id" | "paymentCollectionId">,
  sessionIds: readonly PaymentSessionId[],
): Promise<void> {
  await database.query(NOTE, [operation.id, operation.paymentCollectionId, sessionIds])
}
