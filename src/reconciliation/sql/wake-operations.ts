/**
 * Makes operations due for the job that checks them. No state moves here: the check asks and
 * decides. An operation that a worker holds keeps its lease.
 */
import type { OperationId } from "../../core/ids"
import { rowsOf, type Database } from "../../ledger/database"

/**
 * I7: an operation that is not final has a next check. If it has none, a mistake of the code or of
 * an operator left it so, and its money would never be asked about again.
 */
const WAKE_FORGOTTEN = `
  with forgotten as materialized (
    select id from mp_operation
     where next_check_at is null and recorded_at is null and returned_at is null
       and state in ('drafted', 'submitted', 'in_flight', 'completed')
       and (state <> 'completed' or (type = 'COLLECTION'
            and reserved_refund_minor <= greatest(0, collected_minor - amount_minor)))
       and (lease_until is null or lease_until < now())
     order by id limit $1
       for update skip locked
  )
  update mp_operation o set next_check_at = now()
    from forgotten where o.id = forgotten.id
  returning o.id, o.state`

type Woken = { readonly id: OperationId; readonly state: string }

/** @returns operations that would never be checked again, now due; at most `limit` of them */
export function wakeForgotten(database: Database, limit: number): Promise<Woken[]> {
  return rowsOf<Woken>(database, WAKE_FORGOTTEN, [limit])
}

/**
 * An earlier next check stays. A paid operation is left out: its checks have their own pauses, and
 * an end.
 */
const WAKE = `
  update mp_operation
     set next_check_at = least(next_check_at, now()),
         source_status = case when $2 then 'PAID' else source_status end
   where id = $1 and state in ('drafted', 'submitted', 'in_flight')
  returning id`

/**
 * @param isPaid the gateway lists the payment's source as paid: until the check, it is on its way
 * @returns whether the operation is under way, and so due now
 */
export async function wakeOperation(
  database: Database,
  id: OperationId,
  isPaid = false,
): Promise<boolean> {
  return (await database.query(WAKE, [id, isPaid])).length > 0
}

/**
 * For an order whose cancellation was not noted: Medusa's event was lost, or came before the money
 * was recorded.
 */
const ORDER_CANCELED = `
  update mp_operation set order_canceled_at = coalesce(order_canceled_at, now())
   where id = $1 and type = 'COLLECTION'`

/**
 * Lists the payment for an admin from now on, while its money is neither given back nor on its way.
 */
export async function noteOrderCanceled(database: Database, id: OperationId): Promise<void> {
  await database.query(ORDER_CANCELED, [id])
}
