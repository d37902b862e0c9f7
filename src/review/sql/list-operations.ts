/**
 * Reads operations for the admin: a page by a filter, one operation, or all of an order. A page is
 * one statement (`list-page.ts`). It begins at an offset, whose rows are counted through one by one,
 * or after a place, which is found at once.
 */
import type { OperationId, OrderId, PaymentCollectionId } from "../../core/ids"
import { PRICED, type Priced } from "../../core/figures"
import { LIMITS } from "../../core/limits"
import { parseCurrency, type Money } from "../../core/money"
import type { Operation } from "../../core/operation"
import type { Output } from "../../core/schemas/shapes"
import { storedMessages } from "../../core/schemas/stored"
import { momentIn, UNCOMPILED, type Database, type Row } from "../../ledger/database"
import { columnsOf, fieldsFrom, OPERATION_COLUMNS, operationFrom } from "../../ledger/operation-row"
import type { OperationSummary } from "../schemas/operations"
import { ATTENTION, FOR_A_PERSON } from "./attention"
import { conditionsOf, type Bind, type OperationFilter } from "./list-filter"
import { all, NEWEST_FIRST, pageStatement, type Order } from "./list-page"
import { hasMoreThan, hasWords, withPhoneWord, type WordSearch } from "./word-search"

/** The position of an operation in a list by time. */
export type Place = { readonly createdMicros: bigint; readonly id: OperationId }

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
  readonly messages: Output<typeof storedMessages>
  readonly updatedAt: Date
  readonly dismissedAt: Date | null
  /** Why an admin sent a payout or a transfer. */
  readonly note: string | null
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

/** The event that money that goes out begins with keeps the admin's note. */
const NOTE = `case when o.type <> 'COLLECTION' then
  (select e.facts ->> 'note' from mp_operation_event e
    where e.operation_id = o.id order by e.seq limit 1) end`

const COLUMNS = `${OPERATION_COLUMNS.replace("*", "o.*")}, ${ATTENTION} as attention,
  ${NOTE} as sent_note,
  (extract(epoch from o.created_at) * 1000000)::bigint::text as created_micros`

export async function listOperations(
  database: Database,
  asked: OperationFilter,
  paging: Paging,
): Promise<OperationPage> {
  const filter = withPhoneWord(asked)
  const { words, phoneHint, ...others } = filter
  const isManyWords = await hasMoreThan(database, words, LIMITS.listCandidatesMax)
  if (!isManyWords) return readPage(database, filter, paging, "gathered")
  if (phoneHint !== undefined) return readPage(database, filter, paging, "joined")
  const page = await readPage(database, filter, paging, "sought")
  if (page.isMore) return page
  // The page is not full: either nothing else is found, or the walk ended before it.
  const looked = await countListed(database, others, LIMITS.listCandidatesMax)
  return looked < LIMITS.listCandidatesMax ? page : readPage(database, filter, paging, "joined")
}

async function readPage(
  database: Database,
  filter: OperationFilter,
  paging: Paging,
  search: WordSearch,
): Promise<OperationPage> {
  const parameters: unknown[] = []
  const bind = (value: unknown) => `$${parameters.push(value)}`
  const { limit, offset } = paging
  const { words, ...others } = filter
  const isSought = search === "sought" && words !== undefined
  const statement = pageStatement({
    columns: COLUMNS,
    where: conditionsOf(isSought ? others : filter, bind, search),
    place: placeCondition(paging, bind),
    order: paging.order ?? NEWEST_FIRST,
    limit: limit + 1,
    offset,
    isCounted: search === "gathered",
    sought: isSought
      ? { where: hasWords(bind(words), "sought"), most: LIMITS.listCandidatesMax }
      : undefined,
  })
  const rows = await database.query(statement, parameters, UNCOMPILED)
  const found = rows.filter((row) => row["id"] !== null).map(listedOperationFrom)
  const isMore = found.length > limit
  const count = Number(rows[0]?.["n"] ?? 0)
  return {
    operations: found.slice(0, limit),
    count:
      isMore && search !== "gathered" ? LIMITS.listCountMax : Math.min(count, LIMITS.listCountMax),
    isMore,
  }
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
  const [row] = await queryNewest(database, filter, most, (newest) => {
    return `select count(*)::int as n from (select ${newest}) found`
  })
  return Number(row?.["n"])
}

/**
 * The money of what a filter finds.
 *
 * @returns null where it finds more than `most`, or where both its words and its other conditions
 *   alone do: to find what they share would read all of one of them
 */
export async function listMoney(
  database: Database,
  asked: OperationFilter,
  most: number,
): Promise<Priced[] | null> {
  const filter = withPhoneWord(asked)
  const { words } = filter
  const others = { ...filter, words: undefined, phoneHint: undefined }
  const isWide = await hasMoreThan(database, words, most)
  if (isWide && (await countListed(database, others, most + 1)) > most) return null
  const statement = (newest: string) => `select ${columnsOf(PRICED)} ${newest}`
  const search = isWide ? "sought" : "gathered"
  const rows = await queryNewest(database, filter, most + 1, statement, search)
  return rows.length > most ? null : rows.map((row) => fieldsFrom(row, PRICED))
}

/**
 * @param statement made with the part of a `select` that follows its columns. That part has an
 *   order, because without one the planner may read the whole table.
 */
async function queryNewest(
  database: Database,
  filter: OperationFilter,
  most: number,
  statement: (newest: string) => string,
  search: WordSearch = "gathered",
): Promise<Row[]> {
  const parameters: unknown[] = []
  const where = conditionsOf(filter, (value) => `$${parameters.push(value)}`, search)
  return database.query(
    statement(`from mp_operation o where ${all(where)} order by o.created_at desc limit ${most}`),
    parameters,
    UNCOMPILED,
  )
}

const ONE = `select ${COLUMNS} from mp_operation o where o.id = $1`

export async function findListed(
  database: Database,
  id: OperationId,
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
  collectionOperationId: OperationId,
): Promise<ListedOperation[]> {
  const rows = await database.query(REFUNDS, [collectionOperationId, LIMITS.listPageMax])
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
 * @param paymentCollectionIds Medusa's payment collections of the order: where an order was placed before
 *   its money came, our rows do not name the order
 */
export async function findOfOrder(
  database: Database,
  orderId: OrderId,
  paymentCollectionIds: readonly PaymentCollectionId[],
): Promise<ListedOperation[]> {
  const rows = await database.query(OF_ORDER, [
    orderId,
    [...paymentCollectionIds],
    LIMITS.listPageMax,
  ])
  return rows.map(listedOperationFrom)
}

/**
 * Counts what needs an admin's attention, at most {@link LIMITS.listCountMax}: at that number there
 * may be more.
 */
export function countForAPerson(database: Database): Promise<number> {
  return countListed(database, { needsAttention: true }, LIMITS.listCountMax)
}

/** Several failed refunds of a payment are several cases, of no more money than is left of it. */
const FOR_A_PERSON_SUMS = `
  select currency_code, sum(count)::int as count, sum(minor)::text as minor from (
    select currency_code, count(*) as count, least(min(left_minor), sum(
             case when taken_back_at is null
               then coalesce(collected_minor, amount_minor) - refunded_minor else 0 end)) as minor
      from (select o.*, (select coalesce(p.collected_minor, p.amount_minor) - p.refunded_minor
                           from mp_operation p where p.id = o.parent_id) as left_minor
              from mp_operation o where ${FOR_A_PERSON}
             order by o.created_at desc limit ${LIMITS.listCountMax}) waits
     group by currency_code, coalesce(parent_id, id)) of_payment
   group by 1 order by 1`

/**
 * What needs an admin's attention, by currency: what the shop holds of each case, or would hold once
 * it is paid, less what was refunded. Counts as {@link countForAPerson} does.
 */
export async function sumForAPerson(
  database: Database,
): Promise<{ readonly amount: Money; readonly count: number }[]> {
  const rows = await database.query(FOR_A_PERSON_SUMS, [], UNCOMPILED)
  return rows.flatMap(({ currency_code, count, minor }) => {
    const currency = parseCurrency(currency_code)
    if (!currency) return []
    return { amount: { minor: BigInt(String(minor)), currency }, count: Number(count) }
  })
}

function listedOperationFrom(row: Row): ListedOperation {
  const operation = operationFrom(row)
  const { attention, messages, provider_transaction_id, updated_at, dismissed_at } = row
  return {
    operation,
    customer: customerFrom(row),
    attention: attention as OperationSummary["attention"],
    providerTransactionId: provider_transaction_id as string | null,
    messages: storedMessages.parse(messages),
    updatedAt: momentIn(updated_at),
    dismissedAt: dismissed_at === null ? null : momentIn(dismissed_at),
    note: row["sent_note"] as string | null,
    place: { createdMicros: BigInt(String(row["created_micros"])), id: operation.id },
  }
}

/** The customer, or the recipient of a payout, for whom no e-mail address is stored here. */
function customerFrom(row: Row): OperationSummary["customer"] {
  const name = (row["customer_name"] ?? row["recipient_name"]) as string | null
  const email = row["customer_email"] as string | null
  return name === null && email === null ? null : { name, email }
}
