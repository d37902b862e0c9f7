/**
 * An operator that fails most of its payments is offered as disrupted, can be tried all the same,
 * and is offered as before once payments go through again.
 */
import { listPaymentMethods } from "../../src/checkout/payment-methods"
import { startPayment } from "../../src/checkout/start-payment"
import { LIMITS } from "../../src/core/limits"
import { watchOperators } from "../../src/notifications/trouble"
import { drivenClock } from "../support/driven-clock"
import { PHONE, PUSH } from "../support/flows-harness"
import { useFlowsHarness } from "../support/use-flows-harness"

const harness = useFlowsHarness()
const clock = drivenClock()

/** As the storefront reads it when the last answer is no longer kept. */
async function offered() {
  clock.pass(LIMITS.disruptedKeptMs)
  const cart = { currency: "usd", country: "lr", phone: null, providerIds: [PUSH] }
  const medusa = { ...harness.deps.medusa, payableCart: () => Promise.resolve(cart) }
  const [method] = await listPaymentMethods({ ...harness.deps, clock, medusa }, "cart_1")
  return (method?.operators ?? []).map(({ payment_method, status }) => [payment_method, status])
}

async function started(): Promise<{ readonly id: string; readonly method: string | null }> {
  const { collectionId, sessionId } = harness.cart()
  await startPayment(harness.deps, { sessionId, phone: PHONE })
  const { id, paymentMethod: method } = await harness.shown(collectionId)
  return { id, method }
}

it("is disrupted while most payments fail, open to be tried, and comes back by itself", async () => {
  const tried = []
  for (let one = 0; one < LIMITS.operatorTroubleLeast; one++) tried.push(await started())
  const [first] = tried
  const before = await offered()
  expect(before).toContainEqual([first?.method, "ok"])
  await harness.ledger.sql(
    "update mp_operation set state = 'failed', reason = 'operator_unavailable'",
  )
  await watchOperators(harness.deps)
  const during = await offered()
  expect(during.filter(([, status]) => status === "disrupted")).toEqual([
    [first?.method, "disrupted"],
  ])
  await started()
  await harness.ledger.sql("update mp_operation set state = 'completed', reason = null")
  await watchOperators(harness.deps)
  expect(await offered()).toEqual(before)
})
