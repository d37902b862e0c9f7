/** What the shop's own code hears, and the receipts of what was paid, through Medusa itself. */
import { EVENTS } from "../../src/events"
import { subscribe, WITH_OTHER_CODE, type Heard } from "./support/other-code"
import { operationsOf, settled } from "./support/payments"
import { expectOk, walletOf, type Answer } from "./support/shop"
import { until } from "./support/until"
import { useHarness } from "./support/harness"

const harness = useHarness({ env: WITH_OTHER_CODE, simulator: { speed: 4 } })

type Receipt = Readonly<Record<string, unknown>>
type ReceiptBody = { readonly receipt?: Receipt; readonly code?: string }

const receiptOf = (sessionId: string): Promise<Answer<ReceiptBody>> =>
  harness.shop.call("GET", `/store/merchant-payments/sessions/${sessionId}/receipt`)

const heardOf = (id: string) => heard.filter(({ data }) => data["id"] === id)

let heard: readonly Heard[]

beforeAll(async () => {
  heard = await subscribe(harness, EVENTS)
})

async function started(): Promise<{
  cartId: string
  sessionId: string
  digits: string
  id: string
}> {
  const phone = walletOf()
  const cartId = await harness.shop.cart({ phone })
  const sessionId = await harness.shop.session(cartId)
  await expectOk(harness.shop.start(sessionId))
  const [operation] = await operationsOf(harness, cartId)
  return { cartId, sessionId, digits: phone.slice(1), id: operation?.id ?? "" }
}

it("a paid cart: the shop hears of it once, and shopper and admin get its receipt", async () => {
  const { cartId, sessionId, digits, id } = await started()
  expect(await receiptOf(sessionId)).toMatchObject({
    status: 404,
    body: { code: "receipt_not_ready" },
  })
  harness.simulator.handset.approve(digits)
  const paid = await settled(harness, sessionId)
  const [told] = await until(async () => {
    const all = heardOf(id)
    return all.length > 0 ? all : undefined
  }, "the event")
  expect(told).toMatchObject({
    name: "merchant_payments.collection_completed",
    data: { id, cart_id: cartId, type: "COLLECTION", reason: null },
  })

  const receipt = await until(async () => {
    const { status, body } = await receiptOf(sessionId)
    return status === 200 ? body.receipt : undefined
  }, "the receipt")
  expect(receipt).toMatchObject({
    order_id: paid.order_id,
    total: paid.amount,
    currency: "USD",
    phone_hint: digits.slice(-3),
    paid_at: expect.stringMatching(/^\d{4}-.*Z$/),
    link: expect.stringContaining("http"),
  })
  expect(receipt).not.toHaveProperty("figures")
  const path = `/admin/merchant-payments/operations/${id}/receipt`
  const { receipt: admins } = await expectOk(harness.admin.call<{ receipt: Receipt }>("GET", path))
  expect(admins).toMatchObject({ ...receipt, operation_id: id, figures: { gross: paid.amount } })
  expect((await harness.shop.call("GET", path)).status).toBe(401)
  const none = "/admin/merchant-payments/operations/mpop_none/receipt"
  expect(await harness.admin.call("GET", none)).toMatchObject({
    status: 404,
    body: { code: "operation_not_found" },
  })
  for (const strange of ["%00", "%F0%9F%92%A3", "x".repeat(5_000)]) {
    const unknown = `/admin/merchant-payments/operations/${strange}/receipt`
    expect((await harness.admin.call("GET", unknown)).status).toBe(404)
    expect((await receiptOf(strange)).status).toBe(404)
  }
  expect(await receiptOf("payses_none")).toMatchObject({
    status: 404,
    body: { code: "session_not_found" },
  })
  expect(heardOf(id)).toHaveLength(1)
})

it("a declined payment: the shop hears why, and there is no receipt", async () => {
  const { sessionId, digits, id } = await started()
  harness.simulator.handset.decline(digits)
  expect((await settled(harness, sessionId)).state).toBe("failed")
  await until(async () => heardOf(id)[0], "the event")
  expect(heardOf(id)[0]?.data).toMatchObject({ id, reason: "declined" })
  expect((await receiptOf(sessionId)).body.code).toBe("receipt_not_ready")
})
