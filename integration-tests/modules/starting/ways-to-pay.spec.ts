/**
 * What holds for each way to pay that is paid on the gateway's page. `add-a-way-to-pay.spec.ts` runs
 * this file in a copy that has one more.
 */
import { listPaymentMethods } from "../../../src/checkout/offer/payment-methods"
import { statusOf } from "../../../src/checkout/rules/status"
import { FLOWS, PROVIDER_FLOWS, providerOf } from "../../../src/core/flows"
import { FLOW_NAMES, isPage } from "../../../src/core/operation"
import { checkNow } from "../../../src/worker/check-due-operations"
import { drafted } from "../../support/ledger-database"
import { actsIn, useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness()
const { start } = actsIn(harness)

it.each(FLOW_NAMES)("the tables take a payment by %s", async (flow) => {
  expect(await drafted(harness.ledger.database, { flow })).toMatchObject({ state: "drafted", flow })
})

describe.each(PROVIDER_FLOWS.filter((flow) => isPage({ flow })))("a payment by %s", (flow) => {
  const { providerId } = providerOf(flow)

  it("is offered where the shop's server has an address to come back to", async () => {
    const cart = { currency: "usd", country: "lr", phone: null, providerIds: [providerId] }
    const medusa = { ...harness.deps.medusa, payableCart: () => Promise.resolve(cart) }
    const offered = (publicUrl: string | undefined) => {
      const settings = { ...harness.deps.settings, publicUrl }
      return listPaymentMethods({ ...harness.deps, medusa, settings }, "cart_1")
    }
    expect(await offered("https://shop.example")).toMatchObject([{ flow, needs_phone: true }])
    expect(await offered(undefined)).toHaveLength(FLOWS[flow].comesBack ? 0 : 1)
  })

  it("is started, paid on its page and recorded", async () => {
    const { collectionId, sessionId } = harness.cart(providerId)
    const status = await start(sessionId)
    expect(status).toMatchObject({ flow, state: "waiting_for_payer", prompt: null })
    expect(status.url).toContain("/pay/")
    const { id, sourceId } = await harness.shown(collectionId)
    harness.simulator.hosted.pay(sourceId ?? 0, { method: "card" })
    await checkNow(harness.deps, id)
    const paid = await harness.shown(collectionId)
    expect(paid).toMatchObject({ flow, state: "completed", collected: paid.amount })
    expect(statusOf(paid)).toMatchObject({ flow, state: "paid" })
  })
})
