/**
 * What open pages have to be told, read with one statement whose cost follows what was written
 * since the last reading, and not how many pages are open.
 */
import { idFrom, type PaymentCollectionId, type PaymentSessionId } from "../../core/ids"
import { LIMITS } from "../../core/limits"
import type { Operation } from "../../core/operation"
import { BY_IMPORTANCE } from "../../ledger/find-operations"
import type { Database, Row } from "../../ledger/database"
import { OPERATION_COLUMNS, operationFrom } from "../../ledger/operation-row"

export type Asked = {
  /** Events after this position are read; null: none. */
  readonly since: number | null
  /** The payment collections that pages show: what else was written is left out. */
  readonly watched: readonly PaymentCollectionId[]
  /** Those of them that are read though nothing was written. */
  readonly anyway: readonly PaymentCollectionId[]
}

export type Changed = {
  readonly paymentCollectionId: PaymentCollectionId
  /** Any write to a row changes its `xmin`, also one that leaves the version as it is. */
  readonly mark: string
  readonly operation: Operation
  /** The sessions of the collection that the ledger knows, also replaced ones. */
  readonly sessionIds: readonly PaymentSessionId[]
}

export type News = {
  readonly changed: readonly Changed[]
  /** The position of the newest event. */
  readonly newest: number
  /** More was written than one statement reads: some of it is not in `changed`. */
  readonly isCut: boolean
}

/**
 * The limit is a literal, and every step is an index's, because the planner knows neither how much
 * was written nor how many of the arrays' values there are.
 */
const NEWS = `
  with written as materialized (
    select operation_id from mp_operation_event
     where position > $1::bigint order by position limit ${LIMITS.streamsEventsMax}
  ), collections as materialized (
    select unnest($3::text[]) as collection_id
     union
    select o.payment_collection_id
      from (select distinct operation_id from written) w
     cross join lateral
           (select payment_collection_id from mp_operation
             where id = w.operation_id and type = 'COLLECTION' offset 0) o
     where o.payment_collection_id = any($2::text[])
  )
  select coalesce((select max(position) from mp_operation_event), 0)::float8 as newest_position,
         (select count(*) from written)::int as written_events, shown.*
    from (select) always
    left join (collections
   cross join lateral
         (select ${OPERATION_COLUMNS}, id || ' ' || xmin::text as mark from mp_operation
           where payment_collection_id = collections.collection_id and type = 'COLLECTION'
           ${BY_IMPORTANCE} limit 1) operation
   cross join lateral
         (select array(select s.payment_session_id
                         from mp_operation o
                         join mp_operation_session s on s.operation_id = o.id
                        where o.payment_collection_id = collections.collection_id
                          and o.type = 'COLLECTION') as known_sessions) sessions) shown on true`

export async function readNews(
  database: Database,
  { since, watched, anyway }: Asked,
): Promise<News> {
  const rows = await database.query(NEWS, [since, watched, anyway], "news of payments")
  return {
    changed: rows.filter((row) => row["id"] !== null).map(changedFrom),
    newest: Number(rows[0]?.["newest_position"] ?? 0),
    isCut: Number(rows[0]?.["written_events"] ?? 0) >= LIMITS.streamsEventsMax,
  }
}

function changedFrom(row: Row): Changed {
  return {
    paymentCollectionId: idFrom(String(row["collection_id"])),
    mark: String(row["mark"]),
    operation: operationFrom(row),
    sessionIds: row["known_sessions"] as PaymentSessionId[],
  }
}
