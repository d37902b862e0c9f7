/**
 * Reads operations for sweeps and the reconciliation: many rows, in pages. A row that can't be read
 * goes to the callback; without a callback it throws.
 */
import type {
  AccountId,
  CredentialId,
  OperationId,
  PaymentSessionId,
  SourceId,
} from "../../core/ids"
import { LIMITS } from "../../core/limits"
import type { Operation, SourceType } from "../../core/operation"
import { COLUMN_LIST, accountFrom, type Account } from "../../ledger/accounts/find-accounts"
import { UNCOMPILED, type Database } from "../../ledger/database"
import { OPERATION_COLUMNS, operationsFrom, type UnreadableRow } from "../../ledger/operation-row"
import type { LedgerDeps } from "../../engine/deps"
import type { Period } from "../rules/reconciliation"
import type { LedgerPeriod } from "./figures-of-period"

export type OnUnreadable = (error: UnreadableRow) => void

/** Logs a row that can't be read, for a task that has no better use for it. */
export const logUnreadable =
  ({ logger }: Pick<LedgerDeps, "logger">): OnUnreadable =>
  (error) =>
    logger.error(`merchant payments: ${error.message}`)

/** The page's place is text, because the driver's date loses the microseconds. */
const PAGED = `${OPERATION_COLUMNS}, created_at::text || ' ' || id as place`

const placeIn = (parameter: string) =>
  `(regexp_replace(${parameter}, ' [^ ]+$', '')::timestamptz,
    regexp_replace(${parameter}, '^.* ', ''))`

/** Uses the index of what is not settled. */
const OPEN = `
  select ${PAGED} from mp_operation
   where type = 'COLLECTION' and state = $1 and returned_at is null
     and ($2::text is null or (created_at, id) < ${placeIn("$2")})
   order by created_at desc, id desc limit $3`

/** Collections in one state, newest first. */
export function findInState(
  database: Database,
  state: "drafted" | "submitted" | "in_flight",
  onUnreadable?: OnUnreadable,
  perPage?: number,
): Pages {
  return pagesOf(database, OPEN, [state], onUnreadable, perPage)
}

/** Pages of operations, read one after the other to bound the memory. */
type Pages = AsyncGenerator<readonly Operation[]>

/** @param given the statement's first parameters; the place and the size of the page follow them */
async function* pagesOf(
  database: Database,
  sql: string,
  given: readonly unknown[],
  onUnreadable?: OnUnreadable,
  perPage: number = LIMITS.upkeepRowsMax,
): Pages {
  let after: unknown = null
  do {
    const rows = await database.query(sql, [...given, after, perPage])
    yield operationsFrom(rows, onUnreadable)
    after = rows.length < perPage ? null : rows.at(-1)?.["place"]
  } while (after !== null)
}

/**
 * A source's number is among the words of its operations, which have an index. The number is
 * compared as well, because another number of an operation may be the same word. Each number is
 * looked up alone and the ids are put into an array, because the planner can't tell that they are
 * rare, and would read the table.
 */
const OF_SOURCES = `
  select ${OPERATION_COLUMNS} from mp_operation
   where type = 'COLLECTION' and (account_id = $1 or credential_id = any($4::text[]))
     and id = any(array(
       select unnest($2::text[])
       union
       select found.operation_id from unnest($3::bigint[]) source
        cross join lateral (
          select operation_id from mp_operation_search
           where words @@ quote_literal(source)::tsquery offset 0) found))
     and (id = any($2::text[]) or source_id = any($3::bigint[]))`

/** The payments among which sources are looked up. */
export type Among = {
  readonly accountId: AccountId
  /** Those made with these, too: the same merchant client's, whatever their account. */
  readonly credentialIds: readonly CredentialId[]
}

/** Every collection that has one of these ids, or pays one of these sources. */
export async function findOfSources(
  database: Database,
  { accountId, credentialIds }: Among,
  {
    operationIds,
    sourceIds,
  }: {
    readonly operationIds: readonly OperationId[]
    readonly sourceIds: readonly SourceId[]
  },
  onUnreadable?: OnUnreadable,
): Promise<Operation[]> {
  if (operationIds.length + sourceIds.length === 0) return []
  const sources = [accountId, [...operationIds], [...sourceIds], [...credentialIds]]
  return operationsFrom(await database.query(OF_SOURCES, sources, UNCOMPILED), onUnreadable)
}

const SOURCES_OF_PERIOD = `
  select o.source_id from mp_operation o
   where o.account_id = $1 and o.type = 'COLLECTION' and o.source_type = $2
     and o.source_id = any($3::bigint[])
     and (o.created_at >= $4 and o.created_at < $5
          or o.recorded_at >= $4 and o.recorded_at < $5
          or exists (select from mp_operation r
                      where r.parent_id = o.id and r.type = 'REFUND'
                        and r.created_at >= $4 and r.created_at < $5))`

/**
 * Which of these sources a collection pays that began in a period, was recorded in it, or has a
 * refund that was asked for in it.
 */
export async function findSourcesOfPeriod(
  database: Database,
  accountId: AccountId,
  sourceType: SourceType,
  sourceIds: readonly SourceId[],
  { from, until }: Period,
): Promise<ReadonlySet<number>> {
  if (sourceIds.length === 0) return new Set()
  const rows = await database.query(SOURCES_OF_PERIOD, [
    accountId,
    sourceType,
    [...sourceIds],
    from,
    until,
  ])
  return new Set(rows.map((row) => Number(row["source_id"])))
}

const OF_PERIOD = `
  select ${PAGED} from mp_operation
   where account_id = $1 and type = 'COLLECTION' and created_at >= $2 and created_at < $3
     and ($4::text is null or (created_at, id) > ${placeIn("$4")})
   order by created_at, id limit $5`

/** An account's collections that began in a period, oldest first. */
export function findOfPeriod(
  database: Database,
  accountId: AccountId,
  { from, until }: Period,
  onUnreadable?: OnUnreadable,
  perPage?: number,
): Pages {
  return pagesOf(database, OF_PERIOD, [accountId, from, until], onUnreadable, perPage)
}

const MONEY = `
  select ${PAGED} from mp_operation
   where account_id = any($1::text[]) and created_at >= $2 and created_at < $3
     and (type in ('COLLECTION', 'REFUND')
          and (state in ('submitted', 'in_flight', 'completed', 'review')
               or collected_minor is not null)
          or id = any($4::text[]))
     and ($5::text is null or (created_at, id) > ${placeIn("$5")})
   order by created_at, id limit $6`

/**
 * Payments and refunds that began in a period and moved money, or still may, oldest first.
 *
 * @param namedIds operations of the period that are included even if they ended without money
 */
export function findMoneyOfPeriod(
  database: Database,
  { accountIds, from, until }: LedgerPeriod,
  namedIds: readonly OperationId[],
): Pages {
  return pagesOf(database, MONEY, [[...accountIds], from, until, [...namedIds]])
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
  accountId: AccountId,
  { from, until }: Period,
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
  sessionIds: readonly PaymentSessionId[],
  onUnreadable?: OnUnreadable,
): Promise<Operation[]> {
  if (sessionIds.length === 0) return []
  return operationsFrom(await database.query(OF_SESSIONS, [[...sessionIds]]), onUnreadable)
}

const REMOVED = `
  select ${COLUMN_LIST} from mp_account a
   where deleted_at is not null
     and exists (select from mp_operation o
                  where o.account_id = a.id and o.created_at >= $1 and o.created_at < $2
                    and o.type in ('COLLECTION', 'REFUND'))
   order by id`

/** Removed accounts with operations that began in a period: their money was taken all the same. */
export async function findRemovedAccounts(
  database: Database,
  { from, until }: Period,
): Promise<Account[]> {
  return (await database.query(REMOVED, [from, until])).map(accountFrom)
}
