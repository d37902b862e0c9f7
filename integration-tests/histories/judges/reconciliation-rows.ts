/** The rows of a reconciliation: those that its sums open, that differ, and that its file has. */
import { linesOf, placeLink } from "../../../src/admin/lib/figure-links"
import { MONEY_PLACES } from "../../../src/core/money-place"
import type {
  ReconciliationResponse,
  Total,
} from "../../../src/reconciliation/schemas/reconciliation"
import type { OperationDetail } from "../../../src/review/schemas/operations"
import { queryOfLink } from "../shown"
import { centsOf } from "../truth"
import { differ, type Look } from "./look"
import { bookOf, centsIn, periodsOf } from "./reconciliation"
import type { Totals } from "./totals"

type Page = ReconciliationResponse

/** Each sum of our records opens rows that add up to it. */
export async function sumsOpenTheirRows(look: Look): Promise<string[]> {
  const { shown } = look
  const found: string[] = []
  for (const days of periodsOf(look, await shown.details())) {
    const { page } = await shown.compared(days)
    for (const { what, to, currency, sum } of openedIn(page)) {
      const { totals } = await shown.list(queryOfLink(to))
      const own = totals?.find((one) => one.currency === currency)
      const opened = openedBy(what, own)
      found.push(...differ(`what opens "${what}"`, opened, [centsOf(sum.amount), sum.count]))
    }
  }
  return found
}

type Opened = {
  readonly what: string
  readonly to: string
  readonly currency: string
  readonly sum: Total
}

function openedIn(page: Page): Opened[] {
  return page.accounts.flatMap((account) => {
    const of = { account, answer: page }
    return account.totals.flatMap((totals) => {
      const { currency, bridge } = totals
      const places = MONEY_PLACES.flatMap((what) =>
        bridge ? { what, to: placeLink(of, currency, what), currency, sum: bridge[what] } : [],
      )
      const sums = linesOf(of, totals).flatMap(({ name, ledger, to }) =>
        ledger && to !== undefined ? { what: `sum ${name}`, to, currency, sum: ledger } : [],
      )
      return [...places, ...sums]
    })
  })
}

/** The places count what came in; of what Medusa holds the sum is what was asked for. */
function openedBy(what: string, totals: Totals | undefined): number[] {
  if (!totals) return [0, 0]
  const { payments, recorded, refunds, refunds_pending: pending } = totals
  if (what === "sum recorded") return [centsOf(recorded.amount), recorded.count]
  if (what.startsWith("sum refund")) {
    return [centsOf(refunds.amount) + centsOf(pending.amount), refunds.count + pending.count]
  }
  return [centsOf(payments.amount), payments.count]
}

type Booked = ReturnType<typeof bookOf>

/**
 * When nothing is under way, the differences of all days are those of the book and of Medusa's
 * tables: no more, and no fewer.
 */
export async function differencesAreReal(look: Look): Promise<string[]> {
  const details = await look.shown.details()
  const booked = bookOf(look, details)
  const found: string[] = []
  for (const days of periodsOf(look, details)) {
    const { page } = await look.shown.compared(days)
    const isIn = ({ created_at: at }: OperationDetail) => at >= page.from && at < page.to
    const listed = page.accounts
      .flatMap(({ differences }) => differences)
      .map(({ code, operation_id: id }) => `${id}: ${code}`)
    const own = booked.payments.filter(
      ({ shown }) => isIn(shown) || details.some((one) => one.parent_id === shown.id && isIn(one)),
    )
    const wanted = own.flatMap((one) => differencesOf(look, booked, one))
    found.push(...differ(`the differences of ${days.from}`, listed.sort(), wanted.sort()))
  }
  return found
}

function differencesOf(
  { carts }: Look,
  { refunds }: Booked,
  { shown, held, rows }: Booked["payments"][number],
): string[] {
  if (shown.recorded_at === null) return []
  const own = refunds.filter((one) => one.shown.parent_id === shown.id)
  const backOf = (of: (one: (typeof own)[number]) => readonly { readonly cents: number }[]) =>
    own.flatMap(of).reduce((sum, { cents }) => sum + cents, 0)
  const back = backOf(({ moved }) => moved)
  const pending = own
    .filter((one) => ["submitted", "in_flight", "review"].includes(one.shown.state))
    .reduce((sum, one) => sum + centsOf(one.shown.amount), 0)
  const shownBack = centsIn(rows)
  const captured = centsIn(held)
  const isCanceled = [...carts.values()].some(
    ({ order }) => order?.isCanceled === true && order.id === shown.order_id,
  )
  return [
    ...(held.length === 0 ? ["recorded_not_captured"] : []),
    ...(held.length > 0 && captured !== centsOf(shown.amount) ? ["amount_differs"] : []),
    ...(shownBack > back + pending ? ["refund_unknown"] : []),
    ...(shownBack < back ? ["returned_not_in_medusa"] : []),
    ...(isCanceled && shownBack < captured ? ["order_canceled_but_paid"] : []),
  ].map((code) => `${shown.id}: ${code}`)
}

/** The file of a period has the rows, sums and differences of its page, and the book's money. */
export async function periodFileIsThePage(look: Look): Promise<string[]> {
  const details = await look.shown.details()
  const booked = bookOf(look, details)
  const found: string[] = []
  for (const days of periodsOf(look, details)) {
    const { page, ...files } = await look.shown.compared(days)
    const rows = rowsOf(await files.file())
    found.push(...rowsAreTheBook(page, rows, booked))
    found.push(...onlyOpenRows(page, rows, rowsOf(await files.differences())))
  }
  return found
}

type FileRow = Readonly<Record<string, string>>

const rowsOf = ([head = [], ...lines]: readonly (readonly string[])[]): FileRow[] =>
  lines.map((line) => Object.fromEntries(head.map((name, at) => [name, line[at] ?? ""])))

function rowsAreTheBook(page: Page, rows: readonly FileRow[], booked: Booked): string[] {
  const isIn = ({ shown }: { readonly shown: OperationDetail }) =>
    shown.created_at >= page.from && shown.created_at < page.to
  const known = [...booked.payments, ...booked.refunds].filter(isIn)
  const withMoney = known.filter(({ moved }) => moved.length > 0)
  const isThere = new Set(rows.map((row) => row["operation_id"]))
  return [
    ...withMoney
      .filter(({ shown }) => !isThere.has(shown.id))
      .map(({ shown }) => `${shown.id} has money, and no row in the file of ${page.from}`),
    ...rows.flatMap((row) => {
      const own = known.find(({ shown }) => shown.id === row["operation_id"])
      return own ? rowIsTheBook(row, own, booked) : []
    }),
  ]
}

function rowIsTheBook(
  row: FileRow,
  { shown, moved, ...medusas }: Booked["payments"][number] | Booked["refunds"][number],
  { refunds }: Booked,
): string[] {
  const isPayment = shown.type === "COLLECTION"
  const sumOf = (all: readonly { readonly cents: number }[]) =>
    all.reduce((sum, { cents }) => sum + cents, 0)
  const came = sumOf(moved)
  const back = isPayment
    ? refunds.filter((one) => one.shown.parent_id === shown.id).flatMap((one) => one.moved)
    : moved
  const is = (column: string, wanted: number) =>
    differ(`${column} of ${shown.id} in the file`, centsOf(row[column] || 0) || 0, wanted || 0)
  return [
    ...is("gross", isPayment ? came : -came),
    ...is("refunded", -sumOf(back)),
    ...("held" in medusas ? is("medusa_captured", centsIn(medusas.held)) : []),
    ...is("medusa_refunded", -centsIn(medusas.rows)),
  ]
}

/**
 * A file of differences without a row is one of days that agree. Where they agree, it still has
 * what waits for a decision and has brought no money.
 */
function onlyOpenRows(page: Page, rows: readonly FileRow[], open: readonly FileRow[]): string[] {
  const { agreement, accounts } = page
  const differences = accounts.flatMap((one) => one.differences)
  const idsOf = (all: readonly FileRow[]) => all.map((row) => row["operation_id"])
  const strangers = idsOf(open).filter((id) => !idsOf(rows).includes(id))
  const coded = open.flatMap((row) => (row["difference"] ?? "").split(" "))
  const differing = open.filter((row) => row["gross"] !== "" || row["ledger_state"] !== "review")
  return [
    ...(agreement.is_green ? differ("rows that differ where all three agree", differing, []) : []),
    ...differ("rows of the file of differences that the whole file lacks", strangers, []),
    ...differ(
      "differences that the file lacks",
      differences.map(({ code }) => code as string).filter((code) => !coded.includes(code)),
      [],
    ),
    ...(agreement.open.some(({ what }) => what === "under_review") && open.length === 0
      ? ["money waits for an admin, and the file of differences is empty"]
      : []),
  ]
}
