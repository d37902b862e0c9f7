/**
 * A pass of the job: one claim after the other while more is due, unchanged checks written together,
 * and what becomes of both when something breaks or the process is asked to end.
 */
import { checkDueOperations } from "../../../src/worker/check-due-operations"
import type { FlowDeps } from "../../../src/engine/deps"
import { underWay } from "../../../src/worker/under-way"
import type { Operation } from "../../../src/core/operation"
import { LIMITS } from "../../../src/core/limits"
import { findById } from "../../../src/ledger/find-operations"
import { postponeOperations } from "../../../src/ledger/postpone-operation"
import { MINUTE } from "../../support/an-operation"
import { claimAll } from "../../support/claim-all"
import { gated } from "../../support/gated"
import { reread } from "../../support/ledger-database"
import { until } from "../../support/until"
import { actsIn, useFlowsHarness } from "../../support/use-flows-harness"

/** More than two claims take. */
const PAYMENTS = 2 * LIMITS.checksPerRun + 20

const harness = useFlowsHarness()
const { start, approved } = actsIn(harness)
let ids: string[]

beforeAll(async () => {
  ids = []
  for (let made = 0; made < PAYMENTS; made++) {
    const { sessionId, collectionId } = harness.cart()
    await start(sessionId)
    ids.push((await harness.shown(collectionId)).id)
  }
  // The first check sees that they wait for their payers; from then on nothing changes.
  await makeDue()
  await checkDueOperations(harness.deps, { atMost: 50 })
})

beforeEach(async () => {
  await makeDue()
  harness.simulator.resetCalls()
  harness.logged.length = 0
})

/** Ten minutes old, and no shopper waits: what was checked is not due again during a test. */
async function makeDue(): Promise<void> {
  await harness.ledger.sql(
    `update mp_operation
        set next_check_at = now() - interval '1 s', lease_token = null, lease_until = null, checks = 1,
            waiting = false, submitted_at = created_at - interval '10 min'
      where recorded_at is null`,
  )
}

const asked = () => harness.simulator.calls["getCollectionStatus"] ?? 0

const rows = () => Promise.all(ids.map((id) => findById(harness.ledger.database, id)))

/** How many were checked how often. */
async function checkedTimes(): Promise<Record<number, number>> {
  const counted: Record<number, number> = {}
  for (const row of await rows()) {
    const checks = (row?.checks ?? 0) - 1
    counted[checks] = (counted[checks] ?? 0) + 1
  }
  return counted
}

const held = async () => (await rows()).filter((row) => row?.leaseToken).length

/** A pass whose statements go through the test. */
function watched(meet: (sql: string, send: () => Promise<unknown>) => Promise<unknown>): FlowDeps {
  const { database } = harness.ledger
  return {
    ...harness.deps,
    database: {
      query: (sql, parameters, name) =>
        meet(sql, () => database.query(sql, parameters, name)) as ReturnType<typeof database.query>,
    },
  }
}

const isPostponement = (sql: string) => sql.includes("as checked (id")
const away = () => Promise.reject(Object.assign(new Error("line lost"), { code: "08006" }))

describe("a pass", () => {
  it("goes on while more is due, and writes unchanged checks together", async () => {
    let writes = 0
    const deps = watched((sql, send) => {
      if (isPostponement(sql)) writes += 1
      return send()
    })
    expect(await checkDueOperations(deps, { atMost: 50 })).toBe(PAYMENTS)
    expect(asked()).toBe(PAYMENTS)
    expect(await checkedTimes()).toEqual({ 1: PAYMENTS })
    expect(await held()).toBe(0)
    expect(writes).toBeGreaterThan(0)
    expect(writes).toBeLessThan(PAYMENTS / 4)
  })

  it("[P10] checks no row that another pass checks at the same time", async () => {
    const claimed = await Promise.all(
      ["one", "two"].map((worker) => {
        const own = { worker, underWay: underWay(harness.deps.clock) }
        return checkDueOperations({ ...harness.deps, ...own }, { atMost: 50 })
      }),
    )
    await checkDueOperations(harness.deps, { atMost: 50 })
    expect(claimed.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(PAYMENTS)
    expect(asked()).toBe(PAYMENTS)
    expect(await checkedTimes()).toEqual({ 1: PAYMENTS })
  })

  it("checks all other payments when one check throws, and the log names that one", async () => {
    const [bad = ""] = ids
    const broken = (await findById(harness.ledger.database, bad))?.reference
    const gateway = {
      ...harness.gateway,
      status: {
        ...harness.gateway.status,
        collection: (reference: string, ...rest: []) => {
          if (reference === broken) throw new Error("a bug")
          return harness.gateway.status.collection(reference, ...rest)
        },
      },
    }
    await checkDueOperations({ ...harness.deps, gatewayOf: () => gateway }, { atMost: 50 })
    expect(await checkedTimes()).toEqual({ 0: 1, 1: PAYMENTS - 1 })
    expect(harness.logged).toHaveLength(1)
    expect(harness.logged[0]).toContain(bad)
    const row = await findById(harness.ledger.database, bad)
    expect(row?.leaseToken).toBeNull()
    expect((row?.nextCheckAt?.getTime() ?? 0) - (row?.readAt.getTime() ?? 0)).toBeGreaterThan(0)
  })
})

describe("checks that are written together", () => {
  const claim = () => claimAll(harness.ledger.database, 10)
  const postponement = { inMs: MINUTE, wasAnswered: true, isCounted: true }
  const together = (operations: readonly Operation[]) =>
    postponeOperations(
      harness.ledger.database,
      operations.map((operation) => [operation, postponement] as const),
    )

  it("[P12] leave a row alone that another worker holds by then, and write the others", async () => {
    const operations = await claim()
    const [lost] = operations
    if (!lost) throw new Error("nothing was claimed")
    await harness.ledger.sql("update mp_operation set lease_until = now() where id = $1", [lost.id])
    const [again] = (await claimAll(harness.ledger.database, 50)).filter(({ id }) => id === lost.id)
    await together(operations)
    expect(await reread(harness.ledger.database, lost)).toMatchObject({
      leaseToken: again?.leaseToken,
      nextCheckAt: lost.nextCheckAt,
      checks: lost.checks,
    })
    for (const operation of operations.slice(1)) {
      const row = await reread(harness.ledger.database, operation)
      expect(row).toMatchObject({ leaseToken: null, checks: operation.checks + 1 })
      expect(row.nextCheckAt?.getTime()).toBeGreaterThan(row.readAt.getTime())
    }
  })

  it("keep the earlier time of a row that was brought forward meanwhile", async () => {
    const operations = await claim()
    const [first] = operations
    await harness.ledger.sql("update mp_operation set next_check_at = now() where id = $1", [
      first?.id,
    ])
    await together(operations)
    for (const operation of operations) {
      const { nextCheckAt, readAt } = await reread(harness.ledger.database, operation)
      const isDue = (nextCheckAt?.getTime() ?? 0) <= readAt.getTime()
      expect(isDue).toBe(operation.id === first?.id)
    }
  })

  it("[P15] count once when their line breaks after the commit", async () => {
    let cut = 0
    const deps = watched(async (sql, send) => {
      const answer = await send()
      return isPostponement(sql) && cut++ === 0 ? away() : answer
    })
    await checkDueOperations(deps, { atMost: 50 })
    expect(await checkedTimes()).toEqual({ 1: PAYMENTS })
    expect(await held()).toBe(0)
  })

  it("[P14] are due as before once their leases end when they can't be written", async () => {
    const deps = watched((sql, send) => (isPostponement(sql) ? away() : send()))
    await expect(checkDueOperations(deps, { atMost: 50 })).rejects.toMatchObject({ code: "08006" })
    expect(await checkedTimes()).toEqual({ 0: PAYMENTS })
    expect(harness.logged).toEqual([])
    await harness.ledger.sql(
      "update mp_operation set lease_until = now() where lease_until > now()",
    )
    await checkDueOperations(harness.deps, { atMost: 50 })
    expect(await checkedTimes()).toEqual({ 1: PAYMENTS })
  })

  it("are written one by one when the database refuses one of them", async () => {
    const [bad = ""] = ids
    const deps: FlowDeps = {
      ...harness.deps,
      database: {
        query: (sql, parameters, name) =>
          isPostponement(sql) && (parameters[0] as string[]).includes(bad)
            ? Promise.reject(Object.assign(new Error("a rule is broken"), { code: "23514" }))
            : harness.ledger.database.query(sql, parameters, name),
      },
    }
    await checkDueOperations(deps, { atMost: 50 })
    expect(await checkedTimes()).toEqual({ 0: 1, 1: PAYMENTS - 1 })
    expect(harness.logged).toHaveLength(1)
    expect(harness.logged[0]).toContain(bad)
  })
})

describe("[P13] a pass that is asked to end", () => {
  it("claims nothing more, gives back what it hasn't asked about, and ends", async () => {
    const ending = new AbortController()
    let turns = 0
    const deps: FlowDeps = {
      ...harness.deps,
      budget: {
        ...harness.deps.budget,
        // The budget of this process is used up: all but a few wait for their turn.
        take: (_account, signal) => {
          turns += 1
          if (turns <= 3) return Promise.resolve()
          if (turns === LIMITS.checksInFlight) setImmediate(() => ending.abort())
          return harness.deps.clock.sleep(MINUTE, signal)
        },
      },
    }
    const claimed = await checkDueOperations(deps, { atMost: 50, signal: ending.signal })
    expect(claimed).toBe(LIMITS.checksInFlight)
    expect(asked()).toBe(3)
    expect(await held()).toBe(0)
    expect(harness.logged).toEqual([])
    // Nothing of it is lost, and no worker has to wait for a lease to end.
    await checkDueOperations(harness.deps, { atMost: 50 })
    expect(await checkedTimes()).toEqual({ 1: PAYMENTS })
  })

  it("claims nothing at all when it was asked before it began", async () => {
    const signal = AbortSignal.abort()
    expect(await checkDueOperations(harness.deps, { atMost: 50, signal })).toBe(0)
    expect(asked()).toBe(0)
    expect(await held()).toBe(0)
  })
})

it("a pass ends with a claim that wasn't full", async () => {
  await harness.ledger.sql(
    "update mp_operation set next_check_at = now() + interval '1 h' where id <> all($1)",
    [ids.slice(0, 10)],
  )
  let claims = 0
  const deps = watched((sql, send) => {
    if (sql.includes("for no key update of a")) claims += 1
    return send()
  })
  expect(await checkDueOperations(deps, { atMost: 50 })).toBe(10)
  expect(claims).toBe(1)
})

it("[P12] a pass holds no payment that has to wait for a place, so no lease expires in a queue", async () => {
  const paid: Operation[] = []
  for (let made = 0; made <= 2 * LIMITS.settlesInFlight; made++) {
    paid.push((await approved()).operation)
  }
  const paidIds = paid.map(({ id }) => id)
  await harness.ledger.sql(
    `update mp_operation set next_check_at =
       case when id = any($1::text[]) then now() else now() + interval '1 hour' end`,
    [paidIds],
  )
  let begun = 0
  const places = gated()
  const watchedStore: FlowDeps = {
    ...harness.deps,
    medusa: {
      ...harness.deps.medusa,
      async completeCart(cartId) {
        begun += 1
        await places.isOpen
        return harness.deps.medusa.completeCart(cartId)
      },
    },
  }
  const leased = async () => {
    const [row] = await harness.ledger.sql(
      `select count(*)::int as n from mp_operation
        where id = any($1::text[]) and recorded_at is null and lease_until > now()`,
      [paidIds],
    )
    return Number(row?.["n"])
  }
  // A payment that a pass gave back at its very end is taken by the next one.
  const passes = (async () => {
    while ((await checkDueOperations(watchedStore, { atMost: 50 })) > 0);
  })()
  const isFull = async () =>
    begun === LIMITS.settlesInFlight && (await leased()) === LIMITS.settlesInFlight
  await until(isFull, "only payments in a place are held").finally(places.open)
  await passes
  expect(begun).toBe(paid.length)
  const all = await Promise.all(paidIds.map((id) => findById(harness.ledger.database, id)))
  expect(all.every((one) => one?.recordedAt !== null)).toBe(true)
})

it("a payment that completes while the process ends is released, and recorded by the next pass", async () => {
  const { id } = (await approved()).operation
  await harness.ledger.sql(
    `update mp_operation set next_check_at =
       case when id = $1 then now() else now() + interval '1 hour' end
      where recorded_at is null`,
    [id],
  )
  const ending = new AbortController()
  const deps = watched(async (sql, send) => {
    const written = await send()
    if (sql.includes("confirmed_after_ms =")) ending.abort()
    return written
  })
  await checkDueOperations(deps, { atMost: 50, signal: ending.signal })
  expect(ending.signal.aborted).toBe(true)
  const left = await findById(harness.ledger.database, id)
  expect(left).toMatchObject({ state: "completed", recordedAt: null, leaseToken: null })
  await checkDueOperations(harness.deps, { atMost: 50 })
  expect((await findById(harness.ledger.database, id))?.recordedAt).not.toBeNull()
})
