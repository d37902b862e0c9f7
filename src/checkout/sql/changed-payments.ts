import { idFrom, type PaymentCollectionId, type PaymentSessionId } from "../../core/ids"
import type { Operation } from "../../core/operation"
import { BY_IMPORTANCE } from "../../ledger/find-operations"
import type { Database } from "../../ledger/database"
import { OPERATION_COLUMNS, operationFrom } from "../../ledger/operation-row"

/** A payment collection, and the mark of its row as last read; null: it is read in any case. */
export type Watched = {
  readonly paymentCollectionId: PaymentCollectionId
  readonly mark: string | null
}

export type Changed = {
  readonly paymentCollectionId: PaymentCollectionId
  readonly mark: string
  readonly operation: Operation
  /** The watched sessions of the collection that the ledger knows, also replaced ones. */
  readonly sessionIds: readonly PaymentSessionId[]
}

/** Any write to a row changes its `xmin`, also one that leaves the version as it is. */
const CHANGED = `
  select watched.collection_id as watched_collection, shown.*,
         array(select payment_session_id from mp_operation_session s
                where s.payment_session_id = any($3)
                  and s.payment_collection_id = watched.collection_id) as watched_sessions
    from unnest($1::text[], $2::text[]) as watched (collection_id, mark)
   cross join lateral
         (select ${OPERATION_COLUMNS}, id || ' ' || xmin::text as mark from mp_operation
           where payment_collection_id = watched.collection_id and type = 'COLLECTION'
           ${BY_IMPORTANCE} limit 1) shown
   where shown.mark is distinct from watched.mark`

/** @returns what each collection shows now, if it was written since its mark. One statement. */
export async function findChanged(
  database: Database,
  watched: readonly Watched[],
  sessionIds: readonly PaymentSessionId[],
): Promise<Changed[]> {
  const parameters = [
    watched.map(({ paymentCollectionId }) => paymentCollectionId),
    watched.map(({ mark }) => mark),
    sessionIds,
  ]
  const rows = await database.query(CHANGED, parameters, "changed payments")
  return rows.map((row) => ({
    paymentCollectionId: idFrom(String(row["watched_collection"])),
    mark: String(row["mark"]),
    operation: operationFrom(row),
    sessionIds: row["watched_sessions"] as PaymentSessionId[],
  }))
}
