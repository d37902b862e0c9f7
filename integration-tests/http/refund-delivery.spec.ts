/**
 * Medusa shows what the gateway did: refunds whose outcome was unknown, that Medusa has half
 * written, or that failed after Medusa showed them. Medusa already owes what comes back by a return
 * or a claim: its refund makes no credit line, and a removed refund is owed again.
 */
import { callModule, WITH_OTHER_CODE } from "./support/other-code"
import {
  books,
  cancelOrder,
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

afterEach(() => {
  harness.simulator.clearPlans()
  harness.simulator.faults.clear()
})

/** The gateway takes refunds, and does not say for a while how they end. */
const hold = () =>
  harness.simulator.plan({ operationType: "REFUND", outcome: "approve", afterMs: MINUTES_10 })

/** The refund that Medusa shows fails. */
async function failLate(order: PaidOrder): Promise<void> {
  const { reference } = await lastRefund(harness, order)
  harness.simulator.backOffice.settle(reference ?? "", "FAILED")
}

/** Refunds of an order in the book, as the gateway pays them: Medusa does not round its total. */
const moneyBack = async (order: PaidOrder) => {
  const references = (await refundsOf(harness, order)).map(({ reference }) => reference)
  return harness.simulator.book
    .refunds()
    .filter(({ reference, status }) => references.includes(reference) && status !== "FAILED")
    .map(({ amount }) => amount)
}

const rounded = (amount: number) => (Math.round(amount * 100) / 100).toFixed(2)

describe("a refund that fails after Medusa has shown it", () => {
  it("[B21] leaves nothing behind in Medusa's five places, and can be made again", async () => {
    const order = await paidOrder(harness)
    const before = await books(harness, order)
    hold()
    expect((await refund(harness, order, order.total)).status).toBe(200)
    await refundUntil(harness, order, isRecorded, "the refund is recorded")
    expect(await books(harness, order)).toMatchObject({
      refunded: order.total,
      collectionRefunded: order.total,
      rows: [order.total],
    })

    await failLate(order)
    await refundUntil(harness, order, isUndone, "Medusa is put right")
    expect(await books(harness, order)).toEqual(before)
    expect(harness.store.output()).toContain("did not go through")

    harness.simulator.clearPlans()
    expect((await refund(harness, order, order.total)).status).toBe(200)
    await refundUntil(harness, order, isRecorded, "the other refund is recorded")
    expect(await moneyBack(order)).toEqual([rounded(order.total)])
  })

  it("[B21] takes only its part out, and leaves the refunds before and after it", async () => {
    const order = await paidOrder(harness)
    const control = await paidOrder(harness)
    hold()
    for (const amount of [5, 7, 3]) {
      expect((await refund(harness, order, amount)).status).toBe(200)
      if (amount !== 7) expect((await refund(harness, control, amount)).status).toBe(200)
    }
    const [, second] = await refundsOf(harness, order)
    harness.simulator.backOffice.settle(second?.reference ?? "", "FAILED")
    await refundUntil(harness, order, isRecorded, "the last refund is recorded")
    await refundUntil(harness, order, isUndone, "Medusa is put right", { which: 1 })
    expect((await books(harness, order)).rows).toEqual([5, 3])
    expect(await books(harness, order)).toEqual(await books(harness, control))
  })

  it("[B21] is taken out of a cancelled order as well", async () => {
    const order = await paidOrder(harness)
    hold()
    expect((await cancelOrder(harness, order)).status).toBe(200)
    expect(await books(harness, order)).toMatchObject({ status: "canceled", refunded: order.total })
    await failLate(order)
    await refundUntil(harness, order, isUndone, "Medusa is put right")
    expect(await books(harness, order)).toMatchObject({
      status: "canceled",
      paid: order.total,
      refunded: 0,
      transactions: [order.total],
      creditLines: [],
      pending: 0,
      collection: "canceled",
      collectionRefunded: 0,
      rows: [],
    })
  })
})

describe("a refund that Medusa has half written", () => {
  it("[H27] gets its missing transaction, and nothing is sent again", async () => {
    const order = await paidOrder(harness)
    // As if the process had died right after the provider's answer.
    await callModule(harness, "payment", "refundPayment", {
      payment_id: order.paymentId,
      amount: order.total,
      created_by: "user_ada",
    })
    expect(await books(harness, order)).toMatchObject({ refunded: 0, rows: [order.total] })
    await refundUntil(harness, order, isRecorded, "the refund is recorded")
    expect(await books(harness, order)).toMatchObject({
      paid: order.total,
      refunded: order.total,
      pending: 0,
      transactions: [order.total, -order.total],
      creditLines: [order.total],
      collectionRefunded: order.total,
      rows: [order.total],
    })
    expect(await moneyBack(order)).toEqual([rounded(order.total)])
  })

  it("[H24] is completed for a cancelled order in spite of Medusa's error", async () => {
    const order = await paidOrder(harness)
    hold()
    await cancelOrder(harness, order)
    await failLate(order)
    await refundUntil(harness, order, isUndone, "Medusa is put right")
    harness.simulator.clearPlans()
    const again = await refund(harness, order, order.total)
    expect(again.body.message).toContain("has been canceled")
    await refundUntil(harness, order, isRecorded, "the refund is recorded")
    expect(await books(harness, order)).toMatchObject({
      status: "canceled",
      paid: order.total,
      refunded: order.total,
      transactionTotal: 0,
      pending: 0,
      creditLines: [order.total],
      collection: "canceled",
      collectionRefunded: order.total,
      rows: [order.total],
    })
    expect(await moneyBack(order)).toEqual([rounded(order.total)])
  })

  it("[H24] is taken out of the order when it was refused and cancelling ignored that", async () => {
    const order = await paidOrder(harness)
    harness.simulator.faults.script("executeRefund", ["422"])
    expect((await cancelOrder(harness, order)).status).toBe(200)
    expect(await books(harness, order)).toMatchObject({ status: "canceled", refunded: order.total })
    await refundUntil(harness, order, isUndone, "Medusa is put right")
    expect(await books(harness, order)).toMatchObject({
      status: "canceled",
      refunded: 0,
      pending: 0,
      rows: [],
      collectionRefunded: 0,
    })
    expect(await moneyBack(order)).toEqual([])
  })
})

describe("a refund whose outcome is unknown", () => {
  /** The execution goes through, and its outcome stays unknown for longer than Medusa waits. */
  const loseIt = () => {
    harness.simulator.faults.script("executeRefund", ["reset:after"])
    harness.simulator.faults.script(
      "getRefundStatus",
      Array.from({ length: 40 }, () => "500"),
    )
  }

  it("[B20] is shown once, as soon as it is known, even if the admin clicks again at that moment", async () => {
    const order = await paidOrder(harness)
    const before = await books(harness, order)
    loseIt()
    const first = await refund(harness, order, order.total)
    expect([first.status, first.body.message]).toEqual([
      400,
      expect.stringContaining("refund_in_progress"),
    ])
    expect(await books(harness, order)).toEqual(before)
    harness.simulator.faults.clear()
    let isAnswered = false
    const click = refund(harness, order, order.total).finally(() => (isAnswered = true))
    // No time passes while Medusa writes: the job would take its process for dead.
    await refundUntil(harness, order, () => isAnswered, "the click is answered", { stepMs: 0 })
    expect([200, 400]).toContain((await click).status)
    await refundUntil(harness, order, isRecorded, "the refund is recorded")
    expect(await books(harness, order)).toMatchObject({
      refunded: order.total,
      pending: 0,
      rows: [order.total],
      transactions: [order.total, -order.total],
      collectionRefunded: order.total,
    })
    expect(await refundsOf(harness, order)).toHaveLength(1)
    expect(await moneyBack(order)).toEqual([rounded(order.total)])
  })

  it("[H24] gets its row when it lands after a cancellation, and no second transaction", async () => {
    const order = await paidOrder(harness)
    loseIt()
    expect((await cancelOrder(harness, order)).status).toBe(200)
    expect(await books(harness, order)).toMatchObject({
      status: "canceled",
      rows: [],
      transactions: [order.total, -order.total],
    })
    harness.simulator.faults.clear()
    await refundUntil(harness, order, isRecorded, "the refund is recorded")
    expect(await books(harness, order)).toMatchObject({
      status: "canceled",
      refunded: order.total,
      pending: 0,
      rows: [order.total],
      transactions: [order.total, -order.total],
      collection: "canceled",
      collectionRefunded: order.total,
    })
    expect(await moneyBack(order)).toEqual([rounded(order.total)])
  })
})

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

describe("a return that was received", () => {
  it("is refunded once, and the order owes nothing", async () => {
    const order = await paidOrder(harness)
    await comesBack(order)
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
    expect(await moneyBack(order)).toEqual([rounded(-owed.pending)])
  })

  it("[H27] is refunded once where the process died halfway, and the order owes nothing", async () => {
    const order = await paidOrder(harness)
    await comesBack(order)
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
})

describe.each([
  ["a return that was received", comesBack],
  ["a claim that was granted", isClaimed],
])("%s", (_, happens) => {
  it("[B21] is owed again when its refund fails after Medusa showed it", async () => {
    const order = await paidOrder(harness)
    await happens(order)
    const owed = await books(harness, order)
    hold()
    await expectOk(refund(harness, order, -owed.pending))
    await refundUntil(harness, order, isRecorded, "the refund is recorded")
    expect(await books(harness, order)).toMatchObject({
      pending: 0,
      creditLines: [],
      rows: [-owed.pending],
    })
    await failLate(order)
    await refundUntil(harness, order, isUndone, "Medusa is put right")
    expect(await books(harness, order)).toEqual(owed)
  })
})
