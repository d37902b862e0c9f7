/**
 * [P20] Clocks that are wrong: the store's, ten minutes either way or jumping, and the gateway's,
 * an hour either way. What is due and what is over says the database's clock; how long something
 * takes, a clock that never goes back; and no time that the gateway writes decides anything.
 */
import { systemClock, type Clock } from "../../../src/core/ports"
import type { Operation } from "../../../src/core/operation"
import { checkNow } from "../../../src/worker/check-due-operations"
import type { FlowDeps } from "../../../src/engine/deps"
import { startPayment } from "../../../src/checkout/start-payment"
import { createGateway, type Gateway } from "../../../src/gateway"
import { MINUTE, SECOND } from "../../support/an-operation"
import { readLedger } from "../../support/evidence"
import {
  HOSTED,
  PHONE,
  PUSH,
  startFlowsHarness,
  type FlowsHarness,
} from "../../support/flows-harness"
import { violations } from "../../support/violations"

const WRONG = [10 * MINUTE, -10 * MINUTE] as const
const HOUR = 60 * MINUTE

let harness: FlowsHarness
const opened: Gateway[] = []

afterEach(async () => {
  harness.simulator.clearPlans()
  harness.simulator.faults.clear()
  await Promise.all(opened.splice(0).map((gateway) => gateway.close()))
  await harness.ledger.sql("update mp_account set checks_paused_until = null")
  expect(
    violations({
      book: harness.simulator.book,
      ledger: await readLedger((sql, parameters) => harness.ledger.sql(sql, parameters)),
      output: { texts: harness.logged, secrets: ["simulator-secret"], phones: [PHONE.slice(1)] },
    }),
  ).toEqual([])
})

/** A store whose wall clock reads what is given; time itself passes as it does. */
function storeWith(wall: () => Date): { deps: FlowDeps; sleeps: number[] } {
  const sleeps: number[] = []
  const clock: Clock = {
    now: wall,
    monotonicMs: () => systemClock.monotonicMs(),
    sleep: (ms, signal) => {
      sleeps.push(ms)
      return systemClock.sleep(ms, signal)
    },
  }
  const gateway = createGateway({
    baseUrl: harness.simulator.url,
    clientId: "simulator-client",
    clientSecret: "simulator-secret",
    clock,
  })
  opened.push(gateway)
  return { deps: { ...harness.deps, clock, gatewayOf: () => gateway }, sleeps }
}

const offBy = (ms: number) => storeWith(() => new Date(Date.now() + ms))

async function checkAfter(
  deps: FlowDeps,
  collectionId: string,
  afterMs: number,
): Promise<Operation> {
  const { id } = await harness.shown(collectionId)
  await harness.pass(id, afterMs)
  await checkNow(deps, id)
  return harness.shown(collectionId)
}

/** When the gateway ends the source, less what the database's clock read when it was asked. */
function lifeAtGateway(operation: Operation): number {
  const { documents } = harness.simulator.snapshot()
  const document = documents.find(({ id }) => id === operation.sourceId)
  return (document?.checkout?.expiresAtMs ?? Number.NaN) - operation.createdAt.getTime()
}

describe("with a gateway that reads the right time", () => {
  beforeAll(async () => {
    harness = await startFlowsHarness()
  })
  afterAll(() => harness.stop())

  describe.each(WRONG)("[P20] a store whose clock is off by %i ms", (ms) => {
    it("gives the source the whole window by the database's clock, and leases and checks by it", async () => {
      const { deps, sleeps } = offBy(ms)
      const { collectionId, sessionId } = harness.cart()
      await startPayment(deps, { sessionId, phone: PHONE })
      const started = await harness.shown(collectionId)
      expect(Math.abs(lifeAtGateway(started) - 30 * MINUTE)).toBeLessThanOrEqual(1)
      expect(dueInMs(started)).toBeLessThanOrEqual(5 * SECOND)
      expect(dueInMs(started)).toBeGreaterThan(0)
      harness.simulator.handset.approve(started.reference ?? "")
      expect(await checkAfter(deps, collectionId, 3 * SECOND)).toMatchObject({ state: "completed" })
      expect(sleeps.filter((sleep) => !(sleep >= 0))).toEqual([])
      expect(harness.simulator.book.chargesOf(started.reference ?? "")).toBe(1)
    })

    it("closes a payment page at the end of its window, not before", async () => {
      const { deps } = offBy(ms)
      const { collectionId, sessionId } = harness.cart(HOSTED)
      await startPayment(deps, { sessionId, phone: PHONE })
      expect(await checkAfter(deps, collectionId, 55 * MINUTE)).toMatchObject({
        state: "submitted",
        sourceStatus: "ACTIVE",
      })
      await checkAfter(deps, collectionId, 6 * MINUTE)
      expect(await checkAfter(deps, collectionId, 3 * SECOND)).toMatchObject({
        state: "expired",
        reason: "window_closed",
      })
    })
  })

  it.each([HOUR, -HOUR])(
    "[P20] a wall clock that jumps by %i ms in the middle ends, asks and sends nothing more",
    async (ms) => {
      let jumpedMs = 0
      const { deps, sleeps } = storeWith(() => new Date(Date.now() + jumpedMs))
      const { collectionId, sessionId } = harness.cart()
      harness.simulator.resetCalls()
      harness.simulator.faults.script("executeCollection", ["reset:after"])
      await startPayment(deps, { sessionId, phone: PHONE })
      jumpedMs = ms
      const { reference } = await harness.shown(collectionId)
      expect(await checkAfter(deps, collectionId, 3 * SECOND)).toMatchObject({ state: "in_flight" })
      harness.simulator.handset.approve(reference ?? "")
      expect(await checkAfter(deps, collectionId, 3 * SECOND)).toMatchObject({ state: "completed" })
      expect(harness.simulator.calls).toMatchObject({ executeCollection: 1, clientObtainToken: 1 })
      expect(sleeps.filter((sleep) => !(sleep >= 0))).toEqual([])
    },
  )
})

describe.each([HOUR, -HOUR])("[P20] a gateway whose clock is off by %i ms", (ms) => {
  beforeAll(async () => {
    harness = await startFlowsHarness({ clock: { now: () => Date.now() + ms } })
  })
  afterAll(() => harness.stop())

  it("is believed about a push: what it says counts, not when it says that it was", async () => {
    const { collectionId, sessionId } = harness.cart(PUSH)
    await startPayment(harness.deps, { sessionId, phone: PHONE })
    const { reference } = await harness.shown(collectionId)
    expect(await checkAfter(harness.deps, collectionId, 3 * SECOND)).toMatchObject({
      state: "in_flight",
    })
    harness.simulator.handset.approve(reference ?? "")
    expect(await checkAfter(harness.deps, collectionId, 3 * SECOND)).toMatchObject({
      state: "completed",
    })
    expect(harness.simulator.book.chargesOf(reference ?? "")).toBe(1)
  })

  it("shows a payment page that is paid, or that ends with its window by our database's clock", async () => {
    const { collectionId, sessionId } = harness.cart(HOSTED)
    await startPayment(harness.deps, { sessionId, phone: PHONE })
    const { sourceId } = await harness.shown(collectionId)
    if (ms < 0) {
      harness.simulator.hosted.pay(sourceId ?? 0, { method: "card" })
      expect(await checkAfter(harness.deps, collectionId, 3 * SECOND)).toMatchObject({
        state: "completed",
      })
      return
    }
    // For it the page was over when it was made. No payer can pay there, and nothing hangs for ever.
    expect(() => harness.simulator.hosted.pay(sourceId ?? 0, { method: "card" })).toThrow()
    expect(await checkAfter(harness.deps, collectionId, 55 * MINUTE)).toMatchObject({
      state: "submitted",
    })
    await checkAfter(harness.deps, collectionId, 6 * MINUTE)
    expect(await checkAfter(harness.deps, collectionId, 3 * SECOND)).toMatchObject({
      state: "expired",
      reason: "window_closed",
    })
  })

  it("and that asks to be left alone for half a minute by it is left alone for half a minute", async () => {
    const { collectionId, sessionId } = harness.cart()
    await startPayment(harness.deps, { sessionId, phone: PHONE })
    harness.simulator.faults.script("getCollectionStatus", ["429:date"])
    await checkAfter(harness.deps, collectionId, 3 * SECOND)
    const [account] = await harness.ledger.sql(
      "select extract(epoch from checks_paused_until - now())::float8 as seconds from mp_account",
    )
    expect(account?.["seconds"]).toBeGreaterThan(20)
    expect(account?.["seconds"]).toBeLessThanOrEqual(31)
  })
})

function dueInMs({ nextCheckAt, readAt }: Operation): number {
  return (nextCheckAt?.getTime() ?? Number.NaN) - readAt.getTime()
}
