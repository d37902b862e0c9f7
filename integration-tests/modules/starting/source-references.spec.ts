/**
 * A gateway that holds documents to the rule of executions: `reference_id` is a UUID v4, and no
 * other document of the merchant carries it. Nothing shows that it does, and nothing that it does
 * not.
 */
import { checkNow } from "../../../src/worker/check-due-operations"
import { startPayment } from "../../../src/checkout/start-payment"
import { SECOND } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import {
  HOSTED,
  PHONE,
  PUSH,
  startFlowsHarness,
  type FlowsHarness,
} from "../../support/flows-harness"

let harness: FlowsHarness
beforeAll(async () => {
  harness = await startFlowsHarness({ documentReference: "unique_uuid_v4" })
})
afterAll(() => harness.stop())

const bearer = (feeBearer: string | null) =>
  harness.ledger.sql("update mp_account set fee_bearer = $1", [feeBearer])
const start = (sessionId: string) => startPayment(harness.deps, { sessionId, phone: PHONE })

async function expectPaid(collectionId: string): Promise<void> {
  const { id, reference, sourceId, flow } = await harness.shown(collectionId)
  if (flow === "hosted") harness.simulator.hosted.pay(sourceId ?? 0, { method: "card" })
  else harness.simulator.handset.approve(reference ?? "")
  await harness.pass(id, 3 * SECOND)
  await checkNow(harness.deps, id)
  expect(await harness.shown(collectionId)).toMatchObject({ state: "completed" })
  expect(harness.of(collectionId).completions).toBe(1)
}

it.each([null, "PAYER"].flatMap((by) => [PUSH, HOSTED].map((provider) => [by, provider] as const)))(
  "takes a source whose fees are borne by %s, for %s",
  async (feeBearer, provider) => {
    await bearer(feeBearer)
    const { collectionId, sessionId } = harness.cart(provider)
    expect(await start(sessionId)).toMatchObject({ state: "waiting_for_payer" })
    await expectPaid(collectionId)
  },
)

it.each([
  [null, "createCheckoutSource"],
  ["PAYER", "createOrder"],
])("takes the next payment's when an answer was lost (%s, %s)", async (feeBearer, call) => {
  await bearer(feeBearer)
  const { collectionId, sessionId } = harness.cart()
  harness.simulator.faults.script(call, ["reset:after"])
  expect(await codeOf(start(sessionId))).toBe("gateway_unavailable")
  expect(await codeOf(start(sessionId))).toBe("gateway_refused")
  expect(await start(sessionId)).toMatchObject({ state: "waiting_for_payer" })
  await expectPaid(collectionId)
})
