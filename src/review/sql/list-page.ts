/**
 * Builds the statement of one page of operations. A condition that few operations match has an
 * index of its own. What many share is their kind: type, state, flow, currency, account and method.
 * One index has the kind and then the order of the list. A million rows have some hundred kinds;
 * the newest rows of each wanted kind make the page, so any combination of the six costs the same.
 *
 * A search, and an order other than by time, collects candidates first. Few candidates are sorted;
 * of many, the first ones are soon found by reading the list in its order. Rows are counted up to a
 * bound.
 */
import { LIMITS } from "../../core/limits"

/**
 * The columns of the index `operation_by_kind`. A missing method is the empty text, because nothing
 * compares as greater than null.
 */
const KEY = ["type", "state", "flow", "currency_code", "account_id", "coalesce(payment_method, '')"]
const METHOD = "payment_method"

const keyOf = (row: string) =>
  KEY.map((key) => key.replace(/^(coalesce\()?(\w+)/, `$1${row}.$2`)).join(", ")

const NAMES = [...KEY.slice(0, -1), METHOD].join(", ")

/**
 * Every kind that exists, found by one step in the index each. This is a relation `kind`, to stand
 * after `with recursive`.
 */
const KINDS = `
  kind (${NAMES}) as (
    (select ${keyOf("o")} from mp_operation o order by ${keyOf("o")} limit 1)
    union all
    select next.* from kind k cross join lateral (
      select ${keyOf("o")} from mp_operation o where (${keyOf("o")}) > (${keyOf("k")})
       order by ${keyOf("o")} limit 1) next
  )`

/** Whether the row `o` is of the kind `k`. */
const IS_OF_KIND = `(${keyOf("o")}) = (${keyOf("k")})`

export type Order = { readonly by: "created" | "amount"; readonly isAscending: boolean }
export const NEWEST_FIRST: Order = { by: "created", isAscending: false }

/** Conditions on the row `o`, with their values bound. */
export type PageAsked = {
  readonly columns: string
  /** Conditions on the kind, which many operations share. */
  readonly kind: readonly string[]
  /** Conditions that few rows match. Each has an index of its own. */
  readonly few: readonly string[]
  /** Conditions that filter rows while the list is read in its order. */
  readonly rest: readonly string[]
  readonly place: readonly string[]
  /** The bound text of a `tsquery`. */
  readonly words: string | undefined
  readonly order: Order
  readonly limit: number
  readonly offset: number
}

export function pageStatement(asked: PageAsked): string {
  if (asked.words !== undefined || asked.order.by === "amount") return ofCandidates(asked)
  return isByKind(asked) ? ofKinds(asked) : ofAll(asked)
}

const isByKind = ({ kind, few }: PageAsked) => kind.length > 0 && few.length === 0

/** Sorts by currency before the amount, because amounts of two currencies can't be compared. */
function orderOf({ order: { by, isAscending } }: PageAsked, row: string): string {
  const [first, last] = isAscending ? ["desc", "asc"] : ["asc", "desc"]
  const amount =
    by === "amount" ? `${row}.currency_code ${first}, ${row}.amount_minor ${last}, ` : ""
  return `order by ${amount}${row}.created_at ${last}, ${row}.id ${last}`
}

/** A page by the index of a condition that few rows match, or by the order of the list alone. */
function ofAll(asked: PageAsked): string {
  const where = [...asked.kind, ...asked.few, ...asked.rest]
  return `
    with counted as (
      select count(*)::int as n from (
        select from mp_operation o where ${all(where)} limit ${LIMITS.listCountMax + 1}) listed
    ), page as (
      select ${asked.columns} from mp_operation o where ${all([...where, ...asked.place])}
       ${orderOf(asked, "o")} limit ${asked.limit} offset ${asked.offset}
    )
    select counted.n, page.* from counted left join page on true ${orderOf(asked, "page")}`
}

/**
 * Reads of each kind only rows that may be on the page. The newest few rows of each kind, together
 * twice as many as are wanted, bound how far back (`since`) the last row of the page can lie.
 *
 * The limits are literals, because for a parameter the planner assumes a tenth of the table and
 * reads all of it. The count has an order, or the planner scans the whole table for a kind.
 */
function ofKinds(asked: PageAsked): string {
  const { limit, offset, order } = asked
  const ofKind = `from mp_operation o where ${all([IS_OF_KIND, ...asked.rest])}`
  const fromPlace = `from mp_operation o where ${all([IS_OF_KIND, ...asked.rest, ...asked.place])}`
  const most = limit + offset
  const [direction, before, end] = order.isAscending
    ? ["asc", "<=", "infinity"]
    : ["desc", ">=", "-infinity"]
  return `
    with recursive ${KINDS}, wanted as materialized (
      select * from kind o where ${all(asked.kind)}
    ), counted as (
      select count(*)::int as n from (
        select from wanted k cross join lateral (
          select ${ofKind} order by o.created_at desc limit ${LIMITS.listCountMax + 1}) o
         limit ${LIMITS.listCountMax + 1}) listed
    ), newest as (
      select o.created_at from wanted k cross join lateral (
        select o.created_at ${fromPlace} order by o.created_at ${direction}
         limit (select 1 + ${2 * most} / count(*) from wanted)) o
    ), since as materialized (
      select created_at from newest order by created_at ${direction} limit 1 offset ${most - 1}
    ), listed as materialized (
      select o.id from wanted k cross join lateral (
        select o.id, o.created_at ${fromPlace}
           and o.created_at ${before} coalesce((select created_at from since), '${end}')
         ${orderOf(asked, "o")} limit ${most}) o
       ${orderOf(asked, "o")} limit ${limit} offset ${offset}
    ), page as (
      select ${asked.columns} from mp_operation o where o.id in (select id from listed)
    )
    select counted.n, page.* from counted left join page on true ${orderOf(asked, "page")}`
}

/**
 * The statement has two variants of `page`, and one of them runs: by the candidates if they are
 * few, else by the list's order. Many candidates are a good part of all rows, so the first ones in
 * the list's order come soon; `n` is then unknown.
 *
 * Candidates are materialized, so that the planner expects all of them to be read and uses their
 * index. Only the first ones are read.
 */
function ofCandidates(asked: PageAsked): string {
  const { words, limit, offset } = asked
  const most = LIMITS.listCandidatesMax + 1
  const where = [...asked.kind, ...asked.few, ...asked.rest]
  const isFound =
    words === undefined
      ? []
      : [
          `(select s.words from mp_operation_search s where s.operation_id = o.id)
           @@ ${words}::tsquery`,
        ]
  const page = (conditions: readonly string[]) => `
      (select ${asked.columns} from mp_operation o
        where ${all([...conditions, ...where, ...asked.place])}
       ${orderOf(asked, "o")} limit ${limit} offset ${offset})`
  return `
    with recursive ${candidatesOf(asked, most)}, few as materialized (
      select id from candidate limit ${most}
    ), size as materialized (
      select count(*) < ${most} as is_few from few
    ), counted as (
      select case when is_few then (
               select count(*)::int from (
                 select from mp_operation o where ${all(["o.id in (select id from few)", ...where])}
                  limit ${LIMITS.listCountMax + 1}) listed) end as n
        from size
    ), page as (${page(["(select is_few from size)", "o.id in (select id from few)"])}
      union all${page(["not (select is_few from size)", ...isFound])}
    )
    select counted.n, page.* from counted left join page on true ${orderOf(asked, "page")}`
}

function candidatesOf(asked: PageAsked, most: number): string {
  if (asked.words !== undefined) {
    return `candidate as materialized (
      select operation_id as id from mp_operation_search where words @@ ${asked.words}::tsquery)`
  }
  if (!isByKind(asked)) {
    return `candidate as materialized (
      select o.id from mp_operation o where ${all([...asked.kind, ...asked.few, ...asked.rest])})`
  }
  return `${KINDS}, wanted as materialized (
      select * from kind o where ${all(asked.kind)}
    ), candidate as materialized (
      select o.id from wanted k cross join lateral (
        select o.id from mp_operation o where ${all([IS_OF_KIND, ...asked.rest])}
         order by o.created_at desc limit ${most}) o)`
}

const all = (conditions: readonly string[]) =>
  conditions.length === 0 ? "true" : conditions.join(" and ")
