/**
 * One definition of a movement: the home page, the lines and totals of the accountant's sheet, and
 * the totals of the list add up to the same.
 */
import { idFrom, type OrderId } from "../../../src/core/ids"
import { majorText, parseCurrency } from "../../../src/core/money"
import { dayIn, UTC } from "../../../src/core/time-zone"
import { accountantFile } from "../../../src/reconciliation/accountant-file"
import { readOverview } from "../../../src/reconciliation/read-overview"
import type { SheetLanguage } from "../../../src/reconciliation/rules/accountant-sheet"
import type { MoneySums } from "../../../src/reconciliation/schemas/overview"
import type { Period } from "../../../src/reconciliation/rules/reconciliation"
import { totalsOf } from "../../../src/review/list-totals"
import { listOperations } from "../../../src/review/sql/list-operations"
import { advanceRefund } from "../../../src/ledger/advance-refund"
import {
  advanced,
  collected,
  startLedgerDatabase,
  submitted,
  type LedgerDatabase,
} from "../../support/ledger-database"
import { fillWithMoney, ZONES } from "../../support/moved-money"

const ROWS = 1_800
/** A Monday after both Paris and New York have left summer time, some hours after midnight. */
const NOW = new Date("2026-11-02T08:30:00.123Z")

let ledger: LedgerDatabase
let empty: LedgerDatabase

beforeAll(async () => {
  ledger = await startLedgerDatabase()
  empty = await startLedgerDatabase()
  await fillWithMoney(ledger, { lastDay: "2026-11-03", rows: ROWS, seed: 71 })
})

afterAll(async () => {
  await ledger.stop()
  await empty.stop()
})

const shop = ({ database }: LedgerDatabase = ledger) => ({
  database,
  accounts: () => Promise.resolve([]),
  medusa: {
    orderNumbers: () => Promise.resolve(new Map([[idFrom<OrderId>("order_1"), "7"]])),
    adminNames: () => Promise.resolve(new Map([["user_ada", "Ada King"]])),
  },
})

/** The list's totals of a period, in the form of the home page. */
async function listedSums({ from, until }: Period): Promise<MoneySums[]> {
  const totals = await totalsOf(ledger.database, { movedFrom: from, movedTo: until })
  if (!totals) throw new Error("the list is too long to add up")
  return totals.map(({ currency, payments, refunds, taken_back, sent, net_after_refunds }) => ({
    currency,
    payments: payments.count,
    received: payments.amount,
    fees: below(payments.fees),
    without_fees: payments.without_fees,
    amount_without_fees: payments.amount_without_fees,
    refunds: refunds.count,
    refunded: below(refunds.amount),
    takings_back: taken_back.count,
    taken_back: below(taken_back.amount),
    went_back: below(plus(refunds.amount, taken_back.amount)),
    net: net_after_refunds,
    sendings: sent.count,
    sent: below(sent.amount),
  }))
}

const minorOf = (amount: string) => BigInt(amount.replace(".", ""))

function plus(one: string, other: string): string {
  const digits = String(minorOf(one) + minorOf(other)).padStart(3, "0")
  return one.includes(".") ? `${digits.slice(0, -2)}.${digits.slice(-2)}` : String(Number(digits))
}

const below = (amount: string) => (/[1-9]/.test(amount) ? `-${amount}` : amount)

const FIGURES = ["received", "fees", "went_back", "net", "sent"] as const
type Line = Readonly<Record<string, string>>

async function sheetOf(period: Period, language: SheetLanguage = "en", timeZone = UTC) {
  const file = await accountantFile(shop(), { ...period, timeZone, language })
  let text = ""
  for await (const part of file.lines) text += part
  expect(text.startsWith("\uFEFF")).toBe(true)
  const [head = [], ...lines] = text
    .slice(1)
    .split("\r\n")
    .slice(0, -1)
    .map((line) => cellsIn(line, language === "fr" ? ";" : ","))
  const named = lines.map((cells): Line => {
    expect(cells).toHaveLength(head.length)
    return Object.fromEntries(head.map((name, at) => [name, cells[at] ?? ""]))
  })
  const totals = named.filter((line) => line["Type"] === "Total")
  return { name: file.name, head, lines: named.slice(0, named.length - totals.length), totals }
}

/** The cells of a line of CSV, as RFC 4180 reads it. */
function cellsIn(line: string, separator: string): string[] {
  const cell = new RegExp(`${separator}(?:"((?:[^"]|"")*)"|([^${separator}"]*))`, "g")
  return [...`${separator}${line}`.matchAll(cell)].map(([, quoted, plain]) =>
    quoted === undefined ? (plain ?? "") : quoted.replaceAll('""', '"'),
  )
}

const HEADS = {
  received: "Received",
  fees: "Fees",
  went_back: "Refunded",
  net: "Net",
  sent: "Sent out",
}

/** Adds up a column of the lines of one currency, digit by digit. */
function columnSum(lines: readonly Line[], currency: string, head: string): string {
  const own = lines.filter((line) => line["Currency"] === currency).map((line) => line[head] ?? "")
  const code = parseCurrency(currency)
  if (!code) throw new Error(`${currency} is no currency`)
  return majorText({
    minor: own.reduce((sum, text) => sum + BigInt(text.replace(".", "") || "0"), 0n),
    currency: code,
  })
}

const isMoving = (sums: MoneySums) =>
  sums.payments + sums.refunds + sums.sendings > 0 || sums.received !== sums.net

it.each(ZONES)("home page, list and sheet add up to the same by the days of %s", async (zone) => {
  const overview = await readOverview(shop(), zone, NOW)
  expect(overview.time_zone).toBe(zone)
  expect(overview.periods.map(({ period }) => period)).toEqual([
    "today",
    "yesterday",
    "this_week",
    "this_month",
  ])
  for (const one of overview.periods.flatMap((own) => [own, own.before])) {
    const period = { from: new Date(one.from), until: new Date(one.to) }
    const moving = one.sums.filter(isMoving)
    expect(moving).toEqual(await listedSums(period))
    const { lines, totals } = await sheetOf(period, "en", zone)
    expect(totals.map((line) => line["Currency"])).toEqual(moving.map(({ currency }) => currency))
    for (const [n, sums] of moving.entries()) {
      for (const figure of FIGURES) {
        const head = HEADS[figure]
        expect([figure, columnSum(lines, sums.currency, head)]).toEqual([figure, sums[figure]])
        expect([figure, totals[n]?.[head]]).toEqual([figure, sums[figure]])
      }
    }
  }
})

it.each(ZONES)("the days of %s add up to their periods", async (zone) => {
  const { days, periods } = await readOverview(shop(), zone, new Date("2026-10-29T22:59:00Z"))
  expect(days).toHaveLength(30)
  const spans = days.map(({ from, to }) => [from, to])
  expect(spans.slice(1).map(([from]) => from)).toEqual(spans.slice(0, -1).map(([, to]) => to))
  const month = periods.find(({ period }) => period === "this_month")
  const own = days.filter(({ from }) => from >= (month?.from ?? ""))
  for (const { currency, received } of month?.sums ?? []) {
    const ofDays = own.flatMap(({ sums }) => sums.filter((one) => one.currency === currency))
    const minor = ofDays.reduce((sum, one) => sum + BigInt(one.received.replace(".", "")), 0n)
    expect(minor).toBe(BigInt(received.replace(".", "")))
  }
  expect(month?.sums).toHaveLength(3)
})

it.each(ZONES)("a day of %s begins at its midnight, in the sheet as on the page", async (zone) => {
  const { days: shown } = await readOverview(shop(), zone, NOW)
  const from = new Date(shown[0]?.from ?? "")
  const { lines, head } = await sheetOf({ from, until: NOW }, "en", zone)
  expect(head[1]).toBe(`Time (${zone})`)
  const days = lines.map((line) => line["Date"] ?? "")
  expect(days[0]).toBe(shown[0]?.day)
  expect(days[0]).toBe(dayIn(zone, from))
  expect([...days].sort()).toEqual(days)
  const midnights = lines.filter((line) => line[`Time (${zone})`] === "00:00:00")
  expect(midnights.length).toBeGreaterThan(0)
})

it("the sheet names the order of a duplicate: the one that another payment has paid", async () => {
  const all = { from: new Date("2026-08-01T00:00:00Z"), until: NOW }
  const orders = async () => {
    const { lines } = await sheetOf(all)
    const duplicates = lines.filter(({ Type: type }) => type === "Duplicate payment")
    return duplicates.flatMap(({ Order: order }) => (order === "" ? [] : [order]))
  }
  expect(await orders()).toEqual([])
  await ledger.sql(
    `with paid as (
       update mp_operation set order_id = 'order_1' where id = (
         select id from mp_operation
          where type = 'COLLECTION' and recorded_at is not null and not is_duplicate limit 1)
       returning payment_collection_id)
     update mp_operation set payment_collection_id = (select payment_collection_id from paid)
      where id = (select id from mp_operation
                   where is_duplicate and type = 'COLLECTION' and money_at < $1 limit 1)`,
    [NOW],
  )
  expect(await orders()).toEqual(["7"])
})

it("the sheet has every kind of line, and names the fees that are not known", async () => {
  const all = { from: new Date("2026-08-01T00:00:00Z"), until: NOW }
  const { lines, totals } = await sheetOf(all)
  const kinds = new Set(lines.map((line) => line["Type"]))
  expect([...kinds].sort()).toEqual([
    "Duplicate payment",
    "Exchange",
    "Fee",
    "Fee, not known yet",
    "Payment",
    "Payout",
    "Refund",
    "Taken back by the operator",
    "Transfer",
  ])
  for (const line of lines.filter(({ Type: type }) => type === "Fee, not known yet")) {
    expect(FIGURES.map((figure) => line[HEADS[figure]])).toEqual(["", "", "", "", ""])
  }
  for (const [n, sums] of (await listedSums(all)).entries()) {
    expect(sums.without_fees).toBeGreaterThan(0)
    expect(totals[n]?.["Note"]).toBe(
      `Payments whose fees are not known yet: ${sums.without_fees}, together ` +
        `${sums.currency} ${sums.amount_without_fees}`,
    )
  }
})

it("the French sheet has semicolons, decimal commas, French words, and the same sums", async () => {
  const period = { from: new Date("2026-10-01T00:00:00Z"), until: NOW }
  const [english, french] = [await sheetOf(period), await sheetOf(period, "fr")]
  expect(french.name).toBe("comptable-2026-10-01-to-2026-11-02.csv")
  expect(french.head.slice(0, 4)).toEqual(["Date", "Heure (UTC)", "Type", "Commande"])
  expect(french.lines).toHaveLength(english.lines.length)
  const comma = (lines: readonly Line[], head: string) => lines.map((line) => line[head])
  expect(comma(french.totals, "Reçu")).toEqual(
    comma(english.totals, "Received").map((text) => text?.replace(".", ",")),
  )
  // An operator's name with a semicolon stays one cell, and an amount below zero is no formula.
  expect(comma(french.lines, "Remboursé").some((text) => /^-\d+,\d\d$/.test(text ?? ""))).toBe(true)
  expect(french.lines.every((line) => !line["État"]?.includes("'"))).toBe(true)
})

it("the list behind a figure has exactly the rows that moved in its period", async () => {
  const { periods } = await readOverview(shop(), "Europe/Paris", NOW)
  for (const { from, to, sums } of periods) {
    const filter = { movedFrom: new Date(from), movedTo: new Date(to), types: ["REFUND" as const] }
    const page = await listOperations(ledger.database, filter, { limit: ROWS, offset: 0 })
    const refunds = sums.reduce((sum, one) => sum + one.refunds, 0)
    expect(page.operations).toHaveLength(refunds)
  }
})

describe("the moment at which money moved", () => {
  const momentOf = async (id: string) => {
    const [row] = await empty.sql("select money_at from mp_operation where id = $1", [id])
    return row?.["money_at"] as Date | null
  }
  const toYesterday = (id: string) =>
    empty.sql("update mp_operation set money_at = money_at - interval '1 day' where id = $1", [id])

  it("is set by the proof, and never changes afterwards", async () => {
    const sent = await submitted(empty.database)
    expect(await momentOf(sent.id)).toBeNull()
    const paid = await advanced(empty.database, sent, {
      event: "complete",
      code: "paid",
      changes: { collectedMinor: 1_999n },
    })
    expect(await momentOf(sent.id)).not.toBeNull()
    await toYesterday(sent.id)
    const moment = await momentOf(sent.id)
    const stranded = await advanced(empty.database, paid, { event: "strand", code: "paid" })
    await advanced(empty.database, stranded, {
      event: "accept",
      code: "paid",
      changes: { collectedMinor: 2_099n },
    })
    expect(await momentOf(sent.id)).toEqual(moment)
  })

  it("is set for money under review, before an admin decides", async () => {
    const sent = await submitted(empty.database)
    const doubted = await advanced(empty.database, sent, {
      event: "doubt",
      code: "paid",
      changes: { collectedMinor: 2_099n },
    })
    await toYesterday(sent.id)
    const moment = await momentOf(sent.id)
    expect(moment).not.toBeNull()
    await advanced(empty.database, doubted, { event: "accept", code: "paid" })
    expect(await momentOf(sent.id)).toEqual(moment)
  })

  it("is not set for a payment that failed", async () => {
    const sent = await submitted(empty.database)
    await advanced(empty.database, sent, { event: "fail", code: "paid", next: "never" })
    expect(await momentOf(sent.id)).toBeNull()
  })

  it("of a refund leaves its payment's moment", async () => {
    const payment = await collected(empty.database)
    const before = await momentOf(payment.id)
    await empty.sql(
      `insert into mp_operation (id, parent_id, type, state, flow, account_id, provider_id,
         payment_collection_id, payment_session_id, currency_code, amount_minor, medusa_amount,
         source_type, reference, submitted_at, expires_at)
       select 'mpop_refund', id, 'REFUND', 'submitted', 'push', account_id, provider_id,
              payment_collection_id, payment_session_id, currency_code, 500, 5, source_type,
              gen_random_uuid(), now(), now() from mp_operation where id = $1`,
      [payment.id],
    )
    await empty.sql("update mp_operation set reserved_refund_minor = 500 where id = $1", [
      payment.id,
    ])
    const page = await listOperations(
      empty.database,
      { types: ["REFUND"] },
      { limit: 1, offset: 0 },
    )
    const refund = page.operations[0]?.operation
    if (!refund) throw new Error("the refund is not there")
    expect(await momentOf(refund.id)).toBeNull()
    await advanceRefund(empty.database, refund, { event: "complete", code: "paid" })
    expect(await momentOf(refund.id)).not.toBeNull()
    expect(await momentOf(payment.id)).toEqual(before)
  })
})
