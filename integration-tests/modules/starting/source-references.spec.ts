/**
 * A gateway that may require what it requires of executions: a document's `reference_id` is a UUID v4
 * that no other document of the merchant has. The contract leaves this open.
 */
import { checkNow } from "../../../src/worker/check-due-operations"
import { SECOND } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { HOSTED, PUSH } from "../../support/flows-harness"
import { actsIn, useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness({ documentReference: "unique_uuid_v4" })
const { start } = actsIn(harness)

const bearer = (feeBearer: string | null) =>
  harness.ledger.sql("update mp_account set fee_bearer = $1", [feeBearer])

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
  "a strict gateway takes the source of a payment (fee bearer %s, %s)",
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
])(
  "a strict gateway takes the next payment's source after a lost answer (fee bearer %s, %s)",
  async (feeBearer, call) => {
    await bearer(feeBearer)
    const { collectionId, sessionId } = harness.cart()
    harness.simulator.faults.script(call, ["reset:after"])
    expect(await codeOf(start(sessionId))).toBe("gateway_unavailable")
    expect(await codeOf(start(sessionId))).toBe("gateway_refused")
    expect(await start(sessionId)).toMatchObject({ state: "waiting_for_payer" })
    await expectPaid(collectionId)
  },
)
