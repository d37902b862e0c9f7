import type { OperationId } from "../../core/ids"
import { LIMITS } from "../../core/limits"
import { rowOf, type Database } from "../../ledger/database"
import { FOR_A_PERSON } from "../../review/sql/attention"

/** Numbers of operations that only the plugin can bring to their end. */
export type Unfinished = {
  /** Money that may move, or has moved and is not in Medusa yet. */
  readonly underWay: number
  /** What waits for an admin. */
  readonly needDecision: number
  /** What has ended and is asked about for some days more, because money can still come. */
  readonly watched: number
  /** Ids of those that are under way or wait, the oldest first, at most a page of them. */
  readonly operations: readonly OperationId[]
}

const UNDER_WAY = `(state in ('drafted', 'submitted', 'in_flight')
  or state = 'completed' and next_check_at is not null)`

/** The carts that payments pay which are under way or wait for an admin. */
export async function readUnfinishedCarts(
  database: Database,
): Promise<{ readonly cartId: string; readonly providerId: string }[]> {
  const rows = await database.query(
    `select distinct cart_id, provider_id from mp_operation o
      where type = 'COLLECTION' and cart_id is not null and provider_id is not null
        and (${UNDER_WAY} or ${FOR_A_PERSON})`,
    [],
  )
  return rows.map((row) => ({
    cartId: String(row["cart_id"]),
    providerId: String(row["provider_id"]),
  }))
}

export function readUnfinished(database: Database): Promise<Unfinished> {
  return rowOf<Unfinished>(
    database,
    `select count(*) filter (where ${UNDER_WAY})::int as "underWay",
            count(*) filter (where ${FOR_A_PERSON})::int as "needDecision",
            count(*) filter (where state in ('failed', 'expired') and next_check_at is not null)::int
              as watched,
            coalesce((array_agg(id order by created_at)
              filter (where ${UNDER_WAY} or ${FOR_A_PERSON}))[1:$1], '{}') as operations
       from mp_operation o
      where next_check_at is not null or ${UNDER_WAY} or ${FOR_A_PERSON}`,
    [LIMITS.listPageMax],
  )
}
