/**
 * Builds the statement of one page of operations: the rows that meet the conditions, in the list's
 * order, and how many there are, up to a bound. What many operations share (type, state, flow,
 * currency, account, method) is in the index `operation_newest` itself, so a combination that
 * nothing matches costs one read of that index and none of the table.
 */
import { LIMITS } from "../../core/limits"

export type Order = { readonly by: "created" | "amount"; readonly isAscending: boolean }
export const NEWEST_FIRST: Order = { by: "created", isAscending: false }

/** Conditions on the row `o`, with their values bound. */
export type PageAsked = {
  readonly columns: string
  readonly where: readonly string[]
  /** The place after which the page begins; the count does not depend on it. */
  readonly place: readonly string[]
  readonly order: Order
  readonly limit: number
  readonly offset: number
  /** False: the count goes no further than the page's end. */
  readonly isCounted: boolean
  /**
   * A condition that is looked up row by row, and how many rows are looked up before the page ends.
   */
  readonly sought?: { readonly where: string; readonly most: number } | undefined
}

/**
 * The rows have `n`, the count; a page without rows is one row whose `id` is null. A page that
 * begins at an offset is a part of what is counted, so the operations are read once for both.
 *
 * The limits are literals, because for a parameter the planner assumes a tenth of the table.
 */
export function pageStatement(asked: PageAsked): string {
  const { columns, where, place, order, limit, offset, isCounted, sought } = asked
  if (sought) return soughtStatement(asked, sought)
  const most = Math.max(isCounted ? LIMITS.listCountMax + 1 : 0, offset + limit)
  const part = place.length === 0 ? "found o" : `mp_operation o where ${all([...where, ...place])}`
  return `
    with found as materialized (
      select ${keysOf(order).join(", ")} from mp_operation o
       where ${all(where)} ${orderOf(order, "o")} limit ${most}
    ), listed as materialized (
      select o.id from ${part} ${orderOf(order, "o")} limit ${limit} offset ${offset}
    ), page as (
      select ${columns} from mp_operation o where o.id in (select id from listed)
    )
    select counted.n, page.*
      from (select count(*)::int as n from found) counted left join page on true
     ${orderOf(order, "page")}`
}

/**
 * As {@link pageStatement}, counted to the page's end. The walk ends as soon as the page is full.
 */
function soughtStatement(
  { columns, where, place, order, limit, offset }: PageAsked,
  sought: { readonly where: string; readonly most: number },
): string {
  return `
    with found as materialized (
      select o.* from (
        select ${keysOf(order).join(", ")} from mp_operation o
         where ${all([...where, ...place])} ${orderOf(order, "o")} limit ${sought.most}) o
       where ${sought.where} ${orderOf(order, "o")} limit ${offset + limit}
    ), listed as materialized (
      select o.id from found o ${orderOf(order, "o")} limit ${limit} offset ${offset}
    ), page as (
      select ${columns} from mp_operation o where o.id in (select id from listed)
    )
    select counted.n, page.*
      from (select count(*)::int as n from found) counted left join page on true
     ${orderOf(order, "page")}`
}

/** The columns by which a list is sorted. Of what is found no other is read: an index has them. */
const keysOf = ({ by }: Order) =>
  by === "amount" ? ["currency_code", "amount_minor", "created_at", "id"] : ["created_at", "id"]

/** Sorts by currency before the amount, because amounts of two currencies can't be compared. */
function orderOf(order: Order, row: string): string {
  const [first, last] = order.isAscending ? ["desc", "asc"] : ["asc", "desc"]
  const directionOf = (key: string) => (key === "currency_code" ? first : last)
  return `order by ${keysOf(order)
    .map((key) => `${row}.${key} ${directionOf(key)}`)
    .join(", ")}`
}

export const all = (conditions: readonly string[]) =>
  conditions.length === 0 ? "true" : conditions.join(" and ")
