import { randomUUID } from "node:crypto"
import type { Operation } from "../core/operation"
import type { Database } from "./database"
import { OPERATION_COLUMNS, operationFrom, UnreadableRow } from "./operation-row"

/**
 * Takes up to `$3` operations that are due, for `$2` milliseconds. Two callers never get the same row.
 * A holder that dies loses the row when the lease ends; every later write repeats the lease token.
 * Shoppers who wait on screen come first, in what is taken and in what is answered.
 *
 * Materialized: as a plain `in (select … limit)` the planner may run the choice once for each row, and
 * each run takes others.
 */
export const CLAIM = `
  with due as materialized (
    select id from mp_operation
     where next_check_at is not null and next_check_at <= now()
       and (lease_until is null or lease_until < now())
     order by waiting desc, next_check_at
       for update skip locked
     limit $3
  ), taken as (
    update mp_operation o
       set lease_token = $1, lease_until = now() + $2 * interval '1 ms'
      from due
     where o.id = due.id
    returning o.*
  )
  select ${OPERATION_COLUMNS} from taken order by waiting desc, next_check_at`

export async function claimDueOperations(
  database: Database,
  claim: {
    readonly leaseMs: number
    readonly limit: number
    /** Told of each row that can't be read; it keeps its lease and holds up none of the others. */
    readonly onUnreadable?: (error: UnreadableRow) => void
  },
): Promise<Operation[]> {
  const rows = await database.query(CLAIM, [randomUUID(), claim.leaseMs, claim.limit])
  return rows.flatMap((row) => {
    try {
      return operationFrom(row)
    } catch (error) {
      if (!(error instanceof UnreadableRow) || !claim.onUnreadable) throw error
      claim.onUnreadable(error)
      return []
    }
  })
}

/** Takes one operation by its id, or nothing while somebody else holds it. */
const CLAIM_ONE = `
  update mp_operation
     set lease_token = $1, lease_until = now() + $2 * interval '1 ms'
   where id = $3 and (lease_until is null or lease_until < now())
  returning ${OPERATION_COLUMNS}`

export async function claimOperation(
  database: Database,
  id: string,
  leaseMs: number,
): Promise<Operation | undefined> {
  const rows = await database.query(CLAIM_ONE, [randomUUID(), leaseMs, id])
  return rows[0] && operationFrom(rows[0])
}
