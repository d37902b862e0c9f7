/** What the admin's list finds, in which order, and by which index. */
import type { MedusaOperation } from "../../../src/core/operation"
import { readOperations } from "../../../src/review/read-operations"
import { placeFromText } from "../../../src/review/schemas/list-query"
import { LIMITS } from "../../../src/core/limits"
import type { OperationFilter } from "../../../src/review/sql/list-filter"
import { listOperations, type Paging } from "../../../src/review/sql/list-operations"
import { listPayouts } from "../../../src/payouts/sql/find-payouts"
import type { Database } from "../../../src/ledger/database"
import { collected, drafted, startLedgerDatabase, submitted } from "../../support/ledger-database"
import type { LedgerDatabase } from "../../support/ledger-database"
import { recordsInMemory } from "../../support/records-in-memory"
import { said } from "../../support/said"

let ledger: LedgerDatabase

beforeAll(async () => {
  ledger = await startLedgerDatabase()
})

afterAll(() => ledger.stop())

const FIRST: Paging = { limit: 20, offset: 0 }

const found = async (filter: OperationFilter, paging = FIRST) =>
  (await listOperations(ledger.database, filter, paging)).operations.map(
    ({ operation }) => operation.id,
  )

describe("the admin's list", () => {
  let payment: MedusaOperation

  beforeAll(async () => {
    await drafted(ledger.database)
    await submitted(ledger.database, { flow: "hosted", phoneHint: null })
    payment = await collected(ledger.database, {
      changes: { paymentMethod: said("OPERATOR1_MOMO_LBR"), providerTransactionId: said("TX-7") },
      draft: { orderId: "order_7", phoneHint: "789" },
    })
  })

  afterAll(() => ledger.sql("truncate mp_operation cascade"))

  it("finds an operation by each filter", async () => {
    const { id, reference, cartId } = payment
    const filters: OperationFilter[] = [
      { states: ["completed"] },
      { states: ["completed", "review"], types: ["COLLECTION"], flows: ["push"] },
      { currency: "USD", paymentMethods: ["OPERATOR1_MOMO_LBR"] },
      { accountId: "mpacc_env", orderIds: ["order_7"] },
      { cartIds: [cartId ?? ""] },
      { ids: [id], paymentCollectionIds: [payment.paymentCollectionId] },
      { paymentSessionIds: [payment.paymentSessionId] },
      { reference: (reference ?? "").toUpperCase() },
      { phoneHint: "789", createdFrom: new Date(Date.now() - 60_000) },
    ]
    for (const filter of filters) expect([filter, await found(filter)]).toEqual([filter, [id]])
    expect(await found({ createdTo: new Date(Date.now() - 60_000) })).toEqual([])
  })

  it("has every operation once, newest first, page by page", async () => {
    for (let n = 0; n < 7; n++) await drafted(ledger.database)
    // The same moment for all: then the id decides.
    await ledger.sql("update mp_operation set created_at = '2026-11-22T01:02:03.456789Z'")
    const all = await found({}, { limit: 100, offset: 0 })
    const ids: string[] = []
    for (let after: string | null = ""; after !== null;) {
      const place = after === "" ? undefined : placeFromText(after)
      const page = await readOperations(
        {
          database: ledger.database,
          accounts: () => Promise.resolve([]),
          medusa: recordsInMemory(new Map()),
          digest: (text) => text,
        },
        {},
        { limit: 3, offset: 0, after: place },
      )
      expect(page.count).toBe(10)
      ids.push(...page.operations.map(({ id }) => id))
      after = page.next
    }
    expect(ids).toEqual(all)
    expect(new Set(ids).size).toBe(10)
    expect(await found({}, { limit: 4, offset: 8 })).toEqual(all.slice(8))
  })

  it("names what needs attention, and no failed refund that was made again", async () => {
    expect(await found({ needsAttention: true })).toEqual([])
    const refund = async (state: string, minutes: number) => {
      const [row] = await ledger.sql(
        `insert into mp_operation (id, type, state, flow, account_id, provider_id,
           payment_collection_id, payment_session_id, parent_id, currency_code, amount_minor,
           medusa_amount, reference, source_type, expires_at, answered_at, created_at)
         select 'mpop_' || gen_random_uuid(), 'REFUND', $2, flow, account_id, provider_id,
           payment_collection_id, payment_session_id, id, currency_code, 500, 5,
           gen_random_uuid(), source_type, now(), now(), created_at + $3 * interval '1 minute'
           from mp_operation where id = $1 returning id`,
        [payment.id, state, minutes],
      )
      return String(row?.["id"])
    }
    const failed = await refund("failed", 1)
    expect(await found({ needsAttention: true })).toEqual([failed])
    await refund("in_flight", 2)
    expect(await found({ needsAttention: true })).toEqual([])
    await ledger.sql("update mp_operation set state = 'review', recorded_at = null where id = $1", [
      payment.id,
    ])
    expect(await found({ needsAttention: true })).toEqual([payment.id])
    expect(await found({ needsAttention: false })).not.toContain(payment.id)
  })
})

describe("the list of a large ledger", () => {
  const ROWS = 60_000
  /** One in so many is of the rarer kind. */
  const RARE = 20_000
  let tablePages = 0

  beforeAll(async () => {
    await ledger.sql(
      `insert into mp_operation (id, type, state, flow, account_id, provider_id, cart_id,
         payment_collection_id, payment_session_id, currency_code, amount_minor, collected_minor,
         payment_method, phone_hint, source_type, source_id, reference, submitted_at, expires_at,
         recorded_at, messages, created_at)
       select 'mpop_' || n, 'COLLECTION', case when n % $2 = 0 then 'review' else 'completed' end,
         'push', 'mpacc_env', 'pp_mobile-money_merchant', 'cart_' || n, 'pay_col_' || n,
         'payses_' || n, case when n % $2 = 1 then 'RWF' else 'USD' end, 1999, 1999,
         case when n % $2 = 2 then 'OPERATOR3_RWA' else 'OPERATOR1_MOMO_LBR' end,
         lpad((n % 1000)::text, 3, '0'), 'ORDER', n, gen_random_uuid(), now(), now(),
         case when n % $2 = 0 then null else now() end,
         -- A row of a real payment is about as long.
         jsonb_build_object('execution', repeat('x', 700)), now() - n * interval '1 second'
         from generate_series(1, $1) n`,
      [ROWS, RARE],
    )
    // The index alone answers for rows that vacuum has seen, once their commit is on the disk.
    await ledger.sql("checkpoint")
    await ledger.sql("vacuum analyze mp_operation")
    const [size] = await ledger.sql(
      "select pg_relation_size('mp_operation') / current_setting('block_size')::int as pages",
    )
    tablePages = Number(size?.["pages"])
  })

  /** Pages of the database that a whole statement touched, in all its processes. */
  function pagesRead(plan: string): number {
    const [, hit = "0", read = "0"] =
      /Buffers: shared(?: hit=(\d+))?(?: read=(\d+))?/.exec(plan) ?? []
    const pages = Number(hit) + Number(read)
    expect(pages).toBeGreaterThan(0)
    return pages
  }

  const plansOf = (filter: OperationFilter, paging: Paging) =>
    planOf((database) => listOperations(database, filter, paging))

  /** The plan of what a list asks. */
  async function planOf(list: (database: Database) => Promise<unknown>): Promise<string> {
    let plan = ""
    const explaining: Database = {
      async query(sql, parameters) {
        const rows = await ledger.sql(`explain (analyze, buffers) ${sql}`, [...parameters])
        plan = rows.map((row) => String(row["QUERY PLAN"])).join("\n")
        return [{ n: 0, id: null }]
      },
    }
    await list(explaining)
    return plan
  }

  /**
   * The most rows that any part of a plan has read, in all its runs, with those that it threw away.
   */
  function mostRead(plan: string): number {
    let loops = 1
    const counts = plan.split("\n").flatMap((line) => {
      const [, kept, runs] = /actual [^)]*rows=([\d.]+) loops=(\d+)/.exec(line) ?? []
      const [, removed] = /Rows Removed by \w+: (\d+)/.exec(line) ?? []
      if (runs !== undefined) loops = Number(runs)
      // Per run, as the server says it: a line of what was removed belongs to the node above it.
      return (kept ?? removed) ? [Math.round(Number(kept ?? removed) * loops)] : []
    })
    expect(counts.length).toBeGreaterThan(0)
    return Math.max(...counts)
  }

  it.each([
    [{}],
    [{ states: ["review"] }],
    [{ needsAttention: true }],
    [{ currency: "RWF" }],
    [{ phoneHint: "042" }],
    [{ types: ["REFUND"] }],
    [{ accountId: "mpacc_env", createdFrom: new Date(Date.now() - 600_000) }],
    [{ accountId: "mpacc_other" }],
    [{ flows: ["push"], states: ["review", "failed"], needsAttention: false }],
    [{ states: ["completed"], createdTo: new Date(Date.now() - 59_000_000) }],
    [{ cartIds: ["cart_41"] }],
    [{ paymentSessionIds: ["payses_41"] }],
    [{ words: "'mpop_40000':*" }],
    [{ words: "'nothing':*" }],
    [{ words: "'rwf'" }],
    [{ words: "'usd' & 'cart_41'" }],
  ] as [OperationFilter][])("reads no more of the table than it needs for %j", async (filter) => {
    expect(mostRead(await plansOf(filter, FIRST))).toBeLessThanOrEqual(LIMITS.listCountMax + 1)
  })

  it.each([
    [{ flows: ["hosted"] }],
    [{ paymentMethods: ["OPERATOR3_RWA"] }],
    [{ states: ["completed"], currency: "RWF" }],
    [{ paymentMethods: ["OPERATOR1_MOMO_LBR"], currency: "RWF" }],
    [{ paymentMethods: ["OPERATOR1_MOMO_LBR"], flows: ["card", "link"] }],
  ] as [OperationFilter][])("filters in the index what few or none match: %j", async (filter) => {
    for (const by of ["created", "amount"] as const) {
      const plan = await plansOf(filter, { ...FIRST, order: { by, isAscending: false } })
      expect(pagesRead(plan)).toBeLessThan(tablePages / 2)
    }
  })

  it("finds a distant page at once, and counts only to its bound", async () => {
    const after = { createdMicros: BigInt(Date.now() - 50_000_000) * 1_000n, id: "mpop_0" }
    const plan = await plansOf({}, { ...FIRST, after })
    expect(mostRead(plan)).toBeLessThanOrEqual(LIMITS.listCountMax + 1)
    const { count, isMore } = await listOperations(ledger.database, {}, FIRST)
    expect([count, isMore]).toEqual([LIMITS.listCountMax, true])
  })

  it("reads only the page and the count of payouts", async () => {
    await ledger.sql(
      `insert into mp_operation (id, type, state, flow, account_id, currency_code, amount_minor,
         reference, expires_at, idempotency_key, asked_by, created_at)
       select 'mpop_out_' || n, 'PAYOUT', case when n % 1000 = 0 then 'failed' else 'completed' end,
         'push', 'mpacc_env', 'USD', 1999, gen_random_uuid(), now(), 'key-' || n, 'user_1',
         now() - n * interval '1 minute'
         from generate_series(1, 5000) n`,
    )
    await ledger.sql("analyze mp_operation")
    const page = { type: "PAYOUT", limit: 20, offset: 0 } as const
    for (const states of [undefined, ["failed"] as const]) {
      const plan = await planOf((database) => listPayouts(database, { ...page, states }))
      expect(mostRead(plan)).toBeLessThanOrEqual(LIMITS.listCountMax)
    }
  })
})
