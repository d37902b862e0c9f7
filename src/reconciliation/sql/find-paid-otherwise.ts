import { LIMITS } from "../../core/limits"
import type { Operation } from "../../core/operation"
import type { Database } from "../../ledger/database"
import { OPERATION_COLUMNS, queryOperations } from "../../ledger/operation-row"

const PAID_OTHERWISE = `
  select ${OPERATION_COLUMNS} from mp_operation
   where paid_otherwise_at > now() - ${LIMITS.watchForMs} * interval '1 ms'
     and next_check_at is null and reference is not null
   order by paid_otherwise_at desc limit $1`

/** Payments without a next check whose prompt read FAILED while their source was paid, newest first. */
export function findPaidOtherwise(database: Database, limit: number): Promise<Operation[]> {
  return queryOperations(database, PAID_OTHERWISE, [limit])
}
