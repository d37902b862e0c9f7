/**
 * What the admin reads of the ledger: a page of operations by whatever somebody looks for, one
 * operation, and all of an order. One statement a page, each filter by an index.
 *
 * A page begins at an offset, or after a place: an offset is counted through row by row, a place is
 * found at once, however far down. How many there are is counted up to a bound; nobody reads a
 * million rows to learn that there are many.
 */
import { LIMITS } from "../../core/limits"
import type { Flow, Operation, OperationType, State } from "../../core/operation"
import type { Database, Row } from "../../ledger/database"
import { OPERATION_COLUMNS, operationFrom } from "../../ledger/operation-row"
import { IS_OF_KIND, KINDS } from "./operation-kinds"

export type OperationFilter = {
  readonly states?: readonly State[] | undefined
  readonly types?: readonly OperationType[] | undefined
  readonly flows?: readonly Flow[] | undefined
  readonly currency?: string | undefined
  readonly accountId?: string | undefined
  readonly paymentMethod?: string | undefined
  readonly createdFrom?: Date | undefined
  /** Not included. */
  readonly createdTo?: Date | undefined
  readonly orderId?: string | undefined
  readonly cartId?: string | undefined
  /** A UUID. */
  readonly reference?: string | undefined
  readonly phoneHint?: string | undefined
  /** One of an operation's ids, whole. */
  readonly q?: string | undefined
  readonly needsAttention?: boolean | undefined
}

/** A moment in the order of the list: newest first. */
export type Place = { readonly createdMicros: bigint; readonly id: string }

export type Paging = {
  readonly limit: number
  readonly offset: number
  /** Where the page before ended; the offset counts from there. */
  readonly after?: Place | undefined
}

/** Why it is listed for a person. */
export type Attention = "review" | "contradicted" | "refund_failed"

export type ListedOperation = {
  readonly operation: Operation
  readonly attention: Attention | null
  readonly providerTransactionId: string | null
  readonly messages: Readonly<Record<string, unknown>>
  readonly updatedAt: Date
  readonly dismissedAt: Date | null
  readonly place: Place
}

export type OperationPage = {
  readonly operations: readonly ListedOperation[]
  /** At most {@link LIMITS.listCountMax}; then there are more. */
  readonly count: number
  readonly isMore: boolean
}

/** Told to Medusa as given back, and it did not go through; nobody has asked for it again since. */
const REFUND_FAILED = `o.type = 'REFUND' and o.state in ('failed', 'expired')
  and o.answered_at is not null and o.dismissed_at is null
  and not exists (select from mp_operation again
                   where again.parent_id = o.parent_id and again.type = 'REFUND'
                     and again.created_at > o.created_at and again.host_amount = o.host_amount
                     and again.state not in ('failed', 'expired'))`

const ATTENTION = `
  case when o.state = 'review' then 'review'
       when o.state = 'completed' and o.contradicted_at is not null then 'contradicted'
       when ${REFUND_FAILED} then 'refund_failed' end`

/** The first line as the index `operation_for_a_person` says it. */
const FOR_A_PERSON = `(o.state = 'review' or o.contradicted_at is not null
     or (o.type = 'REFUND' and o.state in ('failed', 'expired') and o.answered_at is not null))
  and ${ATTENTION} is not null`

const COLUMNS = `${OPERATION_COLUMNS.replace("*", "o.*")}, ${ATTENTION} as attention,
  (extract(epoch from o.created_at) * 1000000)::bigint::text as created_micros`

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export async function listOperations(
  database: Database,
  filter: OperationFilter,
  paging: Paging,
): Promise<OperationPage> {
  const parameters: unknown[] = []
  const bind = (value: unknown) => `$${parameters.push(value)}`
  const { limit, offset } = paging
  const kind = kindConditions(filter, bind)
  const few = fewConditions(filter, bind)
  const rest = restConditions(filter, bind)
  const place = placeCondition(paging, bind)
  const page = { limit: limit + 1, offset }
  const rows = await database.query(
    kind.length > 0 && few.length === 0
      ? ofKinds({ kind, rest, place }, page)
      : ofAll({ where: [...kind, ...few, ...rest], place }, page),
    parameters,
  )
  const found = rows.filter((row) => row["id"] !== null).map(listedOperationFrom)
  return {
    operations: found.slice(0, limit),
    count: Math.min(Number(rows[0]?.["n"] ?? 0), LIMITS.listCountMax),
    isMore: found.length > limit,
  }
}

type Page = { readonly limit: number; readonly offset: number }

const NEWEST_FIRST = "order by o.created_at desc, o.id desc"

/** By the index of what is rare, or by the order of the list alone. */
function ofAll(
  { where, place }: { readonly where: readonly string[]; readonly place: readonly string[] },
  { limit, offset }: Page,
): string {
  return `
    with counted as (
      select count(*)::int as n from (
        select from mp_operation o where ${all(where)} limit ${LIMITS.listCountMax + 1}) listed
    ), page as (
      select ${COLUMNS} from mp_operation o where ${all([...where, ...place])}
       ${NEWEST_FIRST} limit ${limit} offset ${offset}
    )
    select counted.n, page.* from counted left join page on true
     order by page.created_at desc, page.id desc`
}

/**
 * Of each kind no more is read than may be on the page: the newest few of each, twice as many as
 * are wanted all together, say how far back (`since`) the last one of the page can lie at most.
 *
 * The limits stand in the text: for a number that it does not know the planner takes a tenth of the
 * table, and would read all of it. What is only counted has an order for its sake, too: where it
 * thinks that a kind has many rows, it would look for the first thousand in the whole table.
 */
function ofKinds(
  where: { readonly [part in "kind" | "rest" | "place"]: readonly string[] },
  { limit, offset }: Page,
): string {
  const ofKind = `from mp_operation o where ${all([IS_OF_KIND, ...where.rest])}`
  const fromPlace = `from mp_operation o where ${all([IS_OF_KIND, ...where.rest, ...where.place])}`
  const most = limit + offset
  return `
    with recursive ${KINDS}, wanted as materialized (
      select * from kind o where ${all(where.kind)}
    ), counted as (
      select count(*)::int as n from (
        select from wanted k cross join lateral (
          select ${ofKind} order by o.created_at desc limit ${LIMITS.listCountMax + 1}) o
         limit ${LIMITS.listCountMax + 1}) listed
    ), newest as (
      select o.created_at from wanted k cross join lateral (
        select o.created_at ${fromPlace} order by o.created_at desc
         limit (select 1 + ${2 * most} / count(*) from wanted)) o
    ), since as materialized (
      select created_at from newest order by created_at desc limit 1 offset ${most - 1}
    ), listed as materialized (
      select o.id from wanted k cross join lateral (
        select o.id, o.created_at ${fromPlace}
           and o.created_at >= coalesce((select created_at from since), '-infinity')
         ${NEWEST_FIRST} limit ${most}) o
       ${NEWEST_FIRST} limit ${limit} offset ${offset}
    ), page as (
      select ${COLUMNS} from mp_operation o where o.id in (select id from listed)
    )
    select counted.n, page.* from counted left join page on true
     order by page.created_at desc, page.id desc`
}

type Bind = (value: unknown) => string

/** Where nothing is said, `true`: a statement has to say something. */
const all = (conditions: readonly string[]) =>
  conditions.length === 0 ? "true" : conditions.join(" and ")

const equal = (column: string, value: string | undefined, bind: Bind): string[] =>
  value === undefined ? [] : [`o.${column} = ${bind(value)}`]

const oneOf = (column: string, values: readonly string[] | undefined, bind: Bind): string[] =>
  values === undefined ? [] : [`o.${column} = any(${bind([...values])}::text[])`]

/** What many share, and their kind says. */
function kindConditions(filter: OperationFilter, bind: Bind): string[] {
  return [
    ...oneOf("state", filter.states, bind),
    ...oneOf("type", filter.types, bind),
    ...oneOf("flow", filter.flows, bind),
    ...equal("currency_code", filter.currency, bind),
    ...equal("account_id", filter.accountId, bind),
    ...equal("payment_method", filter.paymentMethod, bind),
  ]
}

/** What few rows have, and an index of its own finds. */
function fewConditions(filter: OperationFilter, bind: Bind): string[] {
  return [
    ...equal("order_id", filter.orderId, bind),
    ...equal("cart_id", filter.cartId, bind),
    ...equal("phone_hint", filter.phoneHint, bind),
    ...(filter.reference ? [`o.reference = ${bind(filter.reference)}::uuid`] : []),
    ...(filter.needsAttention === true ? [FOR_A_PERSON] : []),
    ...(filter.q === undefined ? [] : [anyId(filter.q, bind)]),
  ]
}

/** What is checked in the order of the list. */
function restConditions(filter: OperationFilter, bind: Bind): string[] {
  return [
    ...(filter.createdFrom ? [`o.created_at >= ${bind(filter.createdFrom)}`] : []),
    ...(filter.createdTo ? [`o.created_at < ${bind(filter.createdTo)}`] : []),
    ...(filter.needsAttention === false ? [`${ATTENTION} is null`] : []),
  ]
}

function placeCondition({ after }: Paging, bind: Bind): string[] {
  if (!after) return []
  const micros = bind(after.createdMicros.toString())
  return [
    `(o.created_at, o.id) <
       (timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond', ${bind(after.id)})`,
  ]
}

/** Each of the ids by its own index; together they are a handful of rows. */
function anyId(q: string, bind: (value: unknown) => string): string {
  const text = bind(q)
  const columns = [
    "id",
    "parent_id",
    "payment_collection_id",
    "cart_id",
    "order_id",
    "host_refund_id",
    "provider_transaction_id",
    "source_number",
  ]
  const parts = columns.map((column) => `select id from mp_operation where ${column} = ${text}`)
  parts.push(`select operation_id from mp_operation_session where payment_session_id = ${text}`)
  if (UUID.test(q)) parts.push(`select id from mp_operation where reference = ${text}::uuid`)
  if (/^\d{1,15}$/.test(q)) {
    parts.push(`select id from mp_operation where payment_intent_id = ${text}::bigint`)
  }
  return `o.id in (${parts.join(" union all ")})`
}

const ONE = `select ${COLUMNS} from mp_operation o where o.id = $1`

export async function findListed(
  database: Database,
  id: string,
): Promise<ListedOperation | undefined> {
  const [row] = await database.query(ONE, [id])
  return row && listedOperationFrom(row)
}

const REFUNDS = `
  select ${COLUMNS} from mp_operation o
   where o.parent_id = $1 and o.type = 'REFUND' order by o.created_at, o.id limit $2`

/** Oldest first. */
export async function findListedRefunds(
  database: Database,
  collectionId: string,
): Promise<ListedOperation[]> {
  const rows = await database.query(REFUNDS, [collectionId, LIMITS.listPageMax])
  return rows.map(listedOperationFrom)
}

const OF_ORDER = `
  select ${COLUMNS} from mp_operation o
   where o.id in (select id from mp_operation where order_id = $1
                   union all
                  select id from mp_operation where payment_collection_id = any($2::text[]))
   order by o.created_at, o.id limit $3`

/**
 * Collections and refunds of an order, oldest first.
 *
 * @param collectionIds Medusa's payment collections of it: one that was placed before its money is
 *   not in the rows themselves
 */
export async function findOfOrder(
  database: Database,
  orderId: string,
  collectionIds: readonly string[],
): Promise<ListedOperation[]> {
  const rows = await database.query(OF_ORDER, [orderId, [...collectionIds], LIMITS.listPageMax])
  return rows.map(listedOperationFrom)
}

function listedOperationFrom(row: Row): ListedOperation {
  const attention = row["attention"]
  const messages = row["messages"]
  return {
    operation: operationFrom(row),
    attention:
      attention === "review" || attention === "contradicted" || attention === "refund_failed"
        ? attention
        : null,
    providerTransactionId: textOrNull(row["provider_transaction_id"]),
    messages: typeof messages === "object" && messages !== null ? { ...messages } : {},
    updatedAt: dateOrNull(row["updated_at"]) ?? operationFrom(row).createdAt,
    dismissedAt: dateOrNull(row["dismissed_at"]),
    place: { createdMicros: BigInt(String(row["created_micros"])), id: String(row["id"]) },
  }
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null
}

function dateOrNull(value: unknown): Date | null {
  return value instanceof Date ? value : null
}
