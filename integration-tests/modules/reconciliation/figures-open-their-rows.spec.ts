/**
 * Whatever a ledger holds: the list that a figure of Home or of the reconciliation opens has exactly
 * the rows that the figure adds up. Each figure's address is read as the list and the store read it.
 */
import { HOME_FIGURES, homeLink, linesOf, placeLink } from "../../../src/admin/lib/figure-links"
import { MONEY_PLACES, queryFrom } from "../../../src/admin/lib/filters"
import { filterOf, operationsQuery } from "../../../src/review/schemas/list-query"
import { DAY } from "../../../src/core/limits/time"
import { moneyPlaceOf } from "../../../src/core/money-place"
import { hasEnded, ofMedusa, receivedOf, type Operation } from "../../../src/core/operation"
import { majorText } from "../../../src/core/money"
import { startOfDay } from "../../../src/core/time-zone"
import { readOverview } from "../../../src/reconciliation/read-overview"
import type { MoneySums } from "../../../src/reconciliation/schemas/overview"
import type { Period, SidesOfPeriod } from "../../../src/reconciliation/rules/reconciliation"
import { totalsOf as comparedTotalsOf } from "../../../src/reconciliation/rules/reconciliation-totals"
import { findOfPeriod } from "../../../src/reconciliation/sql/find-for-period"
import { readRefundsOfPeriod } from "../../../src/reconciliation/sql/figures-of-period"
import { totalsOf } from "../../../src/review/list-totals"
import { listOperations } from "../../../src/review/sql/list-operations"
import { currency as currencyOf } from "../../support/an-operation"
import { startLedgerDatabase, type LedgerDatabase } from "../../support/ledger-database"
import { fillWithMoney, ZONES } from "../../support/moved-money"

const ROWS = 1_500
const NOW = new Date("2026-11-02T08:30:00.123Z")
const ACCOUNTS = ["mpacc_env", "mpacc_second"] as const

let ledger: LedgerDatabase

beforeAll(async () => {
  ledger = await startLedgerDatabase()
  await fillWithMoney(ledger, { lastDay: "2026-11-03", rows: ROWS, seed: 42 })
})

afterAll(() => ledger.stop())

/** What the list at an address shows below its rows, and how many rows it has. */
async function listAt(address: string, currency: string) {
  const { searchParams } = new URL(address, "https://store.example")
  const asked = Object.entries(queryFrom(searchParams)).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  )
  const filter = filterOf(operationsQuery.parse(Object.fromEntries(asked)))
  const { count } = await listOperations(ledger.database, filter, { limit: 1, offset: 0 })
  const totals = await totalsOf(ledger.database, filter)
  if (!totals) throw new Error("the list is too long to add up")
  expect(totals.length).toBeLessThanOrEqual(1)
  return { count, total: totals.find((one) => one.currency === currency) }
}

type List = Awaited<ReturnType<typeof listAt>>

const unsigned = (amount: string) => amount.replace("-", "")
const isNothing = (amount: string | undefined) => amount === undefined || Number(amount) === 0

/** A figure of Home in the list that it opens; undefined where the figure has no count. */
function inList(figure: (typeof HOME_FIGURES)[number], { total }: List, sums: MoneySums) {
  const counts = {
    received: [sums.payments, total?.payments],
    refunded: [sums.refunds, total?.refunds],
    taken_back: [sums.takings_back, total?.taken_back],
    sent: [sums.sendings, total?.sent],
  } as const
  if (figure === "fees") return { amount: total?.payments.fees, count: undefined }
  if (figure === "net") return { amount: total?.net_after_refunds, count: undefined }
  const [shown, listed] = counts[figure]
  return { amount: listed?.amount, count: [shown, listed?.count ?? 0] as const }
}

describe("a figure of Home", () => {
  it.each(ZONES)("opens the movements that it adds up, by the days of %s", async (zone) => {
    const deps = { database: ledger.database, accounts: () => Promise.resolve([]) }
    const { periods } = await readOverview(deps, zone, NOW)
    const spans = periods.flatMap((one) => [one, one.before])
    expect(spans.some(({ sums }) => sums.some(({ takings_back }) => takings_back > 0))).toBe(true)
    for (const span of spans) {
      for (const sums of span.sums) {
        for (const figure of HOME_FIGURES) {
          const list = await listAt(homeLink(figure, sums.currency, span), sums.currency)
          const { amount, count } = inList(figure, list, sums)
          const what = [zone, span.from, sums.currency, figure]
          if (isNothing(amount)) expect([...what, Number(sums[figure])]).toEqual([...what, 0])
          else expect([...what, unsigned(sums[figure])]).toEqual([...what, unsigned(amount ?? "")])
          if (count) expect([...what, count[0], list.count]).toEqual([...what, count[1], count[1]])
        }
      }
    }
  })
})

/** The three sides of an account's period: the gateway lists some of the money, Medusa the recorded. */
async function sidesOf(accountId: (typeof ACCOUNTS)[number], period: Period) {
  const operations: Operation[] = []
  for await (const page of findOfPeriod(ledger.database, accountId, period))
    operations.push(...page)
  const sides: SidesOfPeriod = {
    operations,
    sources: operations.flatMap((one) => sourceOf(one)),
    listed: ["ORDER", "INVOICE"],
    unaskableIds: [],
    unclearIds: [],
    restBack: new Map(),
    payments: operations
      .filter(({ recordedAt }) => recordedAt !== null)
      .map((one) => ({
        id: `pay_${one.id}`,
        sessionId: ofMedusa(one).paymentSessionId,
        currency: one.amount.currency.toLowerCase(),
        isCaptured: true,
        isCanceled: false,
        capturedAmount: majorText(one.amount),
        refundedAmount: "0",
        orderId: null,
        isOrderCanceled: false,
        isOrderOpen: false,
      })),
  }
  return sides
}

/** The last digit of the document's number decides whether the gateway lists money as paid. */
function sourceOf(operation: Operation) {
  const { sourceId, sourceType, amount, sourceStatus } = operation
  if (sourceId === null) return []
  const received = receivedOf(operation)
  const isEnded = received === null && hasEnded(operation)
  const isPaid = received || isEnded ? sourceId % 5 !== 0 : sourceStatus === "PAID"
  const status = isPaid ? "PAID" : "CANCELED"
  return [{ sourceType, sourceId, reference: null, status, total: received ?? amount }]
}

const PERIODS = ZONES.map((zone, n) => {
  const from = startOfDay(zone, `2026-09-${String(1 + 3 * n).padStart(2, "0")}`)
  return [zone, { from, until: new Date(from.getTime() + 31 * DAY) }] as const
})

describe("a figure of the reconciliation", () => {
  it.each(PERIODS)("opens the rows that it adds up, in 31 days of %s", async (_zone, period) => {
    const met = new Set<string>()
    for (const accountId of ACCOUNTS) {
      const sides = await sidesOf(accountId, period)
      const refunds = await readRefundsOfPeriod(ledger.database, {
        ...period,
        accountIds: [accountId],
      })
      const of = {
        account: { account_id: accountId },
        answer: {
          from: period.from.toISOString(),
          to: period.until.toISOString(),
          compared_at: NOW.toISOString(),
          accounts: [...ACCOUNTS],
        },
      }
      const sent = refunds.filter(({ isSent }) => isSent)
      const given = { sides, period, held: new Set<string>(), refunds: sent, medusaRefunds: [] }
      for (const totals of comparedTotalsOf(given)) {
        const { bridge } = totals
        const currency = currencyOf(totals.currency)
        for (const place of MONEY_PLACES) {
          const { total, count } = await listAt(placeLink(of, currency, place), currency)
          const shown = bridge?.[place]
          const listed = total?.payments ?? { amount: majorText({ minor: 0n, currency }), count: 0 }
          expect([place, shown, count]).toEqual([
            place,
            { amount: listed.amount, count: listed.count },
            listed.count,
          ])
          if (count > 0) met.add(place)
        }
        for (const { name, ledger: shown, to } of linesOf(of, totals)) {
          if (!shown || to === undefined || shown.count === 0) continue
          const { total, count } = await listAt(to, currency)
          if (!total) throw new Error(`the list of ${name} has no sums`)
          const { payments, recorded, refunds: gone, refunds_pending: pending } = total
          const minor = (amount: string) => BigInt(amount.replace(".", ""))
          const isOfRefunds = name.startsWith("refund")
          const listed = isOfRefunds
            ? minor(gone.amount) + minor(pending.amount)
            : minor(name === "recorded" ? recorded.amount : payments.amount)
          expect([name, minor(shown.amount), shown.count]).toEqual([name, listed, count])
          met.add(name)
        }
      }
    }
    const lines = ["received", "recorded", "refunded", "refundsUnderWay", "refundsUnderReview"]
    expect([...met].sort()).toEqual([...new Set([...MONEY_PLACES, ...lines])].sort())
  })
})

it("the list finds each payment in the place that the comparison counts it in", async () => {
  const rows = await listOperations(ledger.database, {}, { limit: ROWS, offset: 0 })
  for (const place of MONEY_PLACES) {
    const page = await listOperations(ledger.database, { money: place }, { limit: ROWS, offset: 0 })
    const meant = rows.operations.filter(({ operation }) => moneyPlaceOf(operation) === place)
    expect(page.operations.map(({ operation }) => operation.id)).toEqual(
      meant.map(({ operation }) => operation.id),
    )
  }
})
