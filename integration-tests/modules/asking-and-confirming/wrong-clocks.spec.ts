/**
 * [P20] Wrong clocks: the store's by ten minutes or with a jump, the gateway's by an hour. The
 * database's clock decides what is due and over, a monotonic clock measures durations, and no time
 * that the gateway writes decides anything.
 */
import { systemClock, type Clock } from "../../../src/core/ports"
import type { Operation } from "../../../src/core/operation"
import { checkNow } from "../../../src/worker/check-due-operations"
import type { FlowDeps } from "../../../src/engine/deps"
import { startPayment } from "../../../src/checkout/start-payment"
import { createGateway, type Gateway } from "../../../src/gateway"
import { MINUTE, SECOND } from "../../support/an-operation"
import {
  HOSTED,
  PHONE,
  PUSH,
  startFlowsHarness,
  type FlowsHarness,
} from "../../support/flows-harness"
import { breachesIn, forgetPlans } from "../../support/use-flows-harness"

const WRONG = [10 * MINUTE, -10 * MINUTE] as const
const HOUR = 60 * MINUTE

let harness: FlowsHarness
const opened: Gateway[] = []

afterEach(async () => {
  forgetPlans(harness)
  await Promise.all(opened.splice(0).map((gateway) => gateway.close()))
  await harness.ledger.sql("update mp_account set checks_paused_until = null")
  expect(await breachesIn(harness)).toEqual([])
})

/** A store with this wall clock; durations are real. */
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
    it("gives the source its whole window by the database's clock, and leases and checks by it", async () => {
      const { deps, sleeps } = offBy(ms)
      const { collectionId, sessionId } = harness.cart()
      await startPayment(deps, { sessionId, phone: PHONE })
      const started = await harness.shown(collectionId)
      expect(Math.abs(lifeAtGateway(started) - 30 * MINUTE)).toBeLessThanOrEqual(1)
      expect(Math.abs(dueInMs(started))).toBeLessThan(MINUTE)
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
    "[P20] a wall clock that jumps by %i ms ends nothing, and causes no more calls",
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

  it("is believed about a push by what it says, not by the times that it writes", async () => {
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

  it("has a page that is paid, or that ends with its window by the database's clock", async () => {
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
    // By its clock the page expired when it was made: no payer can pay there, and nothing hangs.
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

  it("is left alone for half a minute when it asks for that by its clock", async () => {
    const { collectionId, sessionId } = harness.cart()
    await startPayment(harness.deps, { sessionId, phone: PHONE })
    harness.simulator.faults.script("getCollectionStatus", ["429:date"])
    await checkAfter(harness.deps, collectionId, 3 * SECOND)
    const [account] = await harness.ledger.sql(
      "select extract(epoch from checks_paused_until - now())::float8 as seconds from mp_account",
    )
    expect(account?.["seconds"]).toBeGreaterThan(0)
    expect(account?.["seconds"]).toBeLessThanOrEqual(31)
  })
})

function dueInMs({ nextCheckAt, readAt }: Operation): number {
  return (nextCheckAt?.getTime() ?? Number.NaN) - readAt.getTime()
}
