/**
 * What the gateway did is what Medusa shows: refunds that nobody could tell of at first, that
 * Medusa has written by half, or that failed after it had shown them.
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

/** It did not go through after all. */
async function failLate(order: PaidOrder): Promise<void> {
  const { reference } = await lastRefund(harness, order)
  harness.simulator.backOffice.settle(reference ?? "", "FAILED")
}

/** Of an order, by the book, in what the gateway pays: Medusa does not round its total. */
const moneyBack = async (order: PaidOrder) => {
  const references = (await refundsOf(harness, order)).map(({ reference }) => reference)
  return harness.simulator.book
    .refunds()
    .filter(({ reference, status }) => references.includes(reference) && status !== "FAILED")
    .map(({ amount }) => amount)
}

const rounded = ({ total }: PaidOrder) => (Math.round(total * 100) / 100).toFixed(2)

describe("a refund that fails after Medusa has shown it", () => {
  it("[B21] leaves nothing behind in any of the five places, and can be made again", async () => {
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
    expect(await moneyBack(order)).toEqual([rounded(order)])
  })

  it("[B21] takes its own part away and leaves those before and after it", async () => {
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
    await refundUntil(harness, order, isUndone, "Medusa is put right", 1)
    expect((await books(harness, order)).rows).toEqual([5, 3])
    expect(await books(harness, order)).toEqual(await books(harness, control))
  })

  it("[B21] is taken out of a cancelled order, too", async () => {
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

describe("a refund that Medusa has written by half", () => {
  it("[H27] a row without its transaction is written again, and nothing is sent", async () => {
    const order = await paidOrder(harness)
    // As if the process had died right after our answer.
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
    expect(await moneyBack(order)).toEqual([rounded(order)])
  })

  it("[H24] the refund of an order that is cancelled already is completed beside the error", async () => {
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
    expect(await moneyBack(order)).toEqual([rounded(order)])
  })

  it("[H24] a refusal that cancelling has swallowed is taken out of the order again", async () => {
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

describe("a refund of which nothing is known", () => {
  /** The execution goes through, and nobody hears of it for longer than Medusa waits. */
  const loseIt = () => {
    harness.simulator.faults.script("executeRefund", ["reset:after"])
    harness.simulator.faults.script(
      "getRefundStatus",
      Array.from({ length: 40 }, () => "500"),
    )
  }

  it("[B20] is shown as soon as it is known, once, though the admin clicks again just then", async () => {
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
    const [again] = await Promise.all([
      refund(harness, order, order.total),
      refundUntil(harness, order, isRecorded, "the refund is recorded"),
    ])
    expect([200, 400]).toContain(again.status)
    expect(await books(harness, order)).toMatchObject({
      refunded: order.total,
      pending: 0,
      rows: [order.total],
      transactions: [order.total, -order.total],
      collectionRefunded: order.total,
    })
    expect(await refundsOf(harness, order)).toHaveLength(1)
    expect(await moneyBack(order)).toEqual([rounded(order)])
  })

  it("[H24] that cancelling has swallowed gets its row when it lands, and no second transaction", async () => {
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
    expect(await moneyBack(order)).toEqual([rounded(order)])
  })
})
