/** The shared reading for open pages: what it costs, and that it misses no write. */
import { Client } from "pg"
import { paymentBoard, type PaymentBoard } from "../../../src/checkout/live/payment-board"
import { readNews } from "../../../src/checkout/sql/changed-payments"
import { LIMITS } from "../../../src/core/limits"
import type { MedusaOperation } from "../../../src/core/operation"
import { systemIds, type Clock } from "../../../src/core/ports"
import type { Database } from "../../../src/ledger/database"
import { advanced, drafted, startLedgerDatabase, submitted } from "../../support/ledger-database"
import type { LedgerDatabase } from "../../support/ledger-database"
import { testBox } from "../../support/test-box"

let ledger: LedgerDatabase
let operations: readonly MedusaOperation[] = []

beforeAll(async () => {
  ledger = await startLedgerDatabase()
  operations = await Promise.all(Array.from({ length: 1_000 }, () => drafted(ledger.database)))
  await ledger.sql("vacuum analyze")
})

afterAll(() => ledger.stop())

const collectionOf = ({ paymentCollectionId }: MedusaOperation) => paymentCollectionId

async function newestPosition(): Promise<number> {
  const asked = { since: null, watched: [], anyway: [] }
  return (await readNews(ledger.database, asked)).newest
}

/**
 * Blocks that a reading touches, and what its plan does: the cheapest of three, because the first
 * reading after a write also reads what that write left behind.
 */
async function costOf(asked: Parameters<typeof readNews>[1]) {
  const readings = [await explained(asked), await explained(asked), await explained(asked)]
  return readings.reduce((cheapest, one) => (one.blocks < cheapest.blocks ? one : cheapest))
}

async function explained(asked: Parameters<typeof readNews>[1]) {
  let plan = ""
  const explaining: Database = {
    async query(sql, parameters) {
      const rows = await ledger.sql(`explain (analyze, buffers) ${sql}`, [...parameters])
      plan = rows.map((row) => String(row["QUERY PLAN"])).join("\n")
      return []
    },
  }
  await readNews(explaining, asked)
  const [, hit = "0"] = /Buffers: shared hit=(\d+)/.exec(plan) ?? []
  const [, read = "0"] = /Buffers: shared (?:hit=\d+ )?read=(\d+)/.exec(plan) ?? []
  const [, cost = "0"] = /cost=[\d.]+\.\.([\d.]+)/.exec(plan) ?? []
  return { blocks: Number(hit) + Number(read), cost: Number(cost), plan }
}

describe("a reading of what was written", () => {
  it("costs the same at 100 and at 1,000 open pages", async () => {
    const since = await newestPosition()
    const shown = operations.slice(0, 5)
    for (const one of shown)
      await advanced(ledger.database, one, { event: "expire", code: "never_sent" })
    const watched = operations.map(collectionOf)
    const few = await costOf({ since, watched: watched.slice(0, 100), anyway: [] })
    const all = await costOf({ since, watched, anyway: [] })
    expect(all.blocks).toBeLessThanOrEqual(few.blocks + 5)
    expect(all.plan).not.toMatch(/Seq Scan on mp_/)
    // Postgres compiles what it takes for dearer than 100,000.
    expect(all.cost).toBeLessThan(50_000)
    const read = await readNews(ledger.database, { since, watched, anyway: [] })
    expect(read.changed.map((one) => one.operation.id).sort()).toEqual(
      shown.map(({ id }) => id).sort(),
    )
  })

  it("costs a few blocks when nothing was written", async () => {
    const since = await newestPosition()
    const { blocks } = await costOf({ since, watched: operations.map(collectionOf), anyway: [] })
    expect(blocks).toBeLessThanOrEqual(10)
  })

  it("reads each payment of newly opened pages once", async () => {
    const few = operations.slice(0, 100).map(collectionOf)
    const all = operations.map(collectionOf)
    const hundred = await costOf({ since: null, watched: few, anyway: few })
    const thousand = await costOf({ since: null, watched: all, anyway: all })
    expect(thousand.blocks).toBeLessThanOrEqual(11 * hundred.blocks)
    expect(thousand.cost).toBeLessThan(100_000)
    const { changed } = await readNews(ledger.database, { since: null, watched: all, anyway: all })
    expect(new Set(changed.map((one) => one.paymentCollectionId))).toEqual(new Set(all))
    expect(changed.every(({ sessionIds }) => sessionIds.length === 1)).toBe(true)
  })

  it("says so when more was written than it reads", async () => {
    const [one] = operations
    if (!one) throw new Error("no payment")
    const since = await newestPosition()
    await ledger.sql(
      `insert into mp_operation_event (operation_id, seq, name, state, code)
       select $1, n, 'note', 'drafted', 'note' from generate_series(1000, 1000 + $2::int) n`,
      [one.id, LIMITS.streamsEventsMax],
    )
    const news = await readNews(ledger.database, { since, watched: [], anyway: [] })
    expect(news.isCut).toBe(true)
  })
})

describe("an open page", () => {
  let begin: () => void = () => undefined
  let nowMs = 0
  const clock: Clock = {
    now: () => new Date(),
    monotonicMs: () => nowMs,
    sleep: (ms) => new Promise((resolve) => (begin = () => ((nowMs += ms), resolve()))),
  }
  const silent = () => undefined
  const logger = { debug: silent, info: silent, error: silent, warn: silent }
  let board: PaymentBoard

  beforeEach(() => {
    const settings = { storefrontOrigins: [], publicUrl: "http://localhost:4101" }
    const { database } = ledger
    board = paymentBoard({ database, clock, logger, box: testBox, ids: systemIds, settings })
  })

  async function turn(): Promise<void> {
    const began = begin
    began()
    // The next sleep begins once the turn is over.
    while (begin === began) await new Promise((resolve) => setImmediate(resolve))
  }

  it("is sent a write that becomes visible after a later one", async () => {
    const [slow, quick] = [await submitted(ledger.database), await submitted(ledger.database)]
    const sent: string[] = []
    const leave = [slow, quick].map(({ paymentSessionId: sessionId, paymentCollectionId }) =>
      board.watch({ sessionId, paymentCollectionId, payable: undefined, isLoggedIn: false }, () =>
        sent.push(sessionId),
      ),
    )
    await turn()
    // Old enough that the first reading's own reserve does not see it.
    for (let passed = 0; passed <= LIMITS.streamsOverlapMs; passed += LIMITS.streamsReadEveryMs) {
      await turn()
    }
    sent.length = 0
    const client = new Client({ connectionString: ledger.url })
    await client.connect()
    await client.query("begin")
    await client.query(
      `insert into mp_operation_event (operation_id, seq, name, state, code)
       values ($1, 99, 'note', 'submitted', 'note')`,
      [slow.id],
    )
    await client.query("update mp_operation set version = 99 where id = $1", [slow.id])
    await advanced(ledger.database, quick, { event: "see", code: "execution_reads" })
    await turn()
    expect(sent).toEqual([quick.paymentSessionId])
    await client.query("commit")
    await client.end()
    await turn()
    expect(sent).toEqual([quick.paymentSessionId, slow.paymentSessionId])
    leave.forEach((end) => end())
  })
})
