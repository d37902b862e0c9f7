/**
 * Two workers at a gateway that limits its calls: each spreads its calls by a local budget, and both
 * share the account's budget in the database.
 */
import { checkDueOperations } from "../../../src/worker/check-due-operations"
import type { FlowDeps } from "../../../src/engine/deps"
import type { Database } from "../../../src/ledger/database"
import { checkBudget } from "../../../src/worker/check-budget"
import { LIMITS } from "../../../src/core/limits"
import { MINUTE, SECOND } from "../../support/an-operation"
import { claimAll } from "../../support/claim-all"
import { actsIn, forgetPlans, useFlowsHarness } from "../../support/use-flows-harness"

const PAYMENTS = 30
/** More than one pass has under way, and more than one claim takes. */
const MANY = 60

const harness = useFlowsHarness()
const { start, approved: approvedOne } = actsIn(harness)

beforeEach(() => harness.ledger.sql("update mp_operation set next_check_at = null"))

afterEach(() => forgetPlans(harness))

const asked = () => harness.simulator.calls["getCollectionStatus"] ?? 0

/** Spreading takes no time here: only the shared budget delays a worker. */
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
  const collections: string[] = []
  for (let made = 0; made < count; made++) collections.push((await approvedOne()).collectionId)
  await pass(MINUTE)
  harness.simulator.resetCalls()
  return collections
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
  it("ask together as often as the budget allows, and record every payment once in the end", async () => {
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

  it("[N21] both stop at one 429 until its time is over, and lose nothing", async () => {
    const collections = await approved(MANY)
    await budget(50)
    const [one, two] = [worker("one"), worker("two")]
    harness.simulator.faults.script(
      "getCollectionStatus",
      Array.from({ length: MANY }, () => "429:30"),
    )
    await checkDueOperations(one, { atMost: 50 })
    // What was in flight when the first 429 came, and no question more.
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

  it("[N25] pause after a 503 with a Retry-After, and go on when that is over", async () => {
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

  it("[N21] pause their checks after a 429 to a money call", async () => {
    await budget(20)
    const { sessionId } = harness.cart()
    harness.simulator.faults.script("executeCollection", ["429:20"])
    await start(sessionId, worker("one"))
    const [account] = await harness.ledger.sql(
      "select checks_paused_until > now() + interval '10 s' as paused from mp_account",
    )
    expect(account).toEqual({ paused: true })
  })
})

describe("[P14] a pass that loses the database", () => {
  /** The ledger's database until it is cut: then every statement fails as on a lost line. */
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

  it("ends with one error for all of its payments, and loses nothing", async () => {
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
    // At most one for each check in flight, and none for the others that were claimed.
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

  it("for one statement only gives back at once what it hasn't begun", async () => {
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
