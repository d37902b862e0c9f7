/**
 * Orders that are placed before their money, in a real store: paid when the shopper approves, kept
 * through a failure, never settled onto once cancelled, and cancelled where nobody pays in time.
 */
import { expectPaidInFull, operationsOf, settled, timesCharged } from "./support/payments"
import { HOSTED, PUSH, expectOk, walletOf } from "./support/shop"
import { until } from "../support/until"
import { useHarness } from "./support/harness"

const harness = useHarness({
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
  const cartId = await harness.shop.cart({ phone: wallet.phone })
  const total = await harness.shop.total(cartId)
  const sessionId = await harness.shop.session(cartId, providerId)
  const { type, order } = await expectOk(harness.shop.complete(cartId))
  expect(type).toBe("order")
  return { cartId, total, sessionId, wallet: wallet.digits, orderId: order?.id ?? "" }
}

describe("a shop that places orders first", () => {
  it("places the order before the money, and it is paid when the shopper approves", async () => {
    const { cartId, total, sessionId, orderId, wallet } = await place()
    const waiting = await harness.admin.order(orderId)
    expect(waiting.payment_status).toBe("awaiting")
    expect(waiting.summary.paid_total).toBe(0)
    expect(harness.simulator.handset.pending(wallet)).toEqual([])

    await expectOk(harness.shop.start(sessionId))
    harness.simulator.handset.approve(wallet)
    const paid = await settled(harness, sessionId)
    expect(paid).toMatchObject({ state: "paid", order_id: orderId })
    await expectPaidInFull(harness, orderId, total)
    expect(await timesCharged(harness, cartId)).toBe(1)
  })

  it("[B24] brings the money onto its order even after the region gave the provider up", async () => {
    const { shop, admin } = harness
    const { total, sessionId, orderId, wallet } = await place()
    await expectOk(shop.start(sessionId))
    const { regions } = await expectOk(
      shop.call<{ regions: { id: string; name: string }[] }>("GET", "/store/regions"),
    )
    const region = `/admin/regions/${regions.find(({ name }) => name === "International")?.id}`
    const offer = (providers: string[]) =>
      expectOk(admin.call("POST", region, { payment_providers: providers }))
    await offer([HOSTED])
    try {
      harness.simulator.handset.approve(wallet)
      expect(await settled(harness, sessionId)).toMatchObject({ state: "paid", order_id: orderId })
      await expectPaidInFull(harness, orderId, total)
    } finally {
      await offer([PUSH, HOSTED])
    }
  })

  /** The order's time to be paid is over, by the database's clock. */
  const endTime = (cartId: string) =>
    harness.sql(
      `update mp_operation set window_ends_at = now(), next_check_at = now()
        where cart_id = $1 and next_check_at is not null`,
      [cartId],
    )

  const reservationsOf = (orderId: string) =>
    harness.sql(
      `select r.id from reservation_item r
         join order_item i on i.item_id = r.line_item_id
        where i.order_id = $1 and r.deleted_at is null`,
      [orderId],
    )

  it("cancels an order that nobody paid in time, and releases its stock", async () => {
    const { cartId, sessionId, orderId } = await place()
    expect(await reservationsOf(orderId)).not.toEqual([])
    await endTime(cartId)
    await until(async () => {
      const [row] = await harness.sql(`select status from "order" where id = $1`, [orderId])
      return row?.["status"] === "canceled"
    }, "the order is cancelled")
    expect((await harness.admin.order(orderId)).status).toBe("canceled")
    expect(await reservationsOf(orderId)).toEqual([])
    const { status, body } = await harness.shop.start(sessionId)
    expect([status, body.code]).toEqual([409, "order_closed"])
  })

  it("[B25] closes the open payment page of an order that an admin cancels", async () => {
    const { cartId, sessionId, orderId } = await place(HOSTED)
    await expectOk(harness.shop.start(sessionId))
    const [operation] = await operationsOf(harness, cartId)
    await expectOk(harness.admin.call("POST", `/admin/orders/${orderId}/cancel`, {}))
    await until(
      () =>
        Promise.resolve(
          harness.simulator.book.document(Number(operation?.source_id))?.status === "CANCELED",
        ),
      "the page is closed",
    )
  })

  it("places no order while money of the cart is under review", async () => {
    const cartId = await harness.shop.cart()
    const sessionId = await harness.shop.session(cartId)
    // Ends in 09: the source reads another amount once it is paid.
    await expectOk(harness.shop.start(sessionId, { phone: "+231886123409" }))
    expect((await settled(harness, sessionId)).state).toBe("under_review")
    const { type, error } = await expectOk(harness.shop.complete(cartId))
    expect(type).toBe("cart")
    expect(error?.message).toContain("We have your payment")
  })
})
