import { settled, operationsOf } from "./support/payments"
import { HOSTED, PUSH, expectOk, walletOf } from "./support/shop"
import { useWorld } from "./support/world"

jest.setTimeout(120_000)

const world = useWorld()

async function waiting() {
  const phone = walletOf()
  const cartId = await world.shop.cart({ phone })
  const sessionId = await world.shop.session(cartId)
  await expectOk(world.shop.start(sessionId))
  return { cartId, sessionId, digits: phone.slice(1) }
}

type Call = [method: string, path: string, body?: Record<string, unknown>]

async function changes(cartId: string): Promise<Call[]> {
  const { shop } = world
  const { cart } = await expectOk(
    shop.call<{ cart: { items: { id: string }[] } }>("GET", `/store/carts/${cartId}`),
  )
  const line = cart.items[0]?.id ?? ""
  const base = `/store/carts/${cartId}`
  return [
    ["POST", base, { email: "other@example.com" }],
    ["POST", `${base}/line-items`, { variant_id: await shop.variant("enamel-mug"), quantity: 1 }],
    ["POST", `${base}/line-items/${line}`, { quantity: 9 }],
    ["DELETE", `${base}/line-items/${line}`],
    ["POST", `${base}/shipping-methods`, { option_id: "so_any" }],
    ["POST", `${base}/promotions`, { promo_codes: ["WELCOME10"] }],
    ["DELETE", `${base}/promotions`, { promo_codes: ["WELCOME10"] }],
    ["POST", `${base}/taxes`, {}],
    [
      "POST",
      `/store/payment-collections/${await shop.collection(cartId)}/payment-sessions`,
      { provider_id: HOSTED },
    ],
  ]
}

describe("the guard", () => {
  it("[B02] refuses every change of a cart while a prompt is out, and lets it through after", async () => {
    const { cartId, sessionId, digits } = await waiting()
    const total = await world.shop.total(cartId)
    for (const [method, path, body] of await changes(cartId)) {
      const answer = await world.shop.call<{ code?: string; payment?: { state: string } }>(
        method,
        path,
        body,
      )
      expect([path, answer.status, answer.body.code, answer.body.payment?.state]).toEqual([
        path,
        409,
        "payment_in_progress",
        "waiting_for_payer",
      ])
    }
    expect(await world.shop.total(cartId)).toBe(total)
    world.simulator.handset.decline(digits)
    expect((await settled(world, sessionId)).state).toBe("failed")
    await expectOk(world.shop.call("POST", `/store/carts/${cartId}`, { email: "new@example.com" }))
  })

  it("does not stand in the way of reading and of completing", async () => {
    const { cartId } = await waiting()
    expect((await world.shop.call("GET", `/store/carts/${cartId}`)).status).toBe(200)
    const { status, body } = await world.shop.complete(cartId)
    expect([status, body.type]).toEqual([200, "cart"])
  })

  it("answers 409 to a cancel while a prompt is out: only the phone can decline it", async () => {
    const { sessionId } = await waiting()
    const { status, body } = await world.shop.cancel(sessionId)
    expect([status, body.code]).toEqual([409, "payment_in_progress"])
  })

  it("[B02] strands money for another total when the cart is changed behind its back", async () => {
    const { cartId, sessionId, digits } = await waiting()
    await world.sql("update cart_line_item set quantity = 9 where cart_id = $1", [cartId])
    world.simulator.handset.approve(digits)
    const payment = await settled(world, sessionId)
    expect(payment).toMatchObject({ state: "under_review", order_id: null })
    expect(await operationsOf(world, cartId)).toMatchObject([
      { state: "review", reason: "cart_changed" },
    ])
    const edit = await world.shop.call<{ code?: string }>("POST", `/store/carts/${cartId}`, {
      email: "x@example.com",
    })
    expect([edit.status, edit.body.code]).toEqual([409, "under_review"])
  })

  it("[S01] believes nothing that a storefront writes into the payment session", async () => {
    const cartId = await world.shop.cart()
    const sessionId = await world.shop.session(cartId, PUSH, {
      state: "paid",
      status: "captured",
      reference: "11111111-1111-4111-8111-111111111111",
      source_id: 1,
      session_id: "payses_other",
    })
    const { body } = await world.shop.complete(cartId)
    expect(body.type).toBe("cart")
    const { payment } = await expectOk(world.shop.status(sessionId))
    expect(payment).toMatchObject({ state: "ready", reference: null })
  })

  it("[S02] takes no action on a forged webhook", async () => {
    const { sessionId } = await waiting()
    const hook = await world.shop.call("POST", "/hooks/payment/mobile-money_merchant", {
      session_id: sessionId,
      status: "COMPLETED",
    })
    expect(hook.status).toBeLessThan(500)
    const { payment } = await expectOk(world.shop.status(sessionId))
    expect(payment?.state).toBe("waiting_for_payer")
  })

  it("[H24] refuses to cancel a paid order and to refund it, with nothing sent", async () => {
    const { sessionId, digits } = await waiting()
    world.simulator.handset.approve(digits)
    const paid = await settled(world, sessionId)
    const cancel = await world.admin.call<{ code?: string }>(
      "POST",
      `/admin/orders/${paid.order_id}/cancel`,
      {},
    )
    expect([cancel.status, cancel.body.code]).toEqual([409, "refund_unavailable"])
    const order = await world.admin.order(paid.order_id ?? "")
    const payment = order.payment_collections[0]?.payments[0]
    const refund = await world.admin.call<{ message?: string }>(
      "POST",
      `/admin/payments/${payment?.id}/refund`,
      { amount: 1 },
    )
    expect(refund.status).toBe(400)
    expect(refund.body.message).toContain("refund_unavailable")
    const after = await world.admin.order(paid.order_id ?? "")
    expect([after.status, after.summary.paid_total]).toEqual([order.status, order.total])
  })
})
