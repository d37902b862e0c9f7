/** The list of payments: its filters, counts, sums and pages. */
import type { ListQuery } from "../shown"
import { differ, drawn, idsOf, type Dice, type Look, type Row } from "./look"
import { addedUp, statedTotals } from "./totals"

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
    ...differ(`the totals of ${name}`, listed.totals?.map(statedTotals), addedUp(wanted)),
  ]
}

/** The pages of a list, filtered or whole, have each row once, in its order, turned either way. */
export async function pagesFit({ shown, dice }: Look): Promise<string[]> {
  const rows = (await shown.all()).operations
  const whole = { query: {}, wanted: rows }
  const { query, wanted } = dice(2) === 0 ? whole : drawnFilter(rows, dice)
  const asked = { ...query, limit: String(1 + dice(3)) }
  const [turned, counted]: [string[], string[]] = [[], []]
  let after: string | null = ""
  while (after !== null && turned.length <= wanted.length) {
    const page = await shown.list({ ...asked, ...(after === "" ? {} : { after }) })
    turned.push(...idsOf(page.operations))
    after = page.next
  }
  for (let offset = 0; offset < wanted.length; offset += Number(asked.limit)) {
    const page = await shown.list({ ...asked, offset: String(offset) })
    counted.push(...idsOf(page.operations))
  }
  const name = JSON.stringify(query)
  return [
    ...differ(`the pages of ${name} by \`next\``, turned, idsOf(wanted)),
    ...differ(`the pages of ${name} by number`, counted, idsOf(wanted)),
  ]
}
