/** What a support bundle reads of the ledger. No column that holds a name or an address is named. */
import { idFrom } from "../../core/ids"
import { rowOf, rowsOf, type Database, type Row } from "../../ledger/database"
import { findEvents, type OperationEvent } from "../../ledger/find-events"

export type OperationCount = {
  readonly type: string
  readonly state: string
  readonly reason: string | null
  readonly count: number
}

/** How many operations there are of each type, state and reason. Reads the whole table once. */
export function countOperations(database: Database): Promise<OperationCount[]> {
  return rowsOf<OperationCount>(
    database,
    `select type, state, reason, count(*)::int as count
       from mp_operation group by type, state, reason order by type, state, reason`,
    [],
  )
}

/** The version of the database's server, such as `18.4`. */
export async function postgresVersion(database: Database): Promise<string> {
  const row = await rowOf<{ version: string }>(
    database,
    `select current_setting('server_version') as version`,
    [],
  )
  return row.version
}

const STORY = `
  select id, type, state, reason, flow, is_duplicate, account_id, version, provider_id,
         payment_collection_id, payment_session_id, cart_id, order_id, parent_id, retry_of,
         currency_code, fee_bearer, source_type, source_status, payment_method, checks,
         created_at, submitted_at, checked_at, next_check_at, recorded_at, expires_at, updated_at
    from mp_operation where id = $1`

type Story = { readonly row: Row; readonly events: readonly OperationEvent[] }

/** Ids, states, counts, times and events of one operation; undefined where there is none. */
export async function storyOf(database: Database, id: string): Promise<Story | undefined> {
  const [row] = await rowsOf(database, STORY, [id])
  return row && { row, events: await findEvents(database, idFrom(id)) }
}
