/**
 * A refund needs the payment's intent. Where no answer has named it yet, the gateway is asked at
 * that moment, and not by a background pass some minutes later.
 */
import type { Gateway } from "../../../src/gateway"
import { sendRefund } from "../../../src/refunds/send-refund-to-gateway"
import { checkNow } from "../../../src/worker/check-due-operations"
import { SECOND } from "../../support/an-operation"
import { HOSTED } from "../../support/flows-harness"
import { actsIn, breachesIn, forgetPlans, useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness()
const { reread, start } = actsIn(harness)

afterEach(async () => {
  forgetPlans(harness)
  expect(await breachesIn(harness)).toEqual([])
})

/** A payment of which no answer has named the intent yet. */
async function paid(provider?: string) {
  const { collectionId, sessionId } = harness.cart(provider)
  await start(sessionId)
  const operation = await harness.shown(collectionId)
  if (provider === HOSTED) harness.simulator.hosted.pay(operation.sourceId ?? 0, { method: "card" })
  else harness.simulator.handset.approve(operation.reference ?? "")
  await harness.pass(operation.id, 3 * SECOND)
  await checkNow(harness.deps, operation.id)
  await harness.ledger.sql("update mp_operation set payment_intent_id = null where id = $1", [
    operation.id,
  ])
  return reread(operation)
}

const refund = (operationId: string, gateway: Gateway = harness.gateway) =>
  sendRefund(
    { ...harness.deps, gatewayOf: () => gateway },
    {
      operationId,
      medusaAmount: "19.99",
      capturedAmount: "19.99",
      medusaRefundId: null,
      askedBy: "user_ada",
      code: "refund_by_policy",
      isWaitedFor: false,
    },
  )

it("a refund asks the execution for the intent, and goes out with the first click", async () => {
  const operation = await paid()
  await refund(operation.id)
  const { paymentIntentId } = harness.simulator.book.execution(operation.reference ?? "") ?? {}
  expect((await reread(operation)).paymentIntentId).toBe(paymentIntentId)
  expect(harness.simulator.book.refundsOf(paymentIntentId ?? 0)).toHaveLength(1)
})

it("a refund of a page asks the receipt for the intent, and goes out with the first click", async () => {
  const operation = await paid(HOSTED)
  const { book } = harness.simulator
  const intent = book.executions().find(({ sourceId }) => sourceId === operation.sourceId)
  const { gateway } = harness
  const naming: Gateway = {
    ...gateway,
    orders: {
      ...gateway.orders,
      async receipt(id, options) {
        const outcome = await gateway.orders.receipt(id, options)
        if (outcome.kind !== "done") return outcome
        const wire = { ...outcome.value.wire, payment_intent_id: intent?.paymentIntentId }
        return { kind: "done", value: { ...outcome.value, wire } }
      },
    },
  }
  await refund(operation.id, naming)
  expect((await reread(operation)).paymentIntentId).toBe(intent?.paymentIntentId)
  expect(book.refundsOf(intent?.paymentIntentId ?? 0)).toHaveLength(1)
})

it("a refund whose payment's intent no answer names is refused, and nothing is sent", async () => {
  const operation = await paid(HOSTED)
  await expect(refund(operation.id)).rejects.toMatchObject({ code: "payment_intent_unknown" })
  expect(await reread(operation)).toMatchObject({ reservedRefundMinor: 0n, paymentIntentId: null })
})
