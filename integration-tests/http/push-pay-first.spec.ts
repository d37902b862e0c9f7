import { PHONE, type Payment } from "./support/shop"
import { until } from "./support/until"
import { useWorld } from "./support/world"

jest.setTimeout(120_000)

const world = useWorld()

async function settled(sessionId: string): Promise<Payment> {
  return until(async () => {
    const { body } = await world.shop.status(sessionId)
    const state = body.payment?.state
    return state && ["paid", "failed", "expired", "under_review"].includes(state)
      ? body.payment
      : undefined
  }, "an end state")
}

describe("mobile money, pay first", () => {
  it("pays a cart once the shopper approves on the phone, and nobody completes it by hand", async () => {
    const { shop, simulator, admin } = world
    const cartId = await shop.cart()
    const total = await shop.total(cartId)
    const sessionId = await shop.session(cartId)
    const started = await shop.start(sessionId)
    expect(started.status).toBe(200)
    expect(started.body.payment).toMatchObject({ state: "waiting_for_payer", phone_hint: "457" })
    simulator.handset.approve(PHONE.International.slice(1))
    const payment = await settled(sessionId)
    expect(payment.state).toBe("paid")
    const order = await admin.order(payment.order_id ?? "")
    expect(order.payment_status).toBe("captured")
    expect(order.total).toBe(total)
    expect(order.summary.paid_total).toBe(total)
  })
})
