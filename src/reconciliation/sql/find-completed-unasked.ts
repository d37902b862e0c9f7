/** Finds an account's operations that read COMPLETED and are to be asked about again. */
import type { AccountId, OperationId } from "../../core/ids"
import type { Operation } from "../../core/operation"
import { CONFIRMED, CONTRADICTED } from "../../engine/ask-completed"
import { UNCOMPILED, type Database } from "../../ledger/database"
import { OPERATION_COLUMNS, operationsFrom } from "../../ledger/operation-row"
import type { OnUnreadable } from "./find-for-period"

type Bounds = { readonly withinMs: number; readonly atMost: number }

/**
 * Refunds, payouts and transfers that had no answer after COMPLETED. The first answer after it is
 * noted as one of these two events.
 */
const COMPLETED_UNASKED = `
  select ${OPERATION_COLUMNS} from mp_operation o
   where account_id = $1 and type in ('REFUND', 'PAYOUT', 'TRANSFER') and state = 'completed'
     and reference is not null and created_at > now() - $2 * interval '1 ms'
     and not exists (
       select from mp_operation_event e
        where e.operation_id = o.id and e.name in ('${CONFIRMED}', '${CONTRADICTED}'))
   order by created_at, id limit $3`

/** Refunds, payouts and transfers to ask about again, oldest first. */
export async function findCompletedUnasked(
  database: Database,
  accountId: AccountId,
  { withinMs, atMost }: Bounds,
  onUnreadable: OnUnreadable,
): Promise<Operation[]> {
  const rows = await database.query(COMPLETED_UNASKED, [accountId, withinMs, atMost], UNCOMPILED)
  return operationsFrom(rows, onUnreadable)
}

/**
 * A comparison that is repeated within the day does not ask again: a payment that was asked about
 * since its completion waits for the next night.
 */
const PAYMENTS = `
  select ${OPERATION_COLUMNS} from mp_operation o
   where account_id = $1 and type = 'COLLECTION' and state = 'completed'
     and returned_at is null and created_at > now() - $2 * interval '1 ms'
     and (checked_at is null or checked_at < now() - interval '20 hours'
          or not exists (select from mp_operation_event e
                          where e.operation_id = o.id and e.name = 'complete'
                            and e.created_at < o.checked_at))
   order by checked_at nulls first, id limit $3`

/**
 * Payments to ask about again. The ones asked longest ago come first, so that each is asked in turn
 * if there are too many.
 */
export async function findPaymentsToAskAgain(
  database: Database,
  accountId: AccountId,
  { withinMs, atMost }: Bounds,
  onUnreadable: OnUnreadable,
): Promise<Operation[]> {
  const rows = await database.query(PAYMENTS, [accountId, withinMs, atMost], UNCOMPILED)
  return operationsFrom(rows, onUnreadable)
}

/**
 * Noted in the row, not as an event: a week of such questions would be a week of events that say
 * nothing.
 */
const ASKED = "update mp_operation set checked_at = now() where id = $1 and state = 'completed'"

export async function noteAsked(database: Database, id: OperationId): Promise<void> {
  await database.query(ASKED, [id])
}
