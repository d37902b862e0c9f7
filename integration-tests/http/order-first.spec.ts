import { expectPaidInFull, operationsOf, settled, timesCharged } from "./support/payments"
import { HOSTED, expectOk, walletOf } from "./support/shop"
import { useWorld } from "./support/world"

jest.setTimeout(120_000)

const world = useWorld({
  simulator: { speed: 20 },
  env: { DEMO_ORDER_PLACEMENT: "order_first" },
})
/** A wallet and its digits, as the handset knows it. */
function newWallet() {
  const phone = walletOf()
  return { phone, digits: phone.slice(1), hint: phone.slice(-3) }
}

async function place(providerId?: string) {
  const wallet = newWallet()
  const cartId = await world.shop.cart({ phone: wallet.phone })
  const total = await world.shop.total(cartId)
  const sessionId = await world.shop.session(cartId, providerId)
  const { type, order } = await expectOk(world.shop.complete(cartId))
  expect(type).toBe("order")
  return { cartId, total, sessionId, wallet: wallet.digits, orderId: order?.id ?? "" }
}

describe("order first", () => {
  it("places the order before the money and pays it when the shopper approves", async () => {
    const { cartId, total, sessionId, orderId, wallet } = await place()
    const waiting = await world.admin.order(orderId)
    expect(waiting.payment_status).toBe("awaiting")
    expect(waiting.summary.paid_total).toBe(0)
    expect(world.simulator.handset.pending(wallet)).toEqual([])

    await expectOk(world.shop.start(sessionId))
    world.simulator.handset.approve(wallet)
    const paid = await settled(world, sessionId)
    expect(paid).toMatchObject({ state: "paid", order_id: orderId })
    await expectPaidInFull(world, orderId, total)
    expect(await timesCharged(world, cartId)).toBe(1)
  })

  it("keeps the order waiting after a failure and pays it by another try", async () => {
    const { cartId, total, sessionId, orderId, wallet } = await place()
    await expectOk(world.shop.start(sessionId))
    world.simulator.handset.decline(wallet)
    expect(await settled(world, sessionId)).toMatchObject({ state: "failed", can_retry: true })
    expect((await world.admin.order(orderId)).status).toBe("pending")

    await expectOk(world.shop.start(sessionId))
    world.simulator.handset.approve(wallet)
    expect((await settled(world, sessionId)).state).toBe("paid")
    await expectPaidInFull(world, orderId, total)
    expect(await operationsOf(world, cartId)).toHaveLength(2)
    expect(await timesCharged(world, cartId)).toBe(1)
  })

  it("pays when the prompt went out before the order was placed", async () => {
    const { phone, digits } = newWallet()
    const cartId = await world.shop.cart({ phone })
    const total = await world.shop.total(cartId)
    const sessionId = await world.shop.session(cartId)
    await expectOk(world.shop.start(sessionId))
    const { type, order } = await expectOk(world.shop.complete(cartId))
    expect(type).toBe("order")
    world.simulator.handset.approve(digits)
    expect((await settled(world, sessionId)).order_id).toBe(order?.id)
    await expectPaidInFull(world, order?.id ?? "", total)
    expect(await operationsOf(world, cartId)).toHaveLength(1)
  })

  it("pays on the hosted page, too", async () => {
    const { cartId, total, sessionId, orderId } = await place(HOSTED)
    const { payment } = await expectOk(world.shop.start(sessionId))
    expect(payment?.url).toContain("/pay/")
    const [operation] = await operationsOf(world, cartId)
    world.simulator.hosted.pay(Number(operation?.source_id), { method: "card" })
    expect((await settled(world, sessionId)).state).toBe("paid")
    await expectPaidInFull(world, orderId, total)
  })

  it("[B29] never settles onto an order that was cancelled", async () => {
    const { cartId, sessionId, orderId, wallet } = await place()
    await expectOk(world.shop.start(sessionId))
    const canceled = await world.admin.call("POST", `/admin/orders/${orderId}/cancel`, {})
    expect(canceled.status).toBe(200)
    world.simulator.handset.approve(wallet)
    expect((await settled(world, sessionId)).state).toBe("under_review")
    const [operation] = await operationsOf(world, cartId)
    expect(operation).toMatchObject({ state: "review", reason: "order_canceled" })
    const order = await world.admin.order(orderId)
    expect(order.summary.paid_total).toBe(0)
    const again = await world.shop.start(sessionId)
    expect([again.status, again.body.code]).toEqual([409, "under_review"])
  })

  it("answers order_closed to a start on a cancelled order", async () => {
    const { sessionId, orderId } = await place()
    await expectOk(world.admin.call("POST", `/admin/orders/${orderId}/cancel`, {}))
    const { status, body } = await world.shop.start(sessionId)
    expect([status, body.code]).toEqual([409, "order_closed"])
  })

  it("places no order beside money that a person has to look at", async () => {
    const cartId = await world.shop.cart()
    const sessionId = await world.shop.session(cartId)
    // Ends in 09: the source reads another amount once it is paid.
    await expectOk(world.shop.start(sessionId, { phone: "+231886123409" }))
    expect((await settled(world, sessionId)).state).toBe("under_review")
    const { type, error } = await expectOk(world.shop.complete(cartId))
    expect(type).toBe("cart")
    expect(error?.message).toContain("We have your payment")
  })
})
