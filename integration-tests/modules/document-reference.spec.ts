/**
 * A gateway that holds documents to the rule of executions: `reference_id` is a UUID v4, and no
 * other document of the merchant carries it. Nothing shows that it does, and nothing that it does
 * not.
 */
import { checkNow } from "../../src/worker/check-due-operations"
import { startPayment } from "../../src/checkout/start-payment"
import { SECOND } from "../support/an-operation"
import { codeOf } from "../support/code-of"
import { HOSTED, PHONE, PUSH, startFlowsWorld, type FlowsWorld } from "../support/flows-world"

let world: FlowsWorld
beforeAll(async () => {
  world = await startFlowsWorld({ documentReference: "unique_uuid_v4" })
})
afterAll(() => world.stop())

const bearer = (feeBearer: string | null) =>
  world.ledger.sql("update mp_account set fee_bearer = $1", [feeBearer])
const start = (sessionId: string) => startPayment(world.deps, { sessionId, phone: PHONE })

async function expectPaid(collectionId: string): Promise<void> {
  const { id, reference, sourceId, flow } = await world.shown(collectionId)
  if (flow === "hosted") world.simulator.hosted.pay(sourceId ?? 0, { method: "card" })
  else world.simulator.handset.approve(reference ?? "")
  await world.pass(id, 3 * SECOND)
  await checkNow(world.deps, id)
  expect(await world.shown(collectionId)).toMatchObject({ state: "completed" })
  expect(world.of(collectionId).completions).toBe(1)
}

it.each([null, "PAYER"].flatMap((by) => [PUSH, HOSTED].map((provider) => [by, provider] as const)))(
  "takes a source whose fees are borne by %s, for %s",
  async (feeBearer, provider) => {
    await bearer(feeBearer)
    const { collectionId, sessionId } = world.cart(provider)
    expect(await start(sessionId)).toMatchObject({ state: "waiting_for_payer" })
    await expectPaid(collectionId)
  },
)

it.each([
  [null, "createCheckoutSource"],
  ["PAYER", "createOrder"],
])("takes the next payment's when an answer was lost (%s, %s)", async (feeBearer, call) => {
  await bearer(feeBearer)
  const { collectionId, sessionId } = world.cart()
  world.simulator.faults.script(call, ["reset:after"])
  expect(await codeOf(start(sessionId))).toBe("gateway_unavailable")
  expect(await codeOf(start(sessionId))).toBe("gateway_refused")
  expect(await start(sessionId)).toMatchObject({ state: "waiting_for_payer" })
  await expectPaid(collectionId)
})
