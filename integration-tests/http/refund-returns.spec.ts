/**
 * What comes back of an order is paid back: a return that was received, a claim that was granted.
 * Medusa then owes the money already, so its refund makes no credit line, and taking the refund out
 * again makes it owe as before.
 */
import { callModule, WITH_OTHER_CODE } from "./support/other-code"
import {
  books,
  isRecorded,
  isUndone,
  lastRefund,
  paidOrder,
  refund,
  refundsOf,
  refundUntil,
  type PaidOrder,
} from "./support/refunds"
import { expectOk } from "./support/shop"
import { useHarness } from "./support/harness"

const MINUTES_10 = 600_000

const harness = useHarness({ simulator: { partialRefunds: "UNCAPPED" }, env: WITH_OTHER_CODE })

afterEach(() => harness.simulator.clearPlans())

type Line = { readonly id: string; readonly quantity: number }

const post = <T>(path: string, body: object = {}) =>
  expectOk(harness.admin.call<T>("POST", `/admin/${path}`, body))

/** The order's one line, sent out: only what was sent can come back. */
async function sentLine({ orderId }: PaidOrder): Promise<Line> {
  const { order } = await expectOk(
    harness.admin.call<{ order: { items: Line[] } }>(
      "GET",
      `/admin/orders/${orderId}?fields=id,*items`,
    ),
  )
  const [line] = order.items
  if (!line) throw new Error("an order of nothing")
  await post(`orders/${orderId}/fulfillments`, { items: [line].map(idAndQuantity) })
  return line
}

const idAndQuantity = ({ id, quantity }: Line) => ({ id, quantity })

/** One piece comes back. */
async function comesBack(order: PaidOrder): Promise<void> {
  const { id } = await sentLine(order)
  const items = [{ id, quantity: 1 }]
  const made = await post<{ return: { id: string } }>("returns", {
    order_id: order.orderId,
    location_id: await warehouse(),
  })
  const path = `returns/${made.return.id}`
  await post(`${path}/request-items`, { items })
  await post(`${path}/request`)
  await post(`${path}/receive`)
  await post(`${path}/receive-items`, { items })
  await post(`${path}/receive/confirm`)
}

async function warehouse(): Promise<string> {
  const { stock_locations: places } = await expectOk(
    harness.admin.call<{ stock_locations: { id: string }[] }>("GET", "/admin/stock-locations"),
  )
  return places[0]?.id ?? ""
}

/** One piece was bad, and is to come back. */
async function isClaimed(order: PaidOrder): Promise<void> {
  const { id } = await sentLine(order)
  const made = await post<{ claim: { id: string } }>("claims", {
    order_id: order.orderId,
    type: "refund",
  })
  const path = `claims/${made.claim.id}`
  await post(`${path}/inbound/items`, {
    items: [{ id, quantity: 1, reason: "production_failure" }],
  })
  await post(`${path}/request`)
}

const moneyBack = async (order: PaidOrder) => {
  const references = (await refundsOf(harness, order)).map(({ reference }) => reference)
  return harness.simulator.book
    .refunds()
    .filter(({ reference, status }) => references.includes(reference) && status !== "FAILED")
    .map(({ amount }) => Number(amount))
}

describe.each([
  ["a return that was received", comesBack],
  ["a claim that was granted", isClaimed],
])("%s", (_, happens) => {
  it("is paid back once, and the order owes nothing", async () => {
    const order = await paidOrder(harness)
    await happens(order)
    const owed = await books(harness, order)
    expect(owed.pending).toBeLessThan(0)
    await expectOk(refund(harness, order, -owed.pending))
    await refundUntil(harness, order, isRecorded, "the refund is recorded")
    expect(await books(harness, order)).toMatchObject({
      paid: order.total,
      refunded: -owed.pending,
      pending: 0,
      creditLines: [],
      rows: [-owed.pending],
      collectionRefunded: -owed.pending,
    })
    expect(await moneyBack(order)).toEqual([Math.round(-owed.pending * 100) / 100])
  })

  it("[H27] is paid back once where the process died halfway, and the order owes nothing", async () => {
    const order = await paidOrder(harness)
    await happens(order)
    const { pending } = await books(harness, order)
    await callModule(harness, "payment", "refundPayment", {
      payment_id: order.paymentId,
      amount: -pending,
      created_by: "user_ada",
    })
    await refundUntil(harness, order, isRecorded, "the refund is recorded")
    expect(await books(harness, order)).toMatchObject({
      refunded: -pending,
      pending: 0,
      creditLines: [],
      rows: [-pending],
    })
    expect(await moneyBack(order)).toHaveLength(1)
  })

  it("[B21] is owed again when its refund fails after it was shown", async () => {
    const order = await paidOrder(harness)
    await happens(order)
    const owed = await books(harness, order)
    harness.simulator.plan({ operationType: "REFUND", outcome: "approve", afterMs: MINUTES_10 })
    await expectOk(refund(harness, order, -owed.pending))
    await refundUntil(harness, order, isRecorded, "the refund is recorded")
    const { reference } = await lastRefund(harness, order)
    harness.simulator.backOffice.settle(reference ?? "", "FAILED")
    await refundUntil(harness, order, isUndone, "Medusa is put right")
    expect(await books(harness, order)).toEqual(owed)
  })
})
