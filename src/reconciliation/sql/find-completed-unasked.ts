/** What read COMPLETED and is to be asked about again, of an account. */
import type { Operation } from "../../core/operation"
import { CONFIRMED, CONTRADICTED } from "../../engine/ask-completed"
import type { Database } from "../../ledger/database"
import { OPERATION_COLUMNS, operationsFrom } from "../../ledger/operation-row"
import type { OnUnreadable } from "./find-for-period"

type Bounds = { readonly withinMs: number; readonly atMost: number }

/** Money that went back or out: the first answer after COMPLETED is one of these events. */
const COMPLETED_UNASKED = `
  select ${OPERATION_COLUMNS} from mp_operation o
   where account_id = $1 and type in ('REFUND', 'PAYOUT', 'TRANSFER') and state = 'completed'
     and reference is not null and created_at > now() - $2 * interval '1 ms'
     and not exists (
       select from mp_operation_event e
        where e.operation_id = o.id and e.name in ('${CONFIRMED}', '${CONTRADICTED}'))
   order by created_at, id limit $3`

/** Oldest first. */
export async function findCompletedUnasked(
  database: Database,
  accountId: string,
  { withinMs, atMost }: Bounds,
  onUnreadable: OnUnreadable,
): Promise<Operation[]> {
  const rows = await database.query(COMPLETED_UNASKED, [accountId, withinMs, atMost])
  return operationsFrom(rows, onUnreadable)
}

/**
 * A comparison that is repeated within the day does not ask again: what was asked since it was
 * completed waits for the next night.
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

/** Those asked longest ago first, so that each is asked in turn where there are too many. */
export async function findPaymentsToAskAgain(
  database: Database,
  accountId: string,
  { withinMs, atMost }: Bounds,
  onUnreadable: OnUnreadable,
): Promise<Operation[]> {
  const rows = await database.query(PAYMENTS, [accountId, withinMs, atMost])
  return operationsFrom(rows, onUnreadable)
}

/** Not an event: a week of such questions would be a week of rows that say nothing. */
const ASKED = "update mp_operation set checked_at = now() where id = $1 and state = 'completed'"

export async function noteAsked(database: Database, id: string): Promise<void> {
  await database.query(ASKED, [id])
}
