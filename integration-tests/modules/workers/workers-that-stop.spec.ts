/**
 * A worker that is gone: killed, frozen, or ended in order. Its leases are free some seconds after
 * its last sign of life, and whatever it writes later is refused.
 */
import { systemClock } from "../../../src/core/ports"
import { LIMITS } from "../../../src/core/limits"
import type { Operation } from "../../../src/core/operation"
import type { FlowDeps } from "../../../src/engine/deps"
import { oneAtATime } from "../../../src/engine/one-at-a-time"
import { advanceOperation } from "../../../src/ledger/advance-operation"
import { claimDueOperations, claimOperation } from "../../../src/ledger/claim-due-operations"
import { keepLeases, postponeOperation } from "../../../src/ledger/postpone-operation"
import { endWorker, giveSignOfLife } from "../../../src/ledger/sign-of-life"
import { findTask, keepTask, takeTask } from "../../../src/ledger/tasks"
import { beat, lastBeat } from "../../../src/worker/beat"
import { checkDueOperations } from "../../../src/worker/check-due-operations"
import { underWay } from "../../../src/worker/under-way"
import { MINUTE, SECOND } from "../../support/an-operation"
import { drivenClock } from "../../support/driven-clock"
import { submitted } from "../../support/ledger-database"
import { medusaOf } from "../../support/medusa-evidence"
import { actsIn, breachesIn, useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness()
const { start, reread } = actsIn(harness)
const sql = (text: string, parameters: unknown[] = []) => harness.ledger.sql(text, parameters)

beforeEach(async () => {
  await sql("delete from mp_worker")
  await sql("update mp_operation set next_check_at = null")
})

const heard = (worker: string) =>
  giveSignOfLife(harness.ledger.database, worker, { unanswered: [], passedMsAgo: 0 })

/** As if a worker had been heard for a minute without a gap, and last so long ago. */
async function lastHeard(worker: string, msAgo: number): Promise<void> {
  await heard(worker)
  await sql(
    `update mp_worker set seen_at = now() - $2 * interval '1 ms',
                          heard_since = now() - $2 * interval '1 ms' - interval '1 min'
      where id = $1`,
    [worker, msAgo],
  )
}

const SILENT_MS = LIMITS.workerSilentAfterMs + SECOND

async function due(): Promise<Operation> {
  const operation = await submitted(harness.ledger.database)
  await sql("update mp_operation set next_check_at = now() - interval '1 s' where id = $1", [
    operation.id,
  ])
  return operation
}

async function claim(worker?: string): Promise<Operation | undefined> {
  const [held] = await claimDueOperations(harness.ledger.database, {
    ...(worker !== undefined && { worker }),
    leaseMs: LIMITS.leaseMs,
    limit: 1,
    accountId: "mpacc_env",
    fraction: 0,
  })
  return held
}

describe("[P41] the lease of a worker that is killed", () => {
  it("is free once the worker was silent for 15 seconds, to any claim", async () => {
    const { id } = await due()
    await claim("killed")
    await lastHeard("other", 0)
    await lastHeard("killed", LIMITS.workerSilentAfterMs - 3 * SECOND)
    expect(await claim("other")).toBeUndefined()
    expect(await claimOperation(harness.ledger.database, id, MINUTE)).toBeUndefined()
    await lastHeard("killed", SILENT_MS)
    expect((await claim("other"))?.id).toBe(id)
    // The other one lives, so its lease holds.
    expect(await claim("third")).toBeUndefined()
    expect(await claimOperation(harness.ledger.database, id, MINUTE)).toBeUndefined()
    await lastHeard("third", 0)
    await lastHeard("other", SILENT_MS)
    expect((await claimOperation(harness.ledger.database, id, MINUTE))?.id).toBe(id)
  })

  it("is free within half a minute of the kill, whenever the last sign of life came", () => {
    const { workerSilentAfterMs, checkEveryMs, passLateAfter, ownTickMs } = LIMITS
    const nextPassMs = checkEveryMs * passLateAfter + ownTickMs
    expect(workerSilentAfterMs + nextPassMs).toBeLessThanOrEqual(30 * SECOND)
    // Two lost signs of life are no silence.
    expect(LIMITS.heartbeatEveryMs * 2).toBeLessThan(workerSilentAfterMs)
  })

  it("lasts to its end when its token names no worker, as in the version before", async () => {
    await due()
    await claim()
    await lastHeard("other", 0)
    await lastHeard("killed", SILENT_MS)
    expect(await claim("other")).toBeUndefined()
    await sql("update mp_operation set lease_until = now() - interval '1 ms'")
    expect(await claim("other")).toBeDefined()
  })

  it("lasts to its end when the worker never gave a sign of life", async () => {
    await due()
    await claim("server")
    await lastHeard("other", 0)
    expect(await claim("other")).toBeUndefined()
  })

  it("is kept after an outage of the database until another worker was heard for 15 seconds", async () => {
    const { id } = await due()
    await claim("frozen")
    await lastHeard("frozen", MINUTE)
    // All were silent while the database was away, and this one is the first that is back.
    await lastHeard("other", MINUTE)
    await heard("other")
    expect(await claim("other")).toBeUndefined()
    await sql("update mp_worker set heard_since = now() - interval '10 s' where id = 'other'")
    expect(await claim("other")).toBeUndefined()
    await sql("update mp_worker set heard_since = now() - interval '16 s' where id = 'other'")
    expect((await claim("other"))?.id).toBe(id)
  })

  it("is free even if each other worker was killed before it was heard for 15 seconds", async () => {
    const { id } = await due()
    await claim("killed")
    await lastHeard("killed", SILENT_MS)
    await lastHeard("short", 4 * SECOND)
    // A worker that has just begun, as a supervisor starts one in the place of the dead.
    await heard("shorter")
    expect((await claim("shorter"))?.id).toBe(id)
  })

  it("lasts while the workers before were silent for as long themselves", async () => {
    await due()
    await claim("killed")
    await lastHeard("killed", 2 * MINUTE)
    await lastHeard("short", SILENT_MS)
    await heard("later")
    expect(await claim("later")).toBeUndefined()
  })

  it("lasts while no other worker is heard but one that ended in order", async () => {
    await due()
    await claim("killed")
    await lastHeard("killed", SILENT_MS)
    await lastHeard("ended", 0)
    await endWorker(harness.ledger.database, "ended")
    await heard("later")
    expect(await claim("later")).toBeUndefined()
  })

  it("is free in the same way for a task or a purchase", async () => {
    const { database } = harness.ledger
    for (const name of ["sweep", "purchase:cart_killed"] as const) {
      await sql("delete from mp_worker")
      const held = await takeTask(database, name, 5 * MINUTE, { worker: "killed" })
      if (!held) throw new Error(`${name} was not free`)
      await lastHeard("other", 0)
      await lastHeard("killed", 0)
      expect(await takeTask(database, name, MINUTE, { worker: "other" })).toBeUndefined()
      expect(await findTask(database, name)).toMatchObject({ isRunning: true })
      await lastHeard("killed", SILENT_MS)
      expect(await findTask(database, name)).toMatchObject({ isRunning: false })
      expect(await takeTask(database, name, MINUTE, { worker: "other" })).toBeDefined()
      // Awake again, it can't keep what another holds.
      await heard("killed")
      expect(await keepTask(database, held, MINUTE)).toBe(false)
    }
  })
})

describe("a worker that ends in order", () => {
  const worker = () => ({ ...harness.deps, worker: "ending", underWay: underWay(systemClock) })

  it("[P13] frees what it holds at once", async () => {
    const { id } = await due()
    const deps = worker()
    await claim("ending")
    await beat(deps)
    expect(await claim("next")).toBeUndefined()
    await lastBeat(deps)
    expect((await claim("next"))?.id).toBe(id)
  })

  it("[M04] frees nothing while it changes a purchase in Medusa, unless it falls silent", async () => {
    await due()
    const deps = worker()
    await claim("ending")
    await beat(deps)
    let end = () => {}
    const medusa = oneAtATime(
      {
        ...deps.medusa,
        completeCart: () => new Promise((resolve) => (end = () => resolve("order_1"))),
      },
      { ...deps, keyOf: () => Promise.resolve("cart_ending") },
    )
    const changed = medusa.completeCart("cart_ending")
    while (deps.underWay.purchases() === 0) await new Promise((resolve) => setImmediate(resolve))
    await lastBeat(deps)
    expect(await claim("next")).toBeUndefined()
    await lastHeard("next", 0)
    await lastHeard("ending", SILENT_MS)
    expect(await claim("next")).toBeDefined()
    while (deps.underWay.purchases() > 0) {
      end()
      await new Promise((resolve) => setImmediate(resolve))
    }
    await changed
  })
})

it("[M04] a purchase that a process changes after it announced its end is still locked", async () => {
  const { database } = harness.ledger
  const deps = { ...harness.deps, worker: "ended", underWay: underWay(systemClock) }
  await beat(deps)
  await lastBeat(deps)
  let end = () => {}
  let hasBegun = false
  const medusa = oneAtATime(
    {
      ...deps.medusa,
      completeCart: () => {
        hasBegun = true
        return new Promise((resolve) => (end = () => resolve("order_1")))
      },
    },
    { ...deps, keyOf: () => Promise.resolve("cart_ended") },
  )
  const changed = medusa.completeCart("cart_ended")
  while (!hasBegun) await new Promise((resolve) => setImmediate(resolve))
  await lastHeard("other", 0)
  const other = { worker: "other" }
  expect(await takeTask(database, "purchase:cart_ended", MINUTE, other)).toBeUndefined()
  end()
  await changed
  expect(await takeTask(database, "purchase:cart_ended", MINUTE, other)).toBeDefined()
})

describe("a worker that was frozen", () => {
  it("[P12] writes nothing under a lease that another took", async () => {
    await due()
    const frozen = await claim("frozen")
    await lastHeard("other", 0)
    await lastHeard("frozen", SILENT_MS)
    const holder = await claim("other")
    if (!frozen || !holder) throw new Error("both had it")
    await heard("frozen")
    const late = { event: "expire", code: "paid_after_end", lease: "release" } as const
    expect(await advanceOperation(harness.ledger.database, frozen, late)).toBeUndefined()
    const postponement = { inMs: 0, wasAnswered: true, isCounted: true }
    await postponeOperation(harness.ledger.database, frozen, postponement)
    expect(await keepLeases(harness.ledger.database, [frozen], MINUTE)).toBe(0)
    expect(await reread(holder)).toMatchObject({
      state: "submitted",
      leaseToken: holder.leaseToken,
      leaseUntil: holder.leaseUntil,
      checks: 0,
    })
  })

  it("[P12] for three minutes while it settled a payment leaves one order and one capture", async () => {
    const { sessionId, collectionId } = harness.cart()
    await start(sessionId)
    const operation = await harness.shown(collectionId)
    harness.simulator.handset.approve(operation.reference ?? "")
    await harness.pass(operation.id, 3 * SECOND)
    const clock = drivenClock()
    const frozen: FlowDeps = {
      ...harness.deps,
      clock,
      worker: "frozen",
      underWay: underWay(clock),
    }
    const other = { ...harness.deps, worker: "other", underWay: underWay(systemClock) }
    await beat(frozen)
    // Both its wall clock and its sleep are wrong: only the database's time says what is over.
    harness.before("basketOfCart", async () => {
      await lastHeard("frozen", 3 * MINUTE)
      await lastHeard("other", 0)
      await checkDueOperations(other, { atMost: 50 })
      clock.pass(3 * MINUTE)
    })
    await checkDueOperations(frozen, { atMost: 50 })
    await beat(frozen)
    const cart = harness.of(collectionId)
    expect(await reread(operation)).toMatchObject({
      state: "completed",
      recordedAt: expect.any(Date),
      orderId: cart.order?.id,
      leaseToken: null,
    })
    expect(cart.completions).toBe(1)
    expect(cart.payments).toMatchObject([{ isCaptured: true, isCanceled: false }])
    const recorded = await sql(
      "select count(*)::int as n from mp_operation_event where operation_id = $1 and name = 'complete'",
      [operation.id],
    )
    expect(recorded).toEqual([{ n: 1 }])
    const breaches = await breachesIn(harness, { medusa: medusaOf(harness.carts) })
    expect(breaches.filter((breach) => breach.includes(operation.id))).toEqual([])
  })
})

describe("a worker's sign of life", () => {
  it("[P12] renews the leases of running checks, whatever the passes do", async () => {
    await due()
    const clock = drivenClock()
    const deps = { ...harness.deps, worker: "slow", underWay: underWay(clock) }
    const operation = await claim("slow")
    if (!operation) throw new Error("nothing was due")
    const letGo = deps.underWay.hold({ operation })
    for (let seconds = 0; seconds < 300; seconds += 5) {
      clock.pass(5 * SECOND)
      await sql(
        "update mp_operation set lease_until = lease_until - interval '5 s' where id = $1",
        [operation.id],
      )
      await beat(deps)
    }
    const [row] = await sql(
      "select lease_until > now() + interval '80 s' as is_kept from mp_operation where id = $1",
      [operation.id],
    )
    expect(row).toEqual({ is_kept: true })
    letGo()
  })

  it("says when the worker last made a pass, and whether it was silent in between", async () => {
    const clock = drivenClock()
    const deps = { ...harness.deps, worker: "one", underWay: underWay(clock) }
    const read = async () => {
      const [row] = await sql(
        `select passed_at is not null as has_passed, passed_at < now() - interval '1 min' as is_late,
                heard_since > now() - interval '5 s' as is_new from mp_worker where id = 'one'`,
      )
      return row
    }
    await beat(deps)
    expect(await read()).toMatchObject({ has_passed: false, is_new: true })
    deps.underWay.passed()
    clock.pass(2 * MINUTE)
    await lastHeard("one", 5 * SECOND)
    await beat(deps)
    expect(await read()).toEqual({ has_passed: true, is_late: true, is_new: false })
    await lastHeard("one", SILENT_MS)
    await beat(deps)
    expect(await read()).toMatchObject({ is_new: true })
    await endWorker(harness.ledger.database, "one")
  })
})
