import { rowOf, type Database } from "../../ledger/database"

/** Messages of the last day that did not reach the person they are for. */
export type Untold = {
  /** A try has failed, and another one follows. */
  readonly triedAgain: number
  /** Given up, or nobody knows whether it was sent. */
  readonly givenUp: number
}

export function readUntold(database: Database): Promise<Untold> {
  return rowOf<Untold>(
    database,
    `select count(*) filter (where state = 'waiting')::int as "triedAgain",
            count(*) filter (where state <> 'waiting')::int as "givenUp"
       from mp_notification
      where state = 'waiting' and problem is not null
         or state in ('failed', 'unknown') and ended_at > now() - interval '1 day'`,
    [],
  )
}
