/**
 * The gateway's page creates its execution itself, so only its source or its receipt can name the
 * payment intent. Where one of them does, a refund needs no admin to enter it.
 */
import type { PaymentIntentId } from "../../../src/core/ids"
import type { Operation } from "../../../src/core/operation"
import type { FlowDeps } from "../../../src/engine/deps"
import type { Gateway } from "../../../src/gateway"
import { findById } from "../../../src/ledger/find-operations"
import { startPayment } from "../../../src/checkout/start-payment"
import { readOperation } from "../../../src/review/read-operations"
import { checkNow } from "../../../src/worker/check-due-operations"
import { fetchReceipts } from "../../../src/worker/receipts"
import { SECOND } from "../../support/an-operation"
import { HOSTED, PHONE } from "../../support/flows-harness"
import { useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness()

/** Fields that the gateway adds to the answers about a source, or to its receipt. */
type Named = { readonly source?: object; readonly receipt?: object }

function naming({ source = {}, receipt = {} }: Named): FlowDeps {
  const { gateway } = harness
  const named: Gateway = {
    ...gateway,
    status: {
      ...gateway.status,
      async source(request, options) {
        const outcome = await gateway.status.source(request, options)
        if (outcome.kind !== "done") return outcome
        return {
          ...outcome,
          value: { ...outcome.value, wire: { ...outcome.value.wire, ...source } },
        }
      },
    },
    orders: {
      ...gateway.orders,
      async receipt(id, options) {
        const outcome = await gateway.orders.receipt(id, options)
        if (outcome.kind !== "done") return outcome
        return {
          ...outcome,
          value: { ...outcome.value, wire: { ...outcome.value.wire, ...receipt } },
        }
      },
    },
  }
  return { ...harness.deps, gatewayOf: () => named }
}

async function paidOnPage(named: Named): Promise<PaymentIntentId | null> {
  const deps = naming(named)
  const { collectionId, sessionId } = harness.cart(HOSTED)
  await startPayment(deps, { sessionId, phone: PHONE })
  const operation: Operation = await harness.shown(collectionId)
  harness.simulator.hosted.pay(operation.sourceId ?? 0, { method: "card" })
  await harness.pass(operation.id, 2 * SECOND)
  await checkNow(deps, operation.id)
  await harness.ledger.sql(
    "update mp_operation set receipt_due_at = now() where id = $1 and recorded_at is not null",
    [operation.id],
  )
  await fetchReceipts(deps)
  const paid = await findById(harness.deps.database, operation.id)
  expect(paid).toMatchObject({ state: "completed" })
  return paid?.paymentIntentId ?? null
}

it.each<[string, Named, number | null]>([
  ["is known where its source names it", { source: { payment_intent_id: 880_001 } }, 880_001],
  [
    "is known where its source has it in an object",
    { source: { payment_intent: { id: "880002" } } },
    880_002,
  ],
  ["is known where only its receipt names it", { receipt: { intent_id: 880_003 } }, 880_003],
  [
    "is the source's where its receipt names another",
    { source: { intent_id: 880_004 }, receipt: { intent_id: 5 } },
    880_004,
  ],
  [
    "stays unknown where its source names two",
    { source: { intent_id: 1, payment_intent_id: 2 } },
    null,
  ],
  ["stays unknown where it is no number", { receipt: { payment_intent: "pi_3Nabc" } }, null],
  ["stays unknown where nothing names it", {}, null],
])("the payment intent of a page %s", async (_name, named, expected) => {
  expect(await paidOnPage(named)).toBe(expected)
})

it.each([
  ["https://portal.example/transactions", "https://portal.example/transactions"],
  ["javascript:alert(1)", null],
  ["http://portal.example", null],
  ["somewhere", null],
])("an account whose portal is %s leads an admin to %s", async (named, shown) => {
  const { collectionId, sessionId } = harness.cart(HOSTED)
  await startPayment(harness.deps, { sessionId, phone: PHONE })
  const { id } = await harness.shown(collectionId)
  await harness.ledger.sql("update mp_account set wire_names = $1", [
    JSON.stringify({ "portal.transactions": named }),
  ])
  expect((await readOperation(harness.deps, id)).portal_url).toBe(shown)
})

it("the payer reads the shop's name on the gateway's document", async () => {
  const { collectionId, sessionId } = harness.cart()
  await startPayment(harness.deps, { sessionId, phone: PHONE })
  const { sourceId } = await harness.shown(collectionId)
  expect(harness.simulator.book.document(sourceId ?? 0)?.note).toBe("Harbour & Hills")
})
