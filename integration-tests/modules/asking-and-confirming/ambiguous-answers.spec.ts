/** Answers that the contract leaves open: no payment is charged twice because of one. */
import { checkNow } from "../../../src/worker/check-due-operations"
import type { FlowDeps } from "../../../src/engine/deps"
import { sendRefund } from "../../../src/refunds/send-refund-to-gateway"
import { readStatus } from "../../../src/checkout/read-status"
import type { CallOptions, Gateway } from "../../../src/gateway"
import { LIMITS } from "../../../src/core/limits"
import { MINUTE, SECOND } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { HOSTED } from "../../support/flows-harness"
import { actsIn, forgetPlans, useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness({ unknownReference: 422 })
const { start } = actsIn(harness)

afterEach(() => forgetPlans(harness))

async function checkAfter(collectionId: string, afterMs: number) {
  const { id } = await harness.shown(collectionId)
  await harness.pass(id, afterMs)
  await checkNow(harness.deps, id)
  return harness.shown(collectionId)
}

it("[N19] a reference that the gateway answers with 422 as unknown is sent again and charged once", async () => {
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

it("[N20] a refused execution whose reference is answered with 422 twice ends the payment", async () => {
  const { collectionId, sessionId } = harness.cart()
  harness.simulator.faults.script("executeCollection", ["422"])
  expect(await start(sessionId)).toMatchObject({ state: "waiting_for_payer" })
  expect(await checkAfter(collectionId, 2 * SECOND)).toMatchObject({ state: "submitted" })
  await checkAfter(collectionId, 6 * SECOND)
  expect(await harness.shown(collectionId)).toMatchObject({ state: "expired", reason: "declined" })
})

it("[N13] an answer that can't be used changes nothing, and the log says so", async () => {
  const { collectionId, sessionId } = harness.cart()
  await start(sessionId)
  const before = await harness.shown(collectionId)
  harness.simulator.faults.script("getCollectionStatus", ["shape:after"])
  expect(await checkAfter(collectionId, 3 * SECOND)).toMatchObject({ state: before.state })
  const lines = harness.logged.filter((line) => line.includes(before.id))
  expect(lines.join("\n")).toContain("can't be used")
})

it("a page that is closed while a shopper waits is closed within the shopper's time", async () => {
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

it("[N20] a refused refund whose reference is answered with 422 ends a minute later and frees its part", async () => {
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
  "a start whose credentials are refused says not_configured (%s, %s)",
  async (call, fault) => {
    const { collectionId, sessionId } = harness.cart()
    // How often a call goes out with a fresh token depends on the pace.
    harness.simulator.faults.script(call, Array<typeof fault>(20).fill(fault))
    await codeOf(start(sessionId))
    for (let check = 0; check < 4; check++) await checkAfter(collectionId, MINUTE)
    const { status } = await readStatus(harness.deps, { sessionId })
    expect(status).toMatchObject({ state: "expired", reason: "not_configured" })
  },
)
