/**
 * What the contract leaves open, and what the gateway says oddly: nothing is charged twice for it.
 */
import { checkNow } from "../../../src/worker/check-due-operations"
import type { FlowDeps } from "../../../src/engine/deps"
import { sendRefund } from "../../../src/refunds/send-refund-to-gateway"
import { readStatus } from "../../../src/checkout/read-status"
import { startPayment } from "../../../src/checkout/start-payment"
import type { CallOptions, Gateway } from "../../../src/gateway"
import { LIMITS } from "../../../src/core/limits"
import { MINUTE, SECOND } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { HOSTED, PHONE, startFlowsHarness, type FlowsHarness } from "../../support/flows-harness"

let harness: FlowsHarness

beforeAll(async () => {
  harness = await startFlowsHarness({ unknownReference: 422 })
})

afterAll(() => harness.stop())

afterEach(() => {
  harness.simulator.clearPlans()
  harness.simulator.faults.clear()
})

const start = (sessionId: string, deps: FlowDeps = harness.deps) =>
  startPayment(deps, { sessionId, phone: PHONE })

async function checkAfter(collectionId: string, afterMs: number) {
  const { id } = await harness.shown(collectionId)
  await harness.pass(id, afterMs)
  await checkNow(harness.deps, id)
  return harness.shown(collectionId)
}

it("[N19] an unknown reference answered with 422 is not known there: sent again, and charged once", async () => {
  const { collectionId, sessionId } = harness.cart()
  harness.simulator.faults.script("executeCollection", ["reset:before"])
  await start(sessionId)
  const { reference } = await harness.shown(collectionId)
  await checkAfter(collectionId, 3 * SECOND)
  await checkAfter(collectionId, 6 * SECOND)
  expect(harness.simulator.book.execution(reference ?? "")).toMatchObject({ timesCalled: 1 })
  harness.simulator.handset.approve(reference ?? "")
  expect(await checkAfter(collectionId, 3 * SECOND)).toMatchObject({
    state: "completed",
    reference,
  })
  expect(harness.simulator.book.chargesOf(reference ?? "")).toBe(1)
})

it("[N20] a sending that was refused, its reference unknown by 422 twice, ends", async () => {
  const { collectionId, sessionId } = harness.cart()
  harness.simulator.faults.script("executeCollection", ["422"])
  expect(await start(sessionId)).toMatchObject({ state: "waiting_for_payer" })
  expect(await checkAfter(collectionId, 2 * SECOND)).toMatchObject({ state: "submitted" })
  await checkAfter(collectionId, 6 * SECOND)
  expect(await harness.shown(collectionId)).toMatchObject({ state: "expired", reason: "declined" })
})

it("[N13] an answer that can't be used changes nothing, and is said", async () => {
  const { collectionId, sessionId } = harness.cart()
  await start(sessionId)
  const before = await harness.shown(collectionId)
  harness.simulator.faults.script("getCollectionStatus", ["shape:after"])
  expect(await checkAfter(collectionId, 3 * SECOND)).toMatchObject({ state: before.state })
  const said = harness.logged.filter((line) => line.includes(before.id))
  expect(said.join("\n")).toContain("can't be used")
})

it.each([60 * MINUTE, -60 * MINUTE])(
  "[P20] a gateway whose clock is off by %i ms is believed in what it says, not when",
  async (ms) => {
    const { collectionId, sessionId } = harness.cart()
    await start(sessionId)
    const { reference } = await harness.shown(collectionId)
    harness.later(ms)
    try {
      harness.simulator.handset.approve(reference ?? "")
      expect(await checkAfter(collectionId, 3 * SECOND)).toMatchObject({ state: "completed" })
    } finally {
      harness.presently()
    }
  },
)

it("what is closed for a shopper fits into the shopper's time", async () => {
  const { collectionId, sessionId } = harness.cart(HOSTED)
  await start(sessionId)
  const mobile = harness.session(collectionId)
  const given: CallOptions[] = []
  const gateway: Gateway = {
    ...harness.gateway,
    orders: {
      ...harness.gateway.orders,
      cancel(id, options) {
        given.push(options ?? {})
        return harness.gateway.orders.cancel(id, options)
      },
    },
    status: {
      ...harness.gateway.status,
      source(request, options) {
        given.push(options ?? {})
        return harness.gateway.status.source(request, options)
      },
    },
  }
  const deps: FlowDeps = {
    ...harness.deps,
    gatewayOf: () => gateway,
    budget: {
      ...harness.deps.budget,
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

it("[N20] a refund that was refused, its reference unknown by 422, ends and frees its part a minute later", async () => {
  const { collectionId, sessionId } = harness.cart()
  await start(sessionId)
  const { id, reference } = await harness.shown(collectionId)
  harness.simulator.handset.approve(reference ?? "")
  await checkAfter(collectionId, 3 * SECOND)
  harness.simulator.faults.script("executeRefund", ["422"])
  const asked = sendRefund(harness.deps, {
    operationId: id,
    medusaAmount: "19.99",
    capturedAmount: "19.99",
    medusaRefundId: "ref_422",
    askedBy: "user_1",
    code: "refund_by_medusa",
    isWaitedFor: true,
  })
  await asked.catch(() => undefined)
  const [refund] = await harness.ledger.sql(
    "select id, state from mp_operation where parent_id = $1 and type = 'REFUND'",
    [id],
  )
  expect(refund?.["state"]).toBe("submitted")
  const refundId = String(refund?.["id"])
  for (const ms of [SECOND, MINUTE]) {
    await harness.pass(refundId, ms)
    await checkNow(harness.deps, refundId)
  }
  expect((await harness.shown(collectionId)).reservedRefundMinor).toBe(0n)
})

it.each([
  ["executeCollection", "401"],
  ["executeCollection", "403"],
  ["createCheckoutSession", "403"],
  ["createCheckoutSource", "401"],
] as const)(
  "says not_configured where our credentials are refused (%s, %s)",
  async (call, fault) => {
    const { collectionId, sessionId } = harness.cart()
    harness.simulator.faults.script(call, [fault, fault, fault])
    await codeOf(start(sessionId))
    for (let check = 0; check < 4; check++) await checkAfter(collectionId, MINUTE)
    const { status } = await readStatus(harness.deps, { sessionId })
    expect(status).toMatchObject({ state: "expired", reason: "not_configured" })
  },
)
