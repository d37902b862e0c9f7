/**
 * A database that fails over, ends one of two statements that wait for each other, or has no free
 * connection: a real one, with real payments under way.
 */
import { Client, Pool } from "pg"
import { LIMITS } from "../../../src/core/limits"
import { ofMedusa, type MedusaOperation } from "../../../src/core/operation"
import { systemClock, systemRandom } from "../../../src/core/ports"
import { checkDueOperations, checkNow } from "../../../src/worker/check-due-operations"
import type { FlowDeps } from "../../../src/engine/deps"
import { startPayment } from "../../../src/checkout/start-payment"
import type { Gateway } from "../../../src/gateway"
import { databaseFault } from "../../../src/ledger/database-error"
import { postponeOperations } from "../../../src/ledger/postpone-operation"
import { claimOperation } from "../../../src/ledger/claim-due-operations"
import { steadyPass } from "../../../src/worker/steady-pass"
import { MINUTE, SECOND } from "../../support/an-operation"
import { PHONE } from "../../support/flows-harness"
import { databaseOfPool } from "../../support/ledger-database"
import { breachesIn, useFlowsHarness } from "../../support/use-flows-harness"

const END_OTHERS = `
  select pg_terminate_backend(pid) from pg_stat_activity
   where pid <> pg_backend_pid() and datname = current_database()`

let admin: Client
// Before the harness drops the database.
afterAll(() => admin.end())
const harness = useFlowsHarness()

beforeAll(async () => {
  admin = new Client({ connectionString: harness.ledger.url })
  await admin.connect()
  await admin.query("set default_transaction_read_only = off")
  // The other one of two that wait for each other is ended, not this.
  await admin.query("set deadlock_timeout = '1h'")
})

beforeEach(() => {
  harness.simulator.resetCalls()
  harness.logged.length = 0
})

afterEach(async () => {
  expect(await breachesIn(harness)).toEqual([])
})

/** As after a failover to a server that only reads: every line ends, and new ones can't write. */
async function failOver(): Promise<void> {
  await admin.query(`alter database ${admin.database} set default_transaction_read_only = on`)
  await admin.query(END_OTHERS)
}

const failBack = async (): Promise<void> => {
  await admin.query(`alter database ${admin.database} reset default_transaction_read_only`)
  await admin.query(END_OTHERS)
}

const failed = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

/** How the database is, once it answers at all: lines that died are found out by using them. */
async function untilItAnswers(): Promise<void> {
  for (let tries = 0; tries < 40; tries++) {
    const error = await failed(harness.ledger.sql("select 1"))
    if (error === undefined) return
  }
  throw new Error("the database does not answer again")
}

const moneyCalls = () => harness.simulator.calls["executeCollection"] ?? 0

describe("[P16] a failover", () => {
  it("before the draft refuses the start, and the gateway isn't called", async () => {
    const { sessionId } = harness.cart()
    await failOver()
    await untilItAnswers()
    const error = await failed(startPayment(harness.deps, { sessionId, phone: PHONE }))
    expect(databaseFault(error)).toBe("not_begun")
    expect(harness.simulator.calls["createCheckoutSource"]).toBeUndefined()
    expect(moneyCalls()).toBe(0)
    await failBack()
    await untilItAnswers()
    await startPayment(harness.deps, { sessionId, phone: PHONE })
    expect(moneyCalls()).toBe(1)
  })

  it("before the reference is committed sends no money call, and the next start charges once", async () => {
    const { sessionId, collectionId } = harness.cart()
    const deps: FlowDeps = { ...harness.deps, gatewayOf: () => failingOverAt(failOver) }
    expect(await failed(startPayment(deps, { sessionId, phone: PHONE }))).toBeDefined()
    expect(moneyCalls()).toBe(0)
    await failBack()
    await untilItAnswers()
    const draft = await harness.shown(collectionId)
    expect(draft).toMatchObject({ state: "drafted", reference: null })
    await harness.pass(draft.id, MINUTE)
    await startPayment(harness.deps, { sessionId, phone: PHONE })
    const { reference } = await harness.shown(collectionId)
    harness.simulator.handset.approve(reference ?? "")
    await harness.pass(draft.id, 3 * SECOND)
    await checkNow(harness.deps, draft.id)
    expect(await harness.shown(collectionId)).toMatchObject({ state: "completed" })
    expect(moneyCalls()).toBe(1)
  })

  it("before a check is written ends the pass with one error, and the check is repeated", async () => {
    const { sessionId, collectionId } = harness.cart()
    await startPayment(harness.deps, { sessionId, phone: PHONE })
    const { id, reference } = await harness.shown(collectionId)
    harness.simulator.handset.approve(reference ?? "")
    await failOver()
    await untilItAnswers()
    const run = steadyPass(systemClock, systemRandom)
    const pass = () =>
      run(harness.deps.logger, () => checkDueOperations(harness.deps, { atMost: 50 }))
    await pass()
    await pass()
    expect(harness.logged).toEqual([expect.stringContaining("tries again until it can")])
    await failBack()
    await untilItAnswers()
    await harness.pass(id, 3 * SECOND)
    await checkNow(harness.deps, id)
    expect(await harness.shown(collectionId)).toMatchObject({ state: "completed", reference })
  })
})

/** The gateway, with something that happens once it has made the source. */
function failingOverAt(act: () => Promise<void>): Gateway {
  return {
    ...harness.gateway,
    checkouts: {
      ...harness.gateway.checkouts,
      async create(request, options) {
        const made = await harness.gateway.checkouts.create(request, options)
        await act()
        return made
      },
    },
  }
}

it("[P17] a statement that the database ends in a deadlock is sent again", async () => {
  const collections: string[] = []
  for (const { sessionId, collectionId } of [harness.cart(), harness.cart()]) {
    await startPayment(harness.deps, { sessionId, phone: PHONE })
    collections.push(collectionId)
  }
  const pool = new Pool({ connectionString: harness.ledger.url })
  const codes: unknown[] = []
  const database = databaseOfPool(pool, (error) => codes.push(errorCode(error)))
  // Which row the statement takes first is Postgres' choice: one of the two orders meets it
  // head-on.
  for (const [mine, theirs] of [collections, [...collections].reverse()]) {
    const held: MedusaOperation[] = []
    for (const collectionId of collections) {
      const { id } = await harness.shown(collectionId)
      await harness.pass(id, 3 * SECOND)
      const claimed = await claimOperation(database, id, LIMITS.leaseMs)
      if (claimed) held.push(ofMedusa(claimed))
    }
    const lock = (collectionId: string | undefined) =>
      admin.query("select 1 from mp_operation where payment_collection_id = $1 for update", [
        collectionId,
      ])
    await admin.query("begin")
    await lock(theirs)
    const written = postponeOperations(
      database,
      held.map((one) => [one, { inMs: MINUTE, wasAnswered: true, isCounted: true }] as const),
    )
    await untilWaiting()
    await lock(mine)
    await admin.query("commit")
    await written
    for (const one of held) {
      const { checks, leaseToken } = await harness.shown(one.paymentCollectionId)
      expect([checks, leaseToken]).toEqual([one.checks + 1, null])
    }
    expect(held).toHaveLength(2)
  }
  await pool.end()
  // Once, or in both orders where Postgres takes the rows in another order the second time.
  expect([...new Set(codes)]).toEqual(["40P01"])
})

const errorCode = (error: unknown): unknown =>
  typeof error === "object" && error !== null && "code" in error ? error.code : error

/** Until a statement of the ledger waits for a row. */
async function untilWaiting(): Promise<void> {
  const stuckAt = performance.now() + 2 * MINUTE
  while (performance.now() < stuckAt) {
    const { rows } = await admin.query(
      `select 1 from pg_stat_activity
        where wait_event_type = 'Lock' and datname = current_database()`,
    )
    if (rows.length > 0) return
  }
  throw new Error("no statement waits")
}

describe("[P18] a pool of one connection", () => {
  let pool: Pool
  beforeEach(() => {
    pool = new Pool({ connectionString: harness.ledger.url, max: 1 })
    pool.on("error", () => {})
  })
  afterEach(() => pool.end())

  const deps = (): FlowDeps => ({ ...harness.deps, database: databaseOfPool(pool) })

  it("that another holds stops the passes with one log line, and they go on when it is free", async () => {
    const { sessionId, collectionId } = harness.cart()
    await startPayment(harness.deps, { sessionId, phone: PHONE })
    const { id, checks } = await harness.shown(collectionId)
    await harness.pass(id, 3 * SECOND)
    harness.simulator.resetCalls()
    const taken = await pool.connect()
    // Only while the connection is held: a busy machine takes its time, too.
    pool.options.connectionTimeoutMillis = 100
    let ms = 0
    const run = steadyPass({ monotonicMs: () => ms }, systemRandom)
    const pass = () => run(harness.deps.logger, () => checkDueOperations(deps(), { atMost: 50 }))
    for (let second = 0; second < 3; second++) {
      await pass()
      ms += LIMITS.databaseAwayCapMs
    }
    expect(harness.logged).toEqual([expect.stringContaining("tries again until it can")])
    expect(harness.simulator.calls).toEqual({})
    expect(await harness.shown(collectionId)).toMatchObject({ checks })
    pool.options.connectionTimeoutMillis = 0
    taken.release()
    await pass()
    expect((await harness.shown(collectionId)).checks).toBe(checks + 1)
    expect(harness.logged.at(-1)).toContain("checking payments again")
  })

  it("is enough, because nothing holds a connection while it asks for another or calls the gateway", async () => {
    const carts = Array.from({ length: 6 }, () => harness.cart())
    await Promise.all(
      carts.map(({ sessionId }) => startPayment(deps(), { sessionId, phone: PHONE })),
    )
    for (const { collectionId } of carts) {
      const { id, reference } = await harness.shown(collectionId)
      harness.simulator.handset.approve(reference ?? "")
      await harness.pass(id, 3 * SECOND)
    }
    await checkDueOperations(deps(), { atMost: 50 })
    for (const { collectionId } of carts) {
      const { state, recordedAt } = await harness.shown(collectionId)
      expect([state, recordedAt !== null]).toEqual(["completed", true])
    }
  })
})
