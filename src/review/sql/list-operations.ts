/**
 * What the admin reads of the ledger: a page of operations by a filter, one operation, and all of
 * an order. One statement a page, each filter by an index.
 *
 * A page begins at an offset, which is counted through row by row, or after a place, which is found
 * at once. `list-page.ts` has the statements.
 */
import { LIMITS } from "../../core/limits"
import type { Flow, Operation, OperationType, State } from "../../core/operation"
import { momentIn, type Database, type Row } from "../../ledger/database"
import { OPERATION_COLUMNS, operationFrom } from "../../ledger/operation-row"
import type { OperationSummary } from "../rules/review-responses"
import { ATTENTION, FOR_A_PERSON } from "./attention"
import { NEWEST_FIRST, pageStatement, type Order } from "./list-page"

export type OperationFilter = {
  readonly states?: readonly State[] | undefined
  readonly types?: readonly OperationType[] | undefined
  readonly flows?: readonly Flow[] | undefined
  readonly currency?: string | undefined
  readonly accountId?: string | undefined
  readonly paymentMethods?: readonly string[] | undefined
  readonly createdFrom?: Date | undefined
  /** Not included. */
  readonly createdTo?: Date | undefined
  readonly orderId?: string | undefined
  readonly cartId?: string | undefined
  /** A UUID. */
  readonly reference?: string | undefined
  readonly phoneHint?: string | undefined
  /** A query of PostgreSQL's text search, over `mp_operation_search`. */
  readonly words?: string | undefined
  /** Payments alone: where their money is, as the reconciliation counts it, or wherever it is. */
  readonly money?: MoneyPlace | undefined
  readonly needsAttention?: boolean | undefined
}

export const MONEY_PLACES = [
  "received",
  "recorded",
  "under_review",
  "given_back",
  "dismissed",
  "under_way",
] as const
export type MoneyPlace = (typeof MONEY_PLACES)[number]

/** A moment in the order of the list: newest first. */
export type Place = { readonly createdMicros: bigint; readonly id: string }

export type Paging = {
  readonly limit: number
  readonly offset: number
  /** Where the page before ended; the offset counts from there. */
  readonly after?: Place | undefined
  /** Newest first, unless said otherwise. */
  readonly order?: Order | undefined
}

export type ListedOperation = {
  readonly operation: Operation
  readonly customer: OperationSummary["customer"]
  readonly attention: OperationSummary["attention"]
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

const COLUMNS = `${OPERATION_COLUMNS.replace("*", "o.*")}, ${ATTENTION} as attention,
  (extract(epoch from o.created_at) * 1000000)::bigint::text as created_micros`

export async function listOperations(
  database: Database,
  filter: OperationFilter,
  paging: Paging,
): Promise<OperationPage> {
  const parameters: unknown[] = []
  const bind = (value: unknown) => `$${parameters.push(value)}`
  const { limit, offset } = paging
  const statement = pageStatement({
    columns: COLUMNS,
    kind: kindConditions(filter, bind),
    few: fewConditions(filter, bind),
    rest: restConditions(filter, bind),
    place: placeCondition(paging, bind),
    words: filter.words === undefined ? undefined : bind(filter.words),
    order: paging.order ?? NEWEST_FIRST,
    limit: limit + 1,
    offset,
  })
  const rows = await database.query(statement, parameters)
  const found = rows.filter((row) => row["id"] !== null).map(listedOperationFrom)
  const isMore = found.length > limit
  // Too many candidates to be counted are at least those that were read.
  const uncounted = isMore ? LIMITS.listCountMax : offset + found.length
  const n = rows[0]?.["n"] ?? uncounted
  return {
    operations: found.slice(0, limit),
    count: Math.min(Number(n), LIMITS.listCountMax),
    isMore,
  }
}

const IS_ELSEWHERE = `o.type = 'COLLECTION' and o.recorded_at is null
  and (o.returned_at is not null
       or (o.state in ('failed', 'expired') and o.collected_minor is not null))`

/** Two of them as the index `operation_money_elsewhere` says them. All but the first two are few. */
const MONEY_IS: Readonly<Record<MoneyPlace, string>> = {
  received: "o.type = 'COLLECTION' and (o.collected_minor is not null or o.state = 'completed')",
  recorded: "o.type = 'COLLECTION' and o.recorded_at is not null",
  under_review: "o.type = 'COLLECTION' and o.state = 'review' and o.recorded_at is null",
  given_back: `${IS_ELSEWHERE} and o.returned_at is not null and o.state <> 'review'`,
  dismissed: `${IS_ELSEWHERE} and o.returned_at is null`,
  // Money that waits to be recorded is due.
  under_way: `o.type = 'COLLECTION' and o.recorded_at is null and o.returned_at is null
    and (o.state in ('drafted', 'submitted', 'in_flight')
         or (o.state = 'completed' and o.next_check_at is not null))`,
}

/** True of most payments, so that no index is of use. */
const isMost = (money: MoneyPlace) => money === "received" || money === "recorded"

type Bind = (value: unknown) => string

const equal = (column: string, value: string | undefined, bind: Bind): string[] =>
  value === undefined ? [] : [`o.${column} = ${bind(value)}`]

const oneOf = (column: string, values: readonly string[] | undefined, bind: Bind): string[] =>
  values === undefined ? [] : [`o.${column} = any(${bind([...values])}::text[])`]

/** What many operations share: their kind. */
function kindConditions(filter: OperationFilter, bind: Bind): string[] {
  return [
    ...oneOf("state", filter.states, bind),
    ...oneOf("type", filter.types, bind),
    ...oneOf("flow", filter.flows, bind),
    ...equal("currency_code", filter.currency, bind),
    ...equal("account_id", filter.accountId, bind),
    ...oneOf("payment_method", filter.paymentMethods, bind),
  ]
}

/** What few rows have in common: an index of its own finds them. */
function fewConditions(filter: OperationFilter, bind: Bind): string[] {
  return [
    ...equal("order_id", filter.orderId, bind),
    ...equal("cart_id", filter.cartId, bind),
    ...equal("phone_hint", filter.phoneHint, bind),
    ...(filter.reference ? [`o.reference = ${bind(filter.reference)}::uuid`] : []),
    ...(filter.needsAttention === true ? [FOR_A_PERSON] : []),
    ...(filter.money && !isMost(filter.money) ? [MONEY_IS[filter.money]] : []),
  ]
}

/** Filters while the list is walked in its order. */
function restConditions(filter: OperationFilter, bind: Bind): string[] {
  return [
    ...(filter.createdFrom ? [`o.created_at >= ${bind(filter.createdFrom)}`] : []),
    ...(filter.createdTo ? [`o.created_at < ${bind(filter.createdTo)}`] : []),
    ...(filter.money && isMost(filter.money) ? [MONEY_IS[filter.money]] : []),
    ...(filter.needsAttention === false ? [`${ATTENTION} is null`] : []),
  ]
}

/** Of a list by moment; a list by amount has no places. */
function placeCondition({ after, order }: Paging, bind: Bind): string[] {
  if (!after || order?.by === "amount") return []
  const micros = bind(after.createdMicros.toString())
  return [
    `(o.created_at, o.id) ${order?.isAscending ? ">" : "<"}
       (timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond', ${bind(after.id)})`,
  ]
}

/** Operations that a filter finds. @param most is counted up to */
export async function countListed(
  database: Database,
  filter: OperationFilter,
  most: number,
): Promise<number> {
  const parameters: unknown[] = []
  const bind = (value: unknown) => `$${parameters.push(value)}`
  const where = [
    ...kindConditions(filter, bind),
    ...fewConditions(filter, bind),
    ...restConditions(filter, bind),
    ...(filter.words === undefined ? [] : [`o.id in (${FOUND} ${bind(filter.words)}::tsquery)`]),
    "true",
  ]
  const [row] = await database.query(
    `select count(*)::int as n from (
       select from mp_operation o where ${where.join(" and ")} limit ${bind(most)}) listed`,
    parameters,
  )
  return Number(row?.["n"])
}

const FOUND = "select operation_id from mp_operation_search where words @@"

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

/** What needs a person's attention, at most {@link LIMITS.listCountMax}; then there are more. */
export function countForAPerson(database: Database): Promise<number> {
  return countListed(database, { needsAttention: true }, LIMITS.listCountMax)
}

function listedOperationFrom(row: Row): ListedOperation {
  const operation = operationFrom(row)
  const { attention, messages, provider_transaction_id, updated_at, dismissed_at } = row
  return {
    operation,
    customer: customerFrom(row),
    attention: attention as OperationSummary["attention"],
    providerTransactionId: provider_transaction_id as string | null,
    messages: typeof messages === "object" && messages !== null ? { ...messages } : {},
    updatedAt: momentIn(updated_at),
    dismissedAt: dismissed_at === null ? null : momentIn(dismissed_at),
    place: { createdMicros: BigInt(String(row["created_micros"])), id: operation.id },
  }
}

/** Of a payout the recipient, who has no e-mail address here. */
function customerFrom(row: Row): OperationSummary["customer"] {
  const name = (row["customer_name"] ?? row["recipient_name"]) as string | null
  const email = row["customer_email"] as string | null
  return name === null && email === null ? null : { name, email }
}
