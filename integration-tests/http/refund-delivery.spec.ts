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
import { useWorld } from "./support/world"

const MINUTES_10 = 600_000

const world = useWorld({ simulator: { partialRefunds: "UNCAPPED" }, env: WITH_OTHER_CODE })

afterEach(() => {
  world.simulator.clearPlans()
  world.simulator.faults.clear()
})

/** The gateway takes refunds, and does not say for a while how they end. */
const hold = () =>
  world.simulator.plan({ operationType: "REFUND", outcome: "approve", afterMs: MINUTES_10 })

/** It did not go through after all. */
async function failLate(order: PaidOrder): Promise<void> {
  const { reference } = await lastRefund(world, order)
  world.simulator.backOffice.settle(reference ?? "", "FAILED")
}

/** Of an order, by the book, in what the gateway pays: Medusa does not round its total. */
const moneyBack = async (order: PaidOrder) => {
  const references = (await refundsOf(world, order)).map(({ reference }) => reference)
  return world.simulator.book
    .refunds()
    .filter(({ reference, status }) => references.includes(reference) && status !== "FAILED")
    .map(({ amount }) => amount)
}

const rounded = ({ total }: PaidOrder) => (Math.round(total * 100) / 100).toFixed(2)

describe("a refund that fails after Medusa has shown it", () => {
  it("[B21] leaves nothing behind in any of the five places, and can be made again", async () => {
    const order = await paidOrder(world)
    const before = await books(world, order)
    hold()
    expect((await refund(world, order, order.total)).status).toBe(200)
    await refundUntil(world, order, isRecorded, "the refund is recorded")
    expect(await books(world, order)).toMatchObject({
      refunded: order.total,
      collectionRefunded: order.total,
      rows: [order.total],
    })

    await failLate(order)
    await refundUntil(world, order, isUndone, "Medusa is put right")
    expect(await books(world, order)).toEqual(before)
    expect(world.store.output()).toContain("did not go through")

    world.simulator.clearPlans()
    expect((await refund(world, order, order.total)).status).toBe(200)
    await refundUntil(world, order, isRecorded, "the other refund is recorded")
    expect(await moneyBack(order)).toEqual([rounded(order)])
  })

  it("[B21] takes its own part away and leaves those before and after it", async () => {
    const order = await paidOrder(world)
    const control = await paidOrder(world)
    hold()
    for (const amount of [5, 7, 3]) {
      expect((await refund(world, order, amount)).status).toBe(200)
      if (amount !== 7) expect((await refund(world, control, amount)).status).toBe(200)
    }
    const [, second] = await refundsOf(world, order)
    world.simulator.backOffice.settle(second?.reference ?? "", "FAILED")
    await refundUntil(world, order, isRecorded, "the last refund is recorded")
    await refundUntil(world, order, isUndone, "Medusa is put right", 1)
    expect((await books(world, order)).rows).toEqual([5, 3])
    expect(await books(world, order)).toEqual(await books(world, control))
  })

  it("[B21] is taken out of a cancelled order, too", async () => {
    const order = await paidOrder(world)
    hold()
    expect((await cancelOrder(world, order)).status).toBe(200)
    expect(await books(world, order)).toMatchObject({ status: "canceled", refunded: order.total })
    await failLate(order)
    await refundUntil(world, order, isUndone, "Medusa is put right")
    expect(await books(world, order)).toMatchObject({
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
    const order = await paidOrder(world)
    // As if the process had died right after our answer.
    await callModule(world, "payment", "refundPayment", {
      payment_id: order.paymentId,
      amount: order.total,
      created_by: "user_ada",
    })
    expect(await books(world, order)).toMatchObject({ refunded: 0, rows: [order.total] })
    await refundUntil(world, order, isRecorded, "the refund is recorded")
    expect(await books(world, order)).toMatchObject({
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
    const order = await paidOrder(world)
    hold()
    await cancelOrder(world, order)
    await failLate(order)
    await refundUntil(world, order, isUndone, "Medusa is put right")
    world.simulator.clearPlans()
    const again = await refund(world, order, order.total)
    expect(again.body.message).toContain("has been canceled")
    await refundUntil(world, order, isRecorded, "the refund is recorded")
    expect(await books(world, order)).toMatchObject({
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
    const order = await paidOrder(world)
    world.simulator.faults.script("executeRefund", ["422"])
    expect((await cancelOrder(world, order)).status).toBe(200)
    expect(await books(world, order)).toMatchObject({ status: "canceled", refunded: order.total })
    await refundUntil(world, order, isUndone, "Medusa is put right")
    expect(await books(world, order)).toMatchObject({
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
    world.simulator.faults.script("executeRefund", ["reset:after"])
    world.simulator.faults.script(
      "getRefundStatus",
      Array.from({ length: 40 }, () => "500"),
    )
  }

  it("[B20] is shown as soon as it is known, once, though the admin clicks again just then", async () => {
    const order = await paidOrder(world)
    const before = await books(world, order)
    loseIt()
    const first = await refund(world, order, order.total)
    expect([first.status, first.body.message]).toEqual([
      400,
      expect.stringContaining("refund_in_progress"),
    ])
    expect(await books(world, order)).toEqual(before)
    world.simulator.faults.clear()
    const [again] = await Promise.all([
      refund(world, order, order.total),
      refundUntil(world, order, isRecorded, "the refund is recorded"),
    ])
    expect([200, 400]).toContain(again.status)
    expect(await books(world, order)).toMatchObject({
      refunded: order.total,
      pending: 0,
      rows: [order.total],
      transactions: [order.total, -order.total],
      collectionRefunded: order.total,
    })
    expect(await refundsOf(world, order)).toHaveLength(1)
    expect(await moneyBack(order)).toEqual([rounded(order)])
  })

  it("[H24] that cancelling has swallowed gets its row when it lands, and no second transaction", async () => {
    const order = await paidOrder(world)
    loseIt()
    expect((await cancelOrder(world, order)).status).toBe(200)
    expect(await books(world, order)).toMatchObject({
      status: "canceled",
      rows: [],
      transactions: [order.total, -order.total],
    })
    world.simulator.faults.clear()
    await refundUntil(world, order, isRecorded, "the refund is recorded")
    expect(await books(world, order)).toMatchObject({
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
