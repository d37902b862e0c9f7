/** The list of payments: its filters, counts, sums and pages. */
import type { OperationList } from "../../../src/review/schemas/operations"
import type { ListQuery } from "../shown"
import { centsOf } from "../truth"
import { differ, drawn, idsOf, type Dice, type Look, type Row } from "./look"

type Filter = { readonly query: ListQuery; readonly has: (row: Row) => boolean }

/** Each value that some row has of these, and what rows fit it, as a reader of the rows says. */
function filtersOf(rows: readonly Row[]): Filter[] {
  const by = (name: string, of: (row: Row) => string | null): Filter[] =>
    [...new Set(rows.map(of))]
      .filter((value) => value !== null)
      .map((value) => ({ query: { [name]: value }, has: (row) => of(row) === value }))
  const moments = rows.map(({ created_at: at }) => at)
  return [
    ...by("state", ({ state }) => state),
    ...by("type", ({ type }) => type),
    ...by("flow", ({ flow }) => flow),
    ...by("currency", ({ currency }) => currency),
    ...by("account_id", ({ account_id }) => account_id),
    ...by("payment_method", ({ operator }) => operator?.payment_method ?? null),
    ...by("order_id", ({ order_id }) => order_id),
    ...by("cart_id", ({ cart_id }) => cart_id),
    ...by("reference", ({ reference }) => reference),
    { query: { needs_attention: "true" }, has: (row) => isCase(row, rows) },
    { query: { needs_attention: "false" }, has: (row) => !isCase(row, rows) },
    ...moments.flatMap((at): Filter[] => [
      { query: { created_from: at }, has: (row) => row.created_at >= at },
      { query: { created_to: at }, has: (row) => row.created_at < at },
    ]),
    {
      query: { money: "received" },
      has: ({ type, collected_amount: came }) => type === "COLLECTION" && came !== null,
    },
    { query: { money: "taken_back" }, has: ({ taken_back_at: at }) => at !== null },
  ]
}

/** A refund whose payment waits for an admin itself is one case with it, and not listed. */
function isCase({ attention, parent_id: parentId }: Row, rows: readonly Row[]): boolean {
  const parent = rows.find(({ id }) => id === parentId)
  return attention !== null && (parent?.attention ?? null) === null
}

/** A query of two filters, and which of the rows fit it. */
export function drawnFilter(rows: readonly Row[], dice: Dice) {
  const known = filtersOf(rows)
  const pair = [...drawn(known, dice), ...drawn(known, dice)]
  const query = Object.assign({}, ...pair.map((one) => one.query)) as ListQuery
  // Of two values of one name, the last is asked for.
  const asked = pair.filter((one) => Object.entries(one.query).every(([k, v]) => query[k] === v))
  return { query, wanted: rows.filter((row) => asked.every(({ has }) => has(row))) }
}

/** A filtered list is the filter of the whole list, its count and its sums too. */
export async function filterIsFilter({ shown, dice }: Look): Promise<string[]> {
  const { query, wanted } = drawnFilter((await shown.all()).operations, dice)
  const listed = await shown.list(query)
  const name = JSON.stringify(query)
  return [
    ...differ(`the list of ${name}`, idsOf(listed.operations), idsOf(wanted)),
    ...differ(`the count of ${name}`, listed.count, wanted.length),
    ...differ(`the totals of ${name}`, listed.totals?.map(shortOf), totalsOf(wanted)),
  ]
}

/** The pages of a list have each row once, in its order, whichever way they are turned. */
export async function pagesFit({ shown, dice }: Look): Promise<string[]> {
  const all = idsOf((await shown.all()).operations)
  const limit = 1 + dice(3)
  const [turned, counted]: [string[], string[]] = [[], []]
  let after: string | null = ""
  while (after !== null && turned.length <= all.length) {
    const page = await shown.list({ limit: String(limit), ...(after === "" ? {} : { after }) })
    turned.push(...idsOf(page.operations))
    after = page.next
  }
  for (let offset = 0; offset < all.length; offset += limit) {
    const page = await shown.list({ limit: String(limit), offset: String(offset) })
    counted.push(...idsOf(page.operations))
  }
  return [
    ...differ("the pages by `next`", turned, all),
    ...differ("the pages by number", counted, all),
  ]
}

export type Totals = NonNullable<OperationList["totals"]>[number]

/** What the totals of a list say, as far as its rows say it too. */
const shortOf = ({ currency, payments, refunds }: Totals) => ({
  currency,
  received: centsOf(payments.amount),
  payments: payments.count,
  refunded: centsOf(refunds.amount),
})

function totalsOf(rows: readonly Row[]) {
  const hasMoved = ({ figures }: Row) => figures.gross !== null
  const isOnItsWay = ({ type, state }: Row) => type === "REFUND" && UNDER_WAY.includes(state)
  const counted = rows.filter((row) => hasMoved(row) || isOnItsWay(row))
  return [...new Set(counted.map(({ currency }) => currency))].sort().map((currency) => {
    const own = counted.filter((row) => row.currency === currency && hasMoved(row))
    const of = (type: Row["type"]) => own.filter((row) => row.type === type)
    const sum = (some: readonly Row[]) =>
      some.reduce((all, { figures }) => all + centsOf(figures.gross ?? 0), 0)
    return {
      currency,
      received: sum(of("COLLECTION")),
      payments: of("COLLECTION").length,
      refunded: sum(of("REFUND")),
    }
  })
}

const UNDER_WAY: readonly Row["state"][] = ["submitted", "in_flight", "review"]
