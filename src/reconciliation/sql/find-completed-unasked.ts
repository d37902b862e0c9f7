/** Money that went back or out, of which the gateway has said COMPLETED and nothing after it. */
import type { Operation } from "../../core/operation"
import type { Database } from "../../ledger/database"
import { OPERATION_COLUMNS, operationsFrom } from "../../ledger/operation-row"
import type { OnUnreadable } from "./find-for-period"

/** The events of an answer after COMPLETED: each operation gets one of them. */
export const CONFIRMED = "confirmed_again"
export const CONTRADICTED = "contradicted"

const COMPLETED_UNASKED = `
  select ${OPERATION_COLUMNS} from mp_operation o
   where account_id = $1 and type in ('REFUND', 'PAYOUT', 'TRANSFER') and state = 'completed'
     and reference is not null and created_at > now() - $2 * interval '1 ms'
     and not exists (
       select from mp_operation_event e
        where e.operation_id = o.id and e.name in ('${CONFIRMED}', '${CONTRADICTED}'))
   order by created_at, id limit $3`

/** Oldest first, of an account. */
export async function findCompletedUnasked(
  database: Database,
  accountId: string,
  { withinMs, atMost }: { readonly withinMs: number; readonly atMost: number },
  onUnreadable: OnUnreadable,
): Promise<Operation[]> {
  const rows = await database.query(COMPLETED_UNASKED, [accountId, withinMs, atMost])
  return operationsFrom(rows, onUnreadable)
}
