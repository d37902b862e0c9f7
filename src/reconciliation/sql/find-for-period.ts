/**
 * What sweeps and reconciliation read of the ledger: many rows at once, in pages. Each takes who is
 * told of a row that can't be read; without one it throws.
 */
import type { Operation } from "../../core/operation"
import type { Database, Row } from "../../ledger/database"
import { OPERATION_COLUMNS, operationsFrom, type UnreadableRow } from "../../ledger/operation-row"

export type OnUnreadable = (error: UnreadableRow) => void

/** Rows of one page, and where the next one begins; undefined after the last. */
export type Page = { readonly operations: readonly Operation[]; readonly next: string | undefined }

/** By the index over state and age. The place is exact: a driver's date would have lost its end. */
const OPEN = `
  select ${OPERATION_COLUMNS}, created_at::text || ' ' || id as place from mp_operation
   where type = 'COLLECTION' and state = $1 and returned_at is null
     and ($2::text is null or (created_at, id) < (
           regexp_replace($2, ' [^ ]+$', '')::timestamptz, regexp_replace($2, '^.* ', '')))
   order by created_at desc, id desc limit $3`

/**
 * Collections in one state, newest first. @param after where the page before said that it begins
 */
export async function findInState(
  database: Database,
  state: "drafted" | "submitted" | "in_flight",
  after: string | undefined,
  limit: number,
  onUnreadable?: OnUnreadable,
): Promise<Page> {
  return pageOf(await database.query(OPEN, [state, after ?? null, limit]), limit, onUnreadable)
}

function pageOf(rows: readonly Row[], limit: number, onUnreadable?: OnUnreadable): Page {
  const place = rows.length < limit ? undefined : rows.at(-1)?.["place"]
  return {
    operations: operationsFrom(rows, onUnreadable),
    next: typeof place === "string" ? place : undefined,
  }
}

const OF_DOCUMENTS = `
  select ${OPERATION_COLUMNS} from mp_operation
   where type = 'COLLECTION' and account_id = $1
     and (id = any($2::text[]) or id in (
       select id from mp_operation where account_id = $1 and source_id = any($3::bigint[])))`

/** Every collection that has one of these ids, or pays one of these documents. */
export async function findOfDocuments(
  database: Database,
  accountId: string,
  documents: { readonly operationIds: readonly string[]; readonly sourceIds: readonly number[] },
  onUnreadable?: OnUnreadable,
): Promise<Operation[]> {
  if (documents.operationIds.length + documents.sourceIds.length === 0) return []
  const rows = await database.query(OF_DOCUMENTS, [
    accountId,
    [...documents.operationIds],
    [...documents.sourceIds],
  ])
  return operationsFrom(rows, onUnreadable)
}

const OF_PERIOD = `
  select ${OPERATION_COLUMNS}, created_at::text || ' ' || id as place from mp_operation
   where account_id = $1 and type = 'COLLECTION' and created_at >= $2 and created_at < $3
     and ($4::text is null or (created_at, id) > (
           regexp_replace($4, ' [^ ]+$', '')::timestamptz, regexp_replace($4, '^.* ', '')))
   order by created_at, id limit $5`

/** An account's collections that began in a period, oldest first. */
export async function findOfPeriod(
  database: Database,
  accountId: string,
  period: { readonly from: Date; readonly until: Date },
  page: { readonly after: string | undefined; readonly limit: number },
  onUnreadable?: OnUnreadable,
): Promise<Page> {
  const { from, until } = period
  const parameters = [accountId, from, until, page.after ?? null, page.limit]
  return pageOf(await database.query(OF_PERIOD, parameters), page.limit, onUnreadable)
}

const WITH_UNCLEAR_LINE = `
  select ${OPERATION_COLUMNS} from mp_operation
   where type = 'COLLECTION' and account_id = $1 and id in (
     select r.parent_id from mp_operation r
       join mp_operation_event e on e.operation_id = r.id
      where r.account_id = $1 and r.type = 'REFUND' and r.created_at >= $2 and r.created_at < $3
        and e.facts ->> 'credit_line' = 'unclear')`

/** Collections with a refund of the period whose credit line in Medusa is not known. */
export async function findWithUnclearLine(
  database: Database,
  accountId: string,
  { from, until }: { readonly from: Date; readonly until: Date },
  onUnreadable?: OnUnreadable,
): Promise<Operation[]> {
  const rows = await database.query(WITH_UNCLEAR_LINE, [accountId, from, until])
  return operationsFrom(rows, onUnreadable)
}

const OF_SESSIONS = `
  select ${OPERATION_COLUMNS} from mp_operation
   where type = 'COLLECTION' and id in (
     select operation_id from mp_operation_session where payment_session_id = any($1::text[]))`

/** Every collection that one of these payment sessions belongs to. */
export async function findOfSessions(
  database: Database,
  sessionIds: readonly string[],
  onUnreadable?: OnUnreadable,
): Promise<Operation[]> {
  if (sessionIds.length === 0) return []
  return operationsFrom(await database.query(OF_SESSIONS, [[...sessionIds]]), onUnreadable)
}
