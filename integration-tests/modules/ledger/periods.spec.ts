/** The ledger's sums of a period: which tries count, and by which index they are read. */
import type { Database } from "../../../src/ledger/database"
import {
  countOfPeriod,
  readConfirmed,
  readRefundsOfPeriod,
  readTakings,
} from "../../../src/reconciliation/sql/figures-of-period"
import { findMoneyOfPeriod } from "../../../src/reconciliation/sql/find-for-period"
import { findReconciliations } from "../../../src/reconciliation/sql/reconciliations"
import { HOUR, MINUTE, money } from "../../support/an-operation"
import { startLedgerDatabase, type LedgerDatabase } from "../../support/ledger-database"

let ledger: LedgerDatabase

beforeAll(async () => {
  ledger = await startLedgerDatabase()
})

afterAll(() => ledger.stop())

const NOON = new Date("2026-11-20T12:00:00Z")
const period = (fromMs: number, untilMs: number) => ({
  from: new Date(NOON.getTime() + fromMs),
  until: new Date(NOON.getTime() + untilMs),
  accountIds: ["mpacc_env"],
})

let rows = 0

async function row(given: Readonly<Record<string, unknown>>): Promise<void> {
  rows += 1
  const values = {
    id: `mpop_${rows}`,
    type: "COLLECTION",
    state: "completed",
    flow: "push",
    account_id: "mpacc_env",
    provider_id: "p",
    payment_collection_id: `pay_col_${rows}`,
    payment_session_id: `payses_${rows}`,
    currency_code: "USD",
    amount_minor: 1_000,
    collected_minor: 1_000,
    source_type: "ORDER",
    reference: `00000000-0000-4000-8000-${String(rows).padStart(12, "0")}`,
    payment_method: "OPERATOR1_MOMO_LBR",
    submitted_at: NOON,
    expires_at: NOON,
    created_at: NOON,
    ...given,
  }
  const names = Object.keys(values)
  await ledger.sql(
    `insert into mp_operation (${names.join(", ")})
     values (${names.map((_, n) => `$${n + 1}`).join(", ")})`,
    Object.values(values),
  )
}

const DAY_OF_NOON = period(-12 * HOUR, 12 * HOUR)

describe("the sums of a period", () => {
  beforeAll(async () => {
    await row({ confirmed_after_ms: 10_000 })
    await row({ confirmed_after_ms: 30_000, collected_minor: 1_250 })
    await row({ confirmed_after_ms: 50_000, currency_code: "RWF", payment_method: "OPERATOR3_RWA" })
    await row({ state: "failed", collected_minor: null })
    await row({ state: "expired", collected_minor: null })
    // No tries: never sent, under way, waiting for a person, classed by one, beside another
    // payment. What came in counts as money all the same.
    await row({ state: "expired", collected_minor: null, submitted_at: null })
    await row({ state: "in_flight", collected_minor: null })
    await row({ state: "review" })
    await row({ state: "failed", dismissed_at: NOON })
    await row({ is_duplicate: true, returned_at: NOON })
    const parent = {
      parent_id: "mpop_1",
      medusa_amount: 5,
      amount_minor: 500,
      collected_minor: null,
    }
    await row({ ...parent, type: "REFUND" })
    await row({ ...parent, type: "REFUND", state: "in_flight" })
    await row({ ...parent, type: "REFUND", state: "failed" })
    await row({ created_at: period(0, 12 * HOUR).until })
  })

  afterAll(() => ledger.sql("truncate mp_operation cascade"))

  it("count ended tries and all money that came in", async () => {
    const usd = { day: "2026-11-20", carrier: null, paymentMethod: "OPERATOR1_MOMO_LBR" }
    expect(await readTakings(ledger.database, DAY_OF_NOON)).toMatchObject([
      { currency: "RWF", count: 1, collectedMinor: 1_000n, completed: 1, failed: 0, expired: 0 },
      {
        ...usd,
        currency: "USD",
        count: 5,
        collectedMinor: 5_250n,
        completed: 2,
        failed: 1,
        expired: 1,
      },
    ])
  })

  it("belong to the day in the requested time zone", async () => {
    const daysIn = async (timeZone: string) =>
      (await readTakings(ledger.database, DAY_OF_NOON, timeZone)).map(({ day }) => day)
    expect(await daysIn("Africa/Kigali")).toEqual(["2026-11-20", "2026-11-20"])
    expect(await daysIn("Pacific/Auckland")).toEqual(["2026-11-21", "2026-11-21"])
  })

  it("take the payers' time only from payments whose moment is known", async () => {
    const confirmed = await readConfirmed(ledger.database, DAY_OF_NOON)
    expect(confirmed.find(({ isAll }) => isAll)).toMatchObject({
      count: 3,
      p50Seconds: 30,
      p90Seconds: 46,
    })
    expect(confirmed.filter(({ isAll }) => !isAll)).toHaveLength(2)
    expect(await readConfirmed(ledger.database, period(HOUR, 2 * HOUR))).toEqual([])
  })

  it("include refunds that may have gone back", async () => {
    const refund = {
      amount: money(500),
      medusaRefundId: null,
      medusaAmount: "5",
      isUnderReview: false,
      isBesideMedusa: true,
    }
    const refunds = await readRefundsOfPeriod(ledger.database, DAY_OF_NOON)
    expect(refunds).toHaveLength(3)
    expect(refunds).toEqual(
      expect.arrayContaining([
        { ...refund, isSent: true, isConfirmed: true },
        { ...refund, isSent: true, isConfirmed: false },
        { ...refund, isSent: false, isConfirmed: false },
      ]),
    )
  })

  it("can be limited to one account", async () => {
    const unowned = { ...DAY_OF_NOON, accountIds: ["mpacc_other"] }
    expect(await readTakings(ledger.database, unowned)).toEqual([])
    expect(await readRefundsOfPeriod(ledger.database, unowned)).toEqual([])
    expect(await countOfPeriod(ledger.database, unowned, 10)).toBe(0)
  })

  it("are counted only to the requested bound", async () => {
    expect(await countOfPeriod(ledger.database, DAY_OF_NOON, 5)).toBe(6)
    expect(await countOfPeriod(ledger.database, DAY_OF_NOON, 100)).toBe(13)
  })
})

describe("a large ledger", () => {
  const ROWS = 60_000
  /** One a second. */
  const IN_PERIOD = 600

  beforeAll(async () => {
    await ledger.sql(
      `insert into mp_operation (id, type, state, flow, account_id, provider_id,
         payment_collection_id, payment_session_id, currency_code, amount_minor, collected_minor,
         payment_method, source_type, reference, submitted_at, expires_at, confirmed_after_ms,
         created_at)
       select 'mpop_' || n, 'COLLECTION', 'completed', 'push', 'mpacc_env', 'p', 'pay_col_' || n,
         'payses_' || n, 'USD', 1999, 1999, 'OPERATOR1_MOMO_LBR', 'ORDER', gen_random_uuid(),
         now(), now(), 1000 + n, $2::timestamptz + n * interval '1 second'
         from generate_series(0, $1 - 1) n`,
      [ROWS, NOON],
    )
    await ledger.sql(
      `insert into mp_reconciliation (id, account_id, from_at, until_at, is_complete, totals)
       select 'mprec_' || n, 'mpacc_env', $1::timestamptz + n * interval '1 minute',
         $1::timestamptz + (n + 60) * interval '1 minute', true, '[]'
         from generate_series(1, 5000) n`,
      [NOON],
    )
    await ledger.sql("analyze mp_operation")
    await ledger.sql("analyze mp_reconciliation")
  })

  const tenMinutes = period(HOUR, HOUR + 10 * MINUTE)
  const CASES: readonly (readonly [string, number, (database: Database) => Promise<unknown>])[] = [
    ["takings", IN_PERIOD, (database) => readTakings(database, tenMinutes)],
    ["times", IN_PERIOD, (database) => readConfirmed(database, tenMinutes)],
    ["refunds", IN_PERIOD, (database) => readRefundsOfPeriod(database, tenMinutes)],
    ["count", 51, (database) => countOfPeriod(database, period(0, 10 * HOUR), 50)],
    ["rows", IN_PERIOD, (database) => findMoneyOfPeriod(database, tenMinutes, ["mpop_7"]).next()],
    [
      "kept comparisons",
      1,
      (database) => findReconciliations(database, ["mpacc_env"], period(MINUTE, HOUR + MINUTE)),
    ],
  ]

  it.each(CASES)("reads for its %s no more than the period's rows", async (_, most, read) => {
    let plan = ""
    const explaining: Database = {
      async query(sql, parameters) {
        const lines = await ledger.sql(`explain (analyze, buffers off) ${sql}`, [...parameters])
        plan = lines.map((line) => String(line["QUERY PLAN"])).join("\n")
        return []
      },
    }
    await read(explaining)
    const counts = [...plan.matchAll(/actual [^)]*rows=(\d+)|Rows Removed by \w+: (\d+)/g)]
    expect(counts.length).toBeGreaterThan(0)
    const mostRead = Math.max(...counts.map(([, kept, removed]) => Number(kept ?? removed)))
    expect([mostRead <= most, plan]).toEqual([true, plan])
  })
})
