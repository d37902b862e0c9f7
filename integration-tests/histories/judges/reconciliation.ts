/** The reconciliation of a period: what it says that gateway, records and Medusa have of it. */
import type {
  PeriodTotals,
  ReconciliationResponse,
  Total,
} from "../../../src/reconciliation/schemas/reconciliation"
import type { OperationDetail } from "../../../src/review/schemas/operations"
import type { Days } from "../shown-period"
import { centsOf, moneyOfEach, sumOf, type Movement } from "../truth"
import { differ, drawn, type Look } from "./look"
import { namedOf } from "./receipts"

const DAY_MS = 86_400_000
/** The longest period that the page shows. */
const DAYS_MAX = 31

type Page = ReconciliationResponse
type Of = (totals: PeriodTotals) => Total | undefined

/** That all three agree is said only where gateway, records and Medusa have the same money. */
export async function agreementIsTrue(look: Look): Promise<string[]> {
  const days = allDays(look)
  const { truth, isQuiet } = look
  // In the middle of a history a comparison costs more than it tells before any money came.
  if (!days || (truth.length === 0 && !isQuiet)) return []
  const { pages } = await look.shown.compared(days)
  // A gateway whose own clock has brought money meanwhile was compared with more than this.
  const isOfThen = JSON.stringify(look.truth) === JSON.stringify(truth)
  const green = pages.filter(({ agreement }) => agreement.is_green)
  return isOfThen ? green.flatMap((page) => agrees(look, page)) : []
}

function agrees({ truth, carts }: Look, page: Page): string[] {
  const { captured, refunds } = medusasOf(carts)
  const currencies = new Set(truth.map(({ currency }) => currency))
  const found = [...currencies].flatMap((currency) => {
    const dismissed = sumIn(page, currency, ({ bridge }) => bridge?.dismissed)
    return [
      ...sidesAre(page, currency, { moved: truth, captured, refunds }),
      ...differ(
        `what is left in ${currency} by Medusa and by dismissals`,
        centsIn(captured) - centsIn(refunds) + dismissed,
        sumOf(truth, "received", currency) - sumOf(truth, "refunded", currency),
      ),
    ]
  })
  const unpaid = currencies.size === 0 ? differ("what Medusa holds unpaid", captured, []) : []
  return [...found, ...unpaid].map((one) => `all three agree, but ${one}`)
}

/** When nothing is under way: the sums of all days, and of one of them, are the book's. */
export async function periodsAreTheBook(look: Look): Promise<string[]> {
  const details = await look.shown.details()
  const found: string[] = []
  for (const days of periodsOf(look, details)) {
    const { page } = await look.shown.compared(days)
    found.push(...periodIsTheBook(look, page, details))
  }
  return found
}

/** All days, if a page shows as many, and one of them. */
export function periodsOf(look: Look, details: readonly OperationDetail[]): Days[] {
  const all = allDays(look)
  const own = [...new Set(details.map(({ created_at: at }) => dayOf(at)))]
  const [day] = drawn(own, look.dice)
  const isMore = day !== undefined && (day !== all?.from || day !== all.to)
  return [...(all ? [all] : []), ...(isMore ? [{ from: day, to: day }] : [])]
}

function allDays({ span: { from, to } }: Look): Days | undefined {
  const days = { from: dayOf(from), to: dayOf(to) }
  const isLong = Date.parse(days.to) - Date.parse(days.from) >= DAYS_MAX * DAY_MS
  return isLong ? undefined : days
}

const dayOf = (at: Date | string): string =>
  new Date(at).toISOString().slice(0, "2026-11-20".length)

/** A payment belongs to the day on which it began, a refund to that on which it was asked for. */
function periodIsTheBook(look: Look, page: Page, details: readonly OperationDetail[]): string[] {
  const { from, to } = page
  const { payments, refunds } = bookOf(look, details)
  const isIn = ({ shown }: { readonly shown: OperationDetail }) =>
    shown.created_at >= from && shown.created_at < to
  const came = payments.filter(isIn)
  const back = refunds.filter(isIn)
  const sides = {
    moved: [...came, ...back].flatMap(({ moved }) => moved),
    captured: came.flatMap(({ held }) => held),
    refunds: [...back.flatMap(({ rows }) => rows), ...rowsOfNobody(look, page, details)],
  }
  const name = `from ${from} to ${to}`
  const days = page.figures.by_day.map(
    (one) => [one.day, [{ cents: centsOf(one.amount) }]] as const,
  )
  return [
    ...differ(`whether all was compared ${name}`, page.is_complete, true),
    ...[...new Set(details.map(({ currency }) => currency))].flatMap((currency) => {
      const remainder = sumIn(page, currency, ({ bridge }) => bridge?.remainder)
      return [
        ...sidesAre(page, currency, sides),
        ...differ(`what nothing explains in ${currency} ${name}`, remainder, 0),
        ...chartIsTheBook(page, currency, sides.moved),
      ]
    }),
    ...differ(
      `what came on each day ${name}`,
      sumsOfDays(days),
      sumsOfDays(came.map(({ shown, moved }) => [dayOf(shown.created_at), moved] as const)),
    ),
  ]
}

/** Rows that Medusa made for a click whose process died before it asked, until they are removed. */
function rowsOfNobody(
  { carts }: Look,
  { from, to }: Page,
  details: readonly OperationDetail[],
): string[] {
  const known = details.map(({ refund_id: id }) => id)
  return [...carts.values()]
    .flatMap(({ refunds }) => refunds)
    .filter(({ id, madeAtMs }) => {
      const isIn = madeAtMs >= Date.parse(from) && madeAtMs < Date.parse(to)
      return isIn && !known.includes(id)
    })
    .map(({ amount }) => amount)
}

/** What came in one currency, which the page says of now, without a comparison. */
function chartIsTheBook(page: Page, currency: string, moved: readonly Movement[]): string[] {
  const came = moved.filter((one) => one.kind === "received" && one.currency === currency)
  return differ(
    `what came in ${currency} from ${page.from} to ${page.to}`,
    page.figures.by_currency
      .filter((one) => one.currency === currency)
      .map(({ amount, count }) => [centsOf(amount), count]),
    came.length === 0 ? [] : [[sumOf(came, "received", currency), came.length]],
  )
}

/** The sum of each day that has any, in the order of the days. */
function sumsOfDays(
  all: readonly (readonly [string, readonly { readonly cents: number }[]])[],
): [string, number][] {
  const sums = new Map<string, number>()
  for (const [day, money] of all) {
    for (const { cents } of money) sums.set(day, (sums.get(day) ?? 0) + cents)
  }
  return [...sums].sort(([one], [other]) => (one < other ? -1 : 1))
}

/** Each payment and refund that an admin is shown, with what the book and Medusa have of it. */
export function bookOf({ truth, carts }: Look, details: readonly OperationDetail[]) {
  const all = [...carts.values()]
  const held = all.flatMap(({ payments }) => payments).filter(isHeld)
  const rows = all.flatMap(({ refunds }) => refunds)
  const payments = details.filter(({ type }) => type === "COLLECTION")
  const money = moneyOfEach(truth, payments.map(namedOf))
  const back = truth.filter(({ kind }) => kind === "refunded")
  return {
    payments: payments.map((shown, at) => ({
      shown,
      moved: money[at] ?? [],
      // Medusa's payment of the session is not the money of a duplicate payment.
      held: held
        .filter(({ sessionId: id }) => shown.recorded_at && id === shown.payment_session_id)
        .map(({ amount }) => amount ?? "0"),
      rows: rows
        .filter(({ sessionId: id }) => shown.recorded_at && id === shown.payment_session_id)
        .map(({ amount }) => amount),
    })),
    refunds: details
      .filter(({ type }) => type === "REFUND")
      .map((shown) => ({
        shown,
        moved: back.filter(({ reference }) => reference === shown.reference),
        rows: rows.filter(({ id }) => id === shown.refund_id).map(({ amount }) => amount),
      })),
  }
}

type Sides = {
  readonly moved: readonly Movement[]
  /** What Medusa has of it. */
  readonly captured: readonly string[]
  readonly refunds: readonly string[]
}

/** Each sum of a period in one currency, and how many there are, is the book's or Medusa's. */
function sidesAre(page: Page, currency: string, { moved, captured, refunds }: Sides): string[] {
  const is = (what: string, of: Of, all: readonly number[]) =>
    differ(
      `${what} in ${currency} from ${page.from} to ${page.to}`,
      [sumIn(page, currency, of), countIn(page, currency, of)],
      [all.reduce((sum, cents) => sum + cents, 0), all.length],
    )
  const bookOfKind = (wanted: Movement["kind"]) =>
    moved.flatMap((one) => (one.kind === wanted && one.currency === currency ? one.cents : []))
  return [
    ...is("what the gateway took", ({ gateway }) => gateway?.paid, bookOfKind("received")),
    ...is("what our records received", ({ ledger }) => ledger.received, bookOfKind("received")),
    ...is("what the gateway gave back", (of) => of.refunds.gateway, bookOfKind("refunded")),
    ...is("what Medusa holds", ({ medusa }) => medusa.captured, captured.map(centsOf)),
    ...is("what Medusa gave back", (of) => of.refunds.medusa, refunds.map(centsOf)),
  ]
}

const totalsIn = ({ accounts }: Page, currency: string) =>
  accounts.flatMap(({ totals }) => totals.filter((one) => one.currency === currency))

const sumIn = (page: Page, currency: string, of: Of) =>
  totalsIn(page, currency).reduce((sum, one) => sum + centsOf(of(one)?.amount ?? 0), 0)

const countIn = (page: Page, currency: string, of: Of) =>
  totalsIn(page, currency).reduce((sum, one) => sum + (of(one)?.count ?? 0), 0)

/** The sum of amounts in hundredths, each as it was charged. */
export const centsIn = (amounts: readonly string[]): number =>
  amounts.reduce((sum, amount) => sum + centsOf(amount), 0)

const isHeld = (one: { readonly isCaptured: boolean; readonly isCanceled: boolean }) =>
  one.isCaptured && !one.isCanceled

/** What Medusa's own tables have, whoever paid it. */
function medusasOf(carts: Look["carts"]) {
  const all = [...carts.values()]
  const held = all.flatMap(({ payments }) => payments).filter(isHeld)
  return {
    captured: held.map(({ amount }) => amount ?? "0"),
    refunds: all.flatMap(({ refunds }) => refunds.map(({ amount }) => amount)),
  }
}
