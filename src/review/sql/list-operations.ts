/**
 * Reads operations for the admin: a page by a filter, one operation, or all of an order. A page is
 * one statement, and each filter uses an index.
 *
 * A page begins at an offset, whose rows are counted through one by one, or after a place, which is
 * found at once. `list-page.ts` has the statements.
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
  /** Only operations that were created before this moment. */
  readonly createdTo?: Date | undefined
  readonly orderId?: string | undefined
  readonly cartId?: string | undefined
  /** The UUID under which the money moves. */
  readonly reference?: string | undefined
  readonly phoneHint?: string | undefined
  /** A query of PostgreSQL's text search, over `mp_operation_search`. */
  readonly words?: string | undefined
  /**
   * Only payments whose money is in this place, as the reconciliation counts it. `received`:
   * wherever it is.
   */
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

/** The position of an operation in a list by time. */
export type Place = { readonly createdMicros: bigint; readonly id: string }

export type Paging = {
  readonly limit: number
  readonly offset: number
  /** The place where the page before ended; the offset counts from there. */
  readonly after?: Place | undefined
  /** Newest first by default. */
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
  /**
   * Operations on all pages, at most {@link LIMITS.listCountMax}: at that number there may be more.
   */
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
  // Too many candidates are not counted: the count is then the maximum, or all rows at the end.
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

/**
 * The condition of each place. `given_back` and `dismissed` repeat the index
 * `operation_money_elsewhere`. Most payments match `received` or `recorded`; few match another
 * condition.
 */
const MONEY_IS: Readonly<Record<MoneyPlace, string>> = {
  received: "o.type = 'COLLECTION' and (o.collected_minor is not null or o.state = 'completed')",
  recorded: "o.type = 'COLLECTION' and o.recorded_at is not null",
  under_review: "o.type = 'COLLECTION' and o.state = 'review' and o.recorded_at is null",
  given_back: `${IS_ELSEWHERE} and o.returned_at is not null and o.state <> 'review'`,
  dismissed: `${IS_ELSEWHERE} and o.returned_at is null`,
  // Completed money that waits to be recorded in Medusa has a next check.
  under_way: `o.type = 'COLLECTION' and o.recorded_at is null and o.returned_at is null
    and (o.state in ('drafted', 'submitted', 'in_flight')
         or (o.state = 'completed' and o.next_check_at is not null))`,
}

/** Whether most payments match the condition, so that no index is of use. */
const isMost = (money: MoneyPlace) => money === "received" || money === "recorded"

type Bind = (value: unknown) => string

const equal = (column: string, value: string | undefined, bind: Bind): string[] =>
  value === undefined ? [] : [`o.${column} = ${bind(value)}`]

const oneOf = (column: string, values: readonly string[] | undefined, bind: Bind): string[] =>
  values === undefined ? [] : [`o.${column} = any(${bind([...values])}::text[])`]

/** Conditions on an operation's kind, which many operations share. */
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

/** Conditions that few rows match. Each has an index of its own. */
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

/** Conditions that filter rows while the list is read in its order. */
function restConditions(filter: OperationFilter, bind: Bind): string[] {
  return [
    ...(filter.createdFrom ? [`o.created_at >= ${bind(filter.createdFrom)}`] : []),
    ...(filter.createdTo ? [`o.created_at < ${bind(filter.createdTo)}`] : []),
    ...(filter.money && isMost(filter.money) ? [MONEY_IS[filter.money]] : []),
    ...(filter.needsAttention === false ? [`${ATTENTION} is null`] : []),
  ]
}

/** Only rows after the place, in a list by time. A list by amount has no places. */
function placeCondition({ after, order }: Paging, bind: Bind): string[] {
  if (!after || order?.by === "amount") return []
  const micros = bind(after.createdMicros.toString())
  return [
    `(o.created_at, o.id) ${order?.isAscending ? ">" : "<"}
       (timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond', ${bind(after.id)})`,
  ]
}

/**
 * Counts the operations that a filter finds.
 * @param most the number at which counting stops
 */
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

/** A collection's refunds, oldest first. */
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
 * @param collectionIds Medusa's payment collections of the order: where an order was placed before
 *   its money came, our rows do not name the order
 */
export async function findOfOrder(
  database: Database,
  orderId: string,
  collectionIds: readonly string[],
): Promise<ListedOperation[]> {
  const rows = await database.query(OF_ORDER, [orderId, [...collectionIds], LIMITS.listPageMax])
  return rows.map(listedOperationFrom)
}

/**
 * Counts what needs an admin's attention, at most {@link LIMITS.listCountMax}: at that number there
 * may be more.
 */
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

/** The customer, or the recipient of a payout, for whom no e-mail address is stored here. */
function customerFrom(row: Row): OperationSummary["customer"] {
  const name = (row["customer_name"] ?? row["recipient_name"]) as string | null
  const email = row["customer_email"] as string | null
  return name === null && email === null ? null : { name, email }
}
