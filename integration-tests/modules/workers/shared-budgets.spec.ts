/**
 * Two workers, one gateway that says what is too much: the passes of the job over a real ledger and
 * the simulator, each worker with a budget of its own for spreading and with the one in the
 * database.
 */
import { checkDueOperations } from "../../../src/worker/check-due-operations"
import type { FlowDeps } from "../../../src/engine/deps"
import { startPayment } from "../../../src/checkout/start-payment"
import type { Database } from "../../../src/ledger/database"
import { checkBudget } from "../../../src/medusa/wiring/check-budget"
import { LIMITS } from "../../../src/core/limits"
import { MINUTE, SECOND } from "../../support/an-operation"
import { claimAll } from "../../support/claim-all"
import { PHONE, startFlowsHarness, type FlowsHarness } from "../../support/flows-harness"

const PAYMENTS = 30
/** More than one pass has under way, and more than one claim takes. */
const MANY = 60

let harness: FlowsHarness

beforeAll(async () => {
  harness = await startFlowsHarness()
})

afterAll(() => harness.stop())

beforeEach(() => harness.ledger.sql("update mp_operation set next_check_at = null"))

afterEach(() => {
  harness.simulator.clearPlans()
  harness.simulator.faults.clear()
})

const asked = () => harness.simulator.calls["getCollectionStatus"] ?? 0

/** What a worker spreads takes no time here: only the shared budget holds it up. */
function worker(name: string): FlowDeps {
  let nowMs = 0
  const clock = {
    ...harness.deps.clock,
    monotonicMs: () => nowMs,
    sleep: (ms: number) => {
      nowMs += ms
      return Promise.resolve()
    },
  }
  return { ...harness.deps, worker: name, budget: checkBudget(clock, harness.deps.accounts) }
}

async function budget(perSecond: number): Promise<void> {
  await harness.ledger.sql(
    `update mp_account
        set checks_left = $1::int, checks_per_second_max = $1::int, checks_counted_at = now(),
            checks_paused_until = null`,
    [perSecond],
  )
}

/** For the account's budget and for whatever is due or will be. */
async function pass(ms: number): Promise<void> {
  await harness.ledger.sql(
    `update mp_account
        set checks_counted_at = checks_counted_at - $1 * interval '1 ms',
            checks_paused_until = checks_paused_until - $1 * interval '1 ms'`,
    [ms],
  )
  await harness.ledger.sql(
    "update mp_operation set next_check_at = next_check_at - $1 * interval '1 ms'",
    [ms],
  )
}

/** Payments that the gateway has approved and no worker has checked since. */
async function approved(count: number): Promise<string[]> {
  const carts = Array.from({ length: count }, () => harness.cart())
  for (const { sessionId, collectionId } of carts) {
    await startPayment(harness.deps, { sessionId, phone: PHONE })
    const { reference } = await harness.shown(collectionId)
    harness.simulator.handset.approve(reference ?? "")
  }
  await pass(MINUTE)
  harness.simulator.resetCalls()
  return carts.map(({ collectionId }) => collectionId)
}

const recorded = async (collections: readonly string[]) => {
  const [row] = await harness.ledger.sql(
    `select count(*)::int as n from mp_operation
      where payment_collection_id = any($1) and recorded_at is not null`,
    [collections],
  )
  return Number(row?.["n"])
}

describe("two workers", () => {
  it("ask together what the budget allows, and every payment is recorded once in the end", async () => {
    const collections = await approved(PAYMENTS)
    await budget(5)
    const [one, two] = [worker("one"), worker("two")]
    const since = performance.now()
    let seconds = 0
    for (; (await recorded(collections)) < PAYMENTS; seconds++) {
      if (seconds === 40) throw new Error("some are never recorded")
      await Promise.all([one, two].map((deps) => checkDueOperations(deps, { atMost: 50 })))
      await pass(SECOND)
    }
    // Each is asked twice, the execution and then its source; the second is paid afterwards.
    const spent = seconds + (performance.now() - since) / SECOND
    const questions = asked() + (harness.simulator.calls["getPaymentSourceStatus"] ?? 0)
    expect(questions).toBeGreaterThanOrEqual(2 * PAYMENTS)
    expect(questions).toBeLessThanOrEqual(5 * spent + 5 + 5)
    for (const collection of collections) expect(harness.of(collection).completions).toBe(1)
  })

  it("[N21] stop at one 429, both, until its time has come, and lose nothing", async () => {
    const collections = await approved(MANY)
    await budget(50)
    const [one, two] = [worker("one"), worker("two")]
    harness.simulator.faults.script(
      "getCollectionStatus",
      Array.from({ length: MANY }, () => "429:30"),
    )
    await checkDueOperations(one, { atMost: 50 })
    // What was in flight when the first 429 came, and not one question more.
    expect(asked()).toBeLessThanOrEqual(LIMITS.checksInFlight)
    const afterStorm = asked()
    expect(await recorded(collections)).toBe(0)
    for (let second = 0; second < 3; second++) {
      await Promise.all([one, two].map((deps) => checkDueOperations(deps, { atMost: 50 })))
      await pass(5 * SECOND)
    }
    expect(asked()).toBe(afterStorm)

    harness.simulator.faults.clear()
    await pass(15 * SECOND)
    for (let second = 0; second < 20 && (await recorded(collections)) < MANY; second++) {
      await Promise.all(
        [worker("one"), two].map((deps) => checkDueOperations(deps, { atMost: 50 })),
      )
      await pass(SECOND)
    }
    expect(await recorded(collections)).toBe(MANY)
    for (const collection of collections) expect(harness.of(collection).completions).toBe(1)
  })

  it("[N25] pause after a 503 that said when to come back, and go on then", async () => {
    const collections = await approved(3)
    await budget(20)
    harness.simulator.faults.script("getCollectionStatus", ["503:9", "503:9", "503:9"])
    await checkDueOperations(worker("one"), { atMost: 50 })
    const before = asked()
    await checkDueOperations(worker("two"), { atMost: 50 })
    expect(asked()).toBe(before)
    harness.simulator.faults.clear()
    await pass(10 * SECOND)
    await checkDueOperations(worker("two"), { atMost: 50 })
    await pass(SECOND)
    await checkDueOperations(worker("two"), { atMost: 50 })
    expect(await recorded(collections)).toBe(3)
  })

  it("[N21] a 429 to the money call pauses the account's checks", async () => {
    await budget(20)
    const { sessionId } = harness.cart()
    harness.simulator.faults.script("executeCollection", ["429:20"])
    await startPayment(worker("one"), { sessionId, phone: PHONE })
    const [account] = await harness.ledger.sql(
      "select checks_paused_until > now() + interval '10 s' as paused from mp_account",
    )
    expect(account).toEqual({ paused: true })
  })
})

describe("[P14] with the database away", () => {
  /** The ledger's own, until it is cut: from then on every statement fails as a lost line does. */
  function cuttable(): { database: Database; cut(): void; refused(statement: string): number } {
    let isCut = false
    const refused: string[] = []
    return {
      refused: (statement) => refused.filter((sql) => sql.includes(statement)).length,
      cut: () => void (isCut = true),
      database: {
        query(sql, parameters) {
          if (!isCut) return harness.ledger.database.query(sql, parameters)
          refused.push(sql)
          return Promise.reject(Object.assign(new Error("connection lost"), { code: "08006" }))
        },
      },
    }
  }

  it("in the middle of a pass: one error for all, no line for each, and nothing is lost", async () => {
    const collections = await approved(MANY)
    await budget(50)
    const line = cuttable()
    const cut: FlowDeps = {
      ...worker("one"),
      database: line.database,
      gatewayOf: () => {
        line.cut()
        return harness.gateway
      },
    }
    harness.logged.length = 0
    await expect(checkDueOperations(cut, { atMost: 50 })).rejects.toMatchObject({ code: "08006" })
    expect(harness.logged).toEqual([])
    // Not one for each that was claimed. (The writes of those in flight wait for nothing here: on a
    // slow machine each of them makes a statement of its own.)
    expect(line.refused("with moved as")).toBeLessThanOrEqual(LIMITS.checksInFlight)
    expect(await recorded(collections)).toBe(0)

    await harness.ledger.sql(
      "update mp_operation set lease_until = now() where lease_until > now()",
    )
    for (let second = 0; second < 20 && (await recorded(collections)) < MANY; second++) {
      await checkDueOperations(worker("two"), { atMost: 50 })
      await pass(SECOND)
    }
    expect(await recorded(collections)).toBe(MANY)
    for (const collection of collections) expect(harness.of(collection).completions).toBe(1)
  })

  it("for one line only: what was not begun is given back at once", async () => {
    await approved(MANY)
    await budget(1_000)
    const line = cuttable()
    let checks = 0
    const once: FlowDeps = {
      ...worker("one"),
      database: {
        query: (sql, parameters) => {
          const isOne = sql.includes("with moved as") && checks++ === 0
          if (!isOne) return harness.ledger.database.query(sql, parameters)
          line.cut()
          return line.database.query(sql, parameters)
        },
      },
    }
    await expect(checkDueOperations(once, { atMost: 50 })).rejects.toMatchObject({ code: "08006" })
    const [held] = await harness.ledger.sql(
      "select count(*)::int as n from mp_operation where lease_until > now()",
    )
    expect(held).toEqual({ n: 0 })
    const rest = await claimAll(harness.ledger.database, 50)
    expect(rest.length).toBeGreaterThanOrEqual(MANY - LIMITS.checksInFlight - 1)
  })
})
