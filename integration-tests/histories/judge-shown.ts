/**
 * Judges what people were shown, each property by its name. A view is held against the others and
 * against the gateway's book, never against the code that made it.
 */
import { homeLink, HOME_FIGURES, type HomeFigure } from "../../src/admin/lib/figure-links"
import type { MoneySums } from "../../src/reconciliation/rules/overview-responses"
import type { OperationSummary } from "../../src/review/rules/review-responses"
import { queryOfLink, type ListQuery, type Shown } from "./shown"
import { centsOf, sumOf, type Movement } from "./truth"

/** What was shown before, and must still hold. */
export type Told = {
  /** Sessions whose page said that it is paid. */
  readonly paid: Set<string>
  /** Refunds that an admin was told of as made, by Medusa's id. */
  readonly refunds: Set<string>
}

/** By whoever looks, and what the gateway's book says meanwhile. */
export type Look = {
  readonly shown: Shown
  readonly told: Told
  readonly truth: readonly Movement[]
  /** Draws one of so many, from 0. */
  readonly dice: Dice
  /** Nothing is under way any more. */
  readonly isQuiet: boolean
}

/** @returns a sentence for each property that is broken */
export async function judgeShown({ shown, told, truth, dice, isQuiet }: Look): Promise<string[]> {
  const found = [
    ...(await filterIsFilter(shown, dice)),
    ...(await pagesFit(shown, dice)),
    ...(await figuresOpenTheirRows(shown, dice, isQuiet)),
    ...(await attentionIsOne(shown)),
    ...sumsAreOne(shown),
    ...paidStays(shown, told, truth),
    ...doneIsShown(shown, told),
    ...(isQuiet ? shownIsTrue(shown, truth) : []),
  ]
  return found.map((one) => `shown: ${one}`)
}

export const nothingTold = (): Told => ({ paid: new Set(), refunds: new Set() })

type Row = OperationSummary
type Filter = { readonly query: ListQuery; readonly has: (row: Row) => boolean }
type Dice = (sides: number) => number

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

/** A filtered list is the filter of the whole list, its count too. */
async function filterIsFilter(shown: Shown, dice: Dice): Promise<string[]> {
  const rows = shown.all.operations
  const known = filtersOf(rows)
  const pair = [known[dice(known.length)], known[dice(known.length)]].filter(
    (one) => one !== undefined,
  )
  const query = Object.assign({}, ...pair.map((one) => one.query)) as ListQuery
  // Of two values of one name, the last is asked for.
  const asked = pair.filter((one) => Object.entries(one.query).every(([k, v]) => query[k] === v))
  const wanted = rows.filter((row) => asked.every(({ has }) => has(row)))
  const listed = await shown.list(query)
  const name = JSON.stringify(query)
  return [
    ...differ(`the list of ${name}`, idsOf(listed.operations), idsOf(wanted)),
    ...differ(`the count of ${name}`, listed.count, wanted.length),
    ...differ(`the totals of ${name}`, listed.totals?.map(shortOf), totalsOf(wanted)),
  ]
}

/** The pages of a list have each row once, in its order, whichever way they are turned. */
async function pagesFit(shown: Shown, dice: Dice): Promise<string[]> {
  const all = idsOf(shown.all.operations)
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

/** Each figure of the home page opens rows that add up to it: of one span, and of all at the end. */
async function figuresOpenTheirRows(shown: Shown, dice: Dice, isQuiet: boolean): Promise<string[]> {
  const { periods, days } = shown.home
  const spans = [
    ...periods.map((one) => ({ ...one, name: one.period })),
    ...periods.map(({ period, before }) => ({ ...before, name: `the time before ${period}` })),
    ...days.map((one) => ({ ...one, name: one.day })),
  ]
  const moved = spans.filter(({ sums }) => sums.length > 0)
  const drawn = isQuiet ? moved : moved.slice(dice(moved.length)).slice(0, 1)
  const found: string[] = []
  for (const { name, sums, ...span } of drawn) {
    for (const of of sums) {
      for (const figure of HOME_FIGURES) {
        const { totals } = await shown.list(queryOfLink(homeLink(figure, of.currency, span)))
        const opened = totals?.find(({ currency }) => currency === of.currency)
        found.push(...differ(`${figure} of ${name}`, centsOf(of[figure]), openedOf(figure, opened)))
      }
    }
  }
  return found
}

type Totals = NonNullable<NonNullable<Shown["all"]["totals"]>[number]>

function openedOf(figure: HomeFigure, totals: Totals | undefined): number {
  if (!totals) return 0
  const { payments, refunds, taken_back, sent, net_after_refunds } = totals
  return {
    received: centsOf(payments.amount),
    fees: -centsOf(payments.fees) || 0,
    refunded: -centsOf(refunds.amount) || 0,
    taken_back: -centsOf(taken_back.amount) || 0,
    net: centsOf(net_after_refunds),
    sent: -centsOf(sent.amount) || 0,
  }[figure]
}

/** The days of the home page, the list of all time and the sheet add up to the same. */
function sumsAreOne(shown: Shown): string[] {
  const currencies = new Set(shown.home.days.flatMap(({ sums }) => sums.map((one) => one.currency)))
  return [...currencies].flatMap((currency) => {
    const home = (of: (sums: MoneySums) => string) =>
      shown.home.days
        .flatMap(({ sums }) => sums.filter((one) => one.currency === currency))
        .reduce((sum, one) => sum + centsOf(of(one)), 0)
    const list = shown.all.totals?.find((one) => one.currency === currency)
    const sheet = sheetSums(shown.sheet, currency)
    return [
      ...differ(
        `received in ${currency} on the sheet`,
        sheet.received,
        home((one) => one.received),
      ),
      ...differ(
        `net in ${currency} on the sheet`,
        sheet.net,
        home((one) => one.net),
      ),
      ...differ(`the sheet's last line of ${currency}`, sheet.last, sheet.received),
      ...differ(
        `received in ${currency} of all rows`,
        centsOf(list?.payments.amount ?? 0),
        home((one) => one.received),
      ),
    ]
  })
}

function sheetSums([head = [], ...lines]: Shown["sheet"], currency: string) {
  const at = (name: string) => head.findIndex((cell) => cell.replace("\uFEFF", "") === name)
  const own = lines.filter((line) => line[at("Currency")] === currency)
  const isTotal = (line: readonly string[]) => line[at("Type")] === "Total"
  const sum = (name: string) =>
    own
      .filter((line) => !isTotal(line))
      .reduce((all, line) => all + centsOf(line[at(name)] ?? 0), 0)
  const last = own.find(isTotal)
  return { received: sum("Received"), net: sum("Net"), last: centsOf(last?.[at("Received")] ?? 0) }
}

/** What waits for an admin is the same on Home and in the list, and holds what is under review. */
async function attentionIsOne(shown: Shown): Promise<string[]> {
  const { waiting } = shown.home
  const listed = await shown.list({ needs_attention: "true" })
  const open = shown.all.operations.filter(
    ({ state, type }) => state === "review" && type === "COLLECTION",
  )
  const ids = idsOf(listed.operations)
  return [
    ...differ("the number that waits on Home", waiting.count, listed.count),
    ...open
      .filter(({ id }) => !ids.includes(id))
      .map(({ id }) => `${id} is under review, and needs nobody`),
    ...shown.details
      .filter(
        ({ decision, type, state }) => decision && (type !== "COLLECTION" || state !== "review"),
      )
      .map(({ id }) => `${id} has a decision to make, and is not under review`),
  ]
}

/** A page that said paid says so for ever, and none says so of money that never came. */
function paidStays(shown: Shown, told: Told, truth: readonly Movement[]): string[] {
  const now = [...shown.statuses].filter(([, { state }]) => state === "paid").map(([id]) => id)
  const back = [...told.paid].filter((id) => shown.statuses.has(id) && !now.includes(id))
  for (const id of now) told.paid.add(id)
  const came = truth.some(({ kind }) => kind === "received")
  return [
    ...back.map((id) => `${id} was paid, and now reads ${shown.statuses.get(id)?.state}`),
    ...(now.length > 0 && !came ? [`${now[0]} reads paid, and no money came`] : []),
  ]
}

/** What an admin was told as done stands on the payment's page. */
function doneIsShown(shown: Shown, told: Told): string[] {
  const listed = shown.details.flatMap(({ refunds }) => refunds.map(({ refund_id: id }) => id))
  return [...told.refunds]
    .filter((id) => !listed.includes(id))
    .map((id) => `the refund ${id} was made, and stands on no payment`)
}

/** When all is quiet, what is shown as received and gone is what the gateway took and gave back. */
function shownIsTrue(shown: Shown, truth: readonly Movement[]): string[] {
  const currencies = [...new Set(truth.map(({ currency }) => currency))]
  return currencies.flatMap((currency) => {
    const totals = shown.all.totals?.find((one) => one.currency === currency)
    return [
      ...differ(
        `received in ${currency}`,
        centsOf(totals?.payments.amount ?? 0),
        sumOf(truth, "received", currency),
      ),
      ...differ(
        `refunded in ${currency}`,
        centsOf(totals?.refunds.amount ?? 0),
        sumOf(truth, "refunded", currency),
      ),
    ]
  })
}

const idsOf = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id)

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

function differ(what: string, is: unknown, wanted: unknown): string[] {
  const [one, other] = [JSON.stringify(is), JSON.stringify(wanted)]
  return one === other ? [] : [`${what} is ${one}, and should be ${other}`]
}
