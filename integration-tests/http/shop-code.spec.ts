/** The shop's own code looks payments up: by `query.graph`, and by `findPayments`. */
import { MERCHANT_PAYMENT_FIELDS } from "../../src/core/merchant-payment"
import type { MerchantPayment } from "../../src/core/schemas/merchant-payment"
import { findPayments, graph, WITH_OTHER_CODE } from "./support/other-code"
import { useHarness } from "./support/harness"
import { settled } from "./support/payments"
import { paidOrder, refund, type PaidOrder } from "./support/refunds"
import { expectOk, walletOf } from "./support/shop"

const harness = useHarness({ env: WITH_OTHER_CODE })
const NOT_KNOWN = /is no filter of payments|takes a text|is by created_at/

type Linked = MerchantPayment & {
  readonly order: { readonly id: string; readonly total: number } | null
  readonly cart: { readonly id: string; readonly email: string }
  readonly payment: { readonly id: string; readonly captured_at: string | null } | null
}
type Holder = { readonly id: string; readonly merchant_payments: readonly MerchantPayment[] }

const payments = (filters: object, others: object = {}) =>
  graph<MerchantPayment>(harness, { entity: "merchant_payment", fields: ["*"], filters, ...others })

/** A cart whose shopper declined once and paid then, and its order. */
async function paidAtTheSecondTry() {
  const phone = walletOf()
  const cartId = await harness.shop.cart({ phone })
  const sessionId = await harness.shop.session(cartId)
  await expectOk(harness.shop.start(sessionId))
  harness.simulator.handset.decline(phone.slice(1))
  expect(await settled(harness, sessionId)).toMatchObject({ state: "failed" })
  await expectOk(harness.shop.start(sessionId))
  harness.simulator.handset.approve(phone.slice(1))
  const { order_id: orderId } = await settled(harness, sessionId)
  return { phone, cartId, sessionId, orderId: orderId ?? "" }
}

let order: PaidOrder
beforeAll(async () => {
  order = await paidOrder(harness)
})

describe("query.graph", () => {
  it("gives every documented field of a payment, and nothing else", async () => {
    const { data } = await payments({ order_id: order.orderId })
    expect(data.map((one) => Object.keys(one).sort())).toEqual([
      [...MERCHANT_PAYMENT_FIELDS].sort(),
    ])
    const [row] = await harness.sql<{ phone_hint: string }>(
      "select * from mp_operation where order_id = $1",
      [order.orderId],
    )
    // Medusa does not round, and no payer can pay a part of a cent.
    const charged = Number(order.total.toFixed(2))
    expect(data[0]).toMatchObject({
      state: "completed",
      flow: "push",
      amount: charged,
      collected_amount: charged,
      refunded_amount: 0,
      currency: "USD",
      phone_hint: row?.phone_hint,
      figures: { currency: "USD", gross: charged },
    })
    expect(row?.phone_hint).toHaveLength(3)
  })

  it("gives the part of a payment that is asked for", async () => {
    const fields = ["id", "operator.payment_method", "reason.code"]
    const { data } = await graph<MerchantPayment>(harness, {
      entity: "merchant_payment",
      fields,
      filters: { order_id: order.orderId },
    })
    expect(data).toEqual([
      { id: expect.any(String), operator: { payment_method: expect.any(String) }, reason: null },
    ])
  })

  it("goes from orders, carts and Medusa's payments to their payments", async () => {
    const paid = await paidAtTheSecondTry()
    const fields = ["id", "merchant_payments.state", "merchant_payments.id"]
    const stated = async (entity: string, id: string) => {
      const { data } = await graph<Holder>(harness, { entity, fields, filters: { id } })
      return data.map(({ merchant_payments }) => merchant_payments.map(({ state }) => state).sort())
    }
    expect(await stated("order", paid.orderId)).toEqual([["completed"]])
    expect(await stated("cart", paid.cartId)).toEqual([["completed", "failed"]])
    const [held] = await harness.sql<{ id: string }>(
      "select id from payment where payment_session_id = $1",
      [paid.sessionId],
    )
    expect(await stated("payment", held?.id ?? "")).toEqual([["completed", "failed"]])
  })

  it("goes from a payment to its order, its cart and Medusa's payment", async () => {
    const { data } = await graph<Linked>(harness, {
      entity: "merchant_payments",
      fields: ["id", "order.id", "order.total", "cart.email", "payment.id", "payment.captured_at"],
      filters: { order_id: order.orderId },
    })
    expect(data).toMatchObject([
      {
        order: { id: order.orderId, total: order.total },
        cart: { email: "shopper@example.com" },
        payment: { id: order.paymentId, captured_at: expect.any(String) },
      },
    ])
  })

  it("shows what was refunded, and lists no refund as a payment", async () => {
    const refunded = await paidOrder(harness)
    await expectOk(refund(harness, refunded, 5))
    const { data } = await payments({ order_id: [refunded.orderId] })
    expect(data.map((one) => one.refunded_amount + one.refund_pending_amount)).toEqual([5])
  })

  it("pages through payments, counts them all, and sorts them", async () => {
    const all = await payments({}, { pagination: { take: 100, skip: 0 } })
    const [{ n } = { n: -1 }] = await harness.sql<{ n: number }>(
      "select count(*)::int as n from mp_operation where type = 'COLLECTION'",
    )
    expect([all.metadata?.count, all.data.length]).toEqual([n, n])
    const ids = all.data.map(({ id }) => id)
    const second = await payments({}, { pagination: { take: 1, skip: 1 } })
    expect([second.data.map(({ id }) => id), second.metadata?.count]).toEqual([ids.slice(1, 2), n])
    const oldest = await payments({}, { pagination: { take: 100, order: { created_at: "ASC" } } })
    expect(oldest.data.map(({ id }) => id)).toEqual([...ids].reverse())
  })

  it("filters by each field that it names", async () => {
    const [one] = (await payments({ order_id: order.orderId })).data
    if (!one) throw new Error("there is no payment")
    const day = 86_400_000
    const created = new Date(one.created_at).getTime()
    const filters = {
      id: one.id,
      cart_id: { $in: [one.cart_id] },
      payment_collection_id: [one.payment_collection_id],
      payment_session_id: { $eq: one.payment_session_id },
      state: ["completed", "review"],
      flow: "push",
      account_id: one.account_id,
      currency: "USD",
      reference: one.reference,
      created_at: { $gte: new Date(created - day).toISOString(), $lt: new Date(created + day) },
    }
    for (const [field, value] of Object.entries(filters)) {
      const { data } = await payments({ [field]: value, order_id: order.orderId })
      expect([field, data.map(({ id }) => id)]).toEqual([field, [one.id]])
    }
    const { data } = await payments({ order_id: order.orderId, state: "failed" })
    expect(data).toEqual([])
  })

  it("refuses a filter or an order that it does not know, and never ignores it", async () => {
    await expect(payments({ customer_id: "cus_1" })).rejects.toThrow(NOT_KNOWN)
    await expect(payments({ order_id: null })).rejects.toThrow(NOT_KNOWN)
    await expect(payments({ order_id: { $ne: "order_1" } })).rejects.toThrow(NOT_KNOWN)
    await expect(
      payments({}, { pagination: { take: 1, order: { state: "ASC" } } }),
    ).rejects.toThrow(NOT_KNOWN)
  })
})

it("findPayments gives the same payments as query.graph", async () => {
  const { data } = await payments({ order_id: order.orderId })
  expect(data).toHaveLength(1)
  expect(await findPayments(harness, { order_id: order.orderId })).toEqual(data)
  expect(await findPayments(harness, {}, { take: null })).toEqual(
    (await payments({}, { pagination: { take: 1_000, skip: 0 } })).data,
  )
})

describe("Medusa's own routes", () => {
  const FIELDS = "%2Bid,*merchant_payments,%2Bmerchant_payments.reference,*merchant_payment"

  it("give no payment to a shopper who names it", async () => {
    const cartId = await harness.shop.cart()
    await expectOk(harness.shop.start(await harness.shop.session(cartId)))
    const routes = [`carts/${cartId}`, `orders/${order.orderId}`]
    for (const route of routes) {
      const { body } = await harness.shop.call("GET", `/store/${route}?fields=${FIELDS}`)
      expect(JSON.stringify(body)).not.toContain("merchant_payment")
    }
  })

  it("give no payment to an admin who names it: the plugin's routes ask for a policy", async () => {
    const { status, body } = await harness.admin.call<object>(
      "GET",
      `/admin/orders/${order.orderId}?fields=${FIELDS}`,
    )
    expect(status).toBe(200)
    expect(JSON.stringify(body)).toContain(order.orderId)
    expect(JSON.stringify(body)).not.toContain("merchant_payments")
  })
})
