/**
 * What the contract leaves open, and what the gateway says oddly: nothing is charged twice for it.
 */
import { checkNow } from "../../src/worker/check-due-operations"
import type { FlowDeps } from "../../src/engine/deps"
import { requestRefund } from "../../src/refunds/request-refund"
import { startPayment } from "../../src/checkout/start-payment"
import type { CallOptions, Gateway } from "../../src/gateway"
import { LIMITS } from "../../src/core/limits"
import { MINUTE, SECOND } from "../support/an-operation"
import { codeOf } from "../support/code-of"
import { HOSTED, PHONE, startFlowsWorld, type FlowsWorld } from "../support/flows-world"

let world: FlowsWorld

beforeAll(async () => {
  world = await startFlowsWorld({ unknownReference: 422 })
})

afterAll(() => world.stop())

afterEach(() => {
  world.simulator.clearPlans()
  world.simulator.faults.clear()
})

const start = (sessionId: string, deps: FlowDeps = world.deps) =>
  startPayment(deps, { sessionId, phone: PHONE })

async function finding(collectionId: string, afterMs: number) {
  const { id } = await world.shown(collectionId)
  await world.pass(id, afterMs)
  await checkNow(world.deps, id)
  return world.shown(collectionId)
}

it("[N19] an unknown reference answered with 422 is not known there: sent again, and charged once", async () => {
  const { collectionId, sessionId } = world.cart()
  world.simulator.faults.script("executeCollection", ["reset:before"])
  await start(sessionId)
  const { reference } = await world.shown(collectionId)
  await finding(collectionId, 3 * SECOND)
  await finding(collectionId, 6 * SECOND)
  expect(world.simulator.book.execution(reference ?? "")).toMatchObject({ timesCalled: 1 })
  world.simulator.handset.approve(reference ?? "")
  expect(await finding(collectionId, 3 * SECOND)).toMatchObject({ state: "completed", reference })
  expect(world.simulator.book.chargesOf(reference ?? "")).toBe(1)
})

it("[N20] a sending that was refused, its reference unknown by 422, ends at once", async () => {
  const { collectionId, sessionId } = world.cart()
  world.simulator.faults.script("executeCollection", ["422"])
  expect(await codeOf(start(sessionId))).toBe("gateway_refused")
  expect(await world.shown(collectionId)).toMatchObject({ state: "expired", reason: "declined" })
})

it("[N13] an answer that can't be used changes nothing, and is said", async () => {
  const { collectionId, sessionId } = world.cart()
  await start(sessionId)
  const before = await world.shown(collectionId)
  world.simulator.faults.script("getCollectionStatus", ["shape:after"])
  expect(await finding(collectionId, 3 * SECOND)).toMatchObject({ state: before.state })
  const said = world.logged.filter((line) => line.includes(before.id))
  expect(said.join("\n")).toContain("can't be used")
})

it.each([60 * MINUTE, -60 * MINUTE])(
  "[P20] a gateway whose clock is off by %i ms is believed in what it says, not when",
  async (ms) => {
    const { collectionId, sessionId } = world.cart()
    await start(sessionId)
    const { reference } = await world.shown(collectionId)
    world.later(ms)
    try {
      world.simulator.handset.approve(reference ?? "")
      expect(await finding(collectionId, 3 * SECOND)).toMatchObject({ state: "completed" })
    } finally {
      world.presently()
    }
  },
)

it("what is closed for a shopper fits into the shopper's time", async () => {
  const { collectionId, sessionId } = world.cart(HOSTED)
  await start(sessionId)
  const mobile = world.session(collectionId)
  const given: CallOptions[] = []
  const gateway: Gateway = {
    ...world.gateway,
    orders: {
      ...world.gateway.orders,
      cancel(id, options) {
        given.push(options ?? {})
        return world.gateway.orders.cancel(id, options)
      },
    },
    status: {
      ...world.gateway.status,
      source(request, options) {
        given.push(options ?? {})
        return world.gateway.status.source(request, options)
      },
    },
  }
  const deps: FlowDeps = {
    ...world.deps,
    gatewayOf: () => gateway,
    budget: {
      ...world.deps.budget,
      take: () => Promise.reject(new Error("no shopper waits for it")),
    },
  }
  expect(await start(mobile, deps)).toMatchObject({ state: "waiting_for_payer" })
  expect(given.length).toBeGreaterThanOrEqual(3)
  for (const { patience, deadlineMs } of given) {
    expect(patience).toBe("shopper")
    expect(deadlineMs).toBeLessThanOrEqual(LIMITS.shopperBudgetMs)
  }
})

it("[N20] a refund that was refused, its reference unknown by 422, ends and frees its part", async () => {
  const { collectionId, sessionId } = world.cart()
  await start(sessionId)
  const { id, reference } = await world.shown(collectionId)
  world.simulator.handset.approve(reference ?? "")
  await finding(collectionId, 3 * SECOND)
  world.simulator.faults.script("executeRefund", ["422"])
  const asked = requestRefund(world.deps, {
    operationId: id,
    hostAmount: "19.99",
    capturedAmount: "19.99",
    hostRefundId: "ref_422",
    askedBy: "user_1",
    code: "refund_by_medusa",
    isWaitedFor: true,
  })
  await asked.catch(() => undefined)
  const [refund] = await world.ledger.sql(
    "select state from mp_operation where parent_id = $1 and type = 'REFUND'",
    [id],
  )
  expect(refund?.["state"]).toBe("expired")
  expect((await world.shown(collectionId)).reservedRefundMinor).toBe(0n)
})
