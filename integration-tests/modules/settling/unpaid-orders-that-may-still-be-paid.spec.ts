/**
 * When its time to pay ends, an order isn't canceled while it may still be paid: while money moves,
 * while the outcome is unknown, or while an admin reviews its money.
 */
import { DAY, HOUR, MINUTE, SECOND } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { HOSTED, PHONE } from "../../support/flows-harness"
import { useOrderFirst } from "../../support/order-first"

const { harness, place, orderOf, start, reread, overNow, run, checkAfter, declined, sourceOf } =
  useOrderFirst()

describe("an order that is not paid in time", () => {
  it("[B15] waits for money that moves in another of its payment collections", async () => {
    const placed = await place()
    await declined(placed)
    const beside = harness.cart()
    harness.of(beside.collectionId).order = orderOf(placed)
    await start(beside.sessionId)
    const moving = await harness.shown(beside.collectionId)
    await overNow(placed)
    await run()
    expect(orderOf(placed).isCanceled).toBe(false)
    harness.simulator.handset.decline(moving.reference ?? "")
    await checkAfter(moving, MINUTE)
    expect(await checkAfter(moving, 6 * SECOND)).toMatchObject({ state: "failed" })
    expect(orderOf(placed).isCanceled).toBe(true)
    expect(sourceOf(moving)).toBe("CANCELED")
  })

  it("gives its time limit to no later payment once a second attempt has paid it", async () => {
    const placed = await place()
    const first = await declined(placed)
    await start(placed.sessionId)
    const second = await harness.shown(placed.collectionId)
    harness.simulator.handset.approve(second.reference ?? "")
    await checkAfter(second, 3 * SECOND)
    expect((await reread(second)).recordedAt).not.toBeNull()
    const beside = harness.cart(HOSTED)
    harness.of(beside.collectionId).order = orderOf(placed)
    orderOf(placed).difference = "19.99"
    await start(beside.sessionId)
    await harness.ledger.sql("update mp_operation set window_ends_at = now() where id = $1", [
      first.id,
    ])
    await checkAfter(first, 0)
    expect((await reread(first)).windowDoneAt).not.toBeNull()
    expect(await harness.shown(beside.collectionId)).toMatchObject({
      state: "submitted",
      windowEndsAt: null,
    })
  })

  it("isn't canceled because the gateway doesn't find its payment for a moment", async () => {
    const placed = await place()
    harness.simulator.plan({ outcome: "decline_then_approve", times: 1 })
    await start(placed.sessionId)
    const operation = await harness.shown(placed.collectionId)
    await checkAfter(operation, SECOND)
    await checkAfter(operation, 6 * SECOND)
    harness.later(MINUTE)
    harness.simulator.faults.script("cancelOrder", ["404"])
    harness.simulator.faults.script("getPaymentSourceStatus", ["404"])
    harness.simulator.faults.script("getCollectionStatus", ["404"])
    await overNow(placed)
    await run()
    expect(orderOf(placed).isCanceled).toBe(false)
    await checkAfter(operation, 0)
    expect(orderOf(placed).isCanceled).toBe(false)
    expect(await checkAfter(operation, 0)).toMatchObject({
      state: "review",
      reason: "late_payment",
    })
    expect(orderOf(placed).isCanceled).toBe(false)
  })

  it("waits for a prompt that is out, and is paid when it is approved", async () => {
    const placed = await place()
    await start(placed.sessionId)
    const operation = await harness.shown(placed.collectionId)
    await overNow(placed)
    await run()
    expect(orderOf(placed).isCanceled).toBe(false)
    expect(sourceOf(operation)).toBe("PROCESSING")
    expect(await codeOf(start(placed.sessionId))).toBe("order_closed")
    harness.simulator.handset.approve(operation.reference ?? "")
    expect(await checkAfter(operation, MINUTE)).toMatchObject({ state: "completed" })
    expect((await reread(operation)).recordedAt).not.toBeNull()
    expect(orderOf(placed).isCanceled).toBe(false)
  })

  it("waits for a prompt that is out, and is canceled when it is declined", async () => {
    const placed = await place()
    await start(placed.sessionId)
    const operation = await harness.shown(placed.collectionId)
    await overNow(placed)
    await run()
    harness.simulator.handset.decline(operation.reference ?? "")
    await checkAfter(operation, MINUTE)
    expect(orderOf(placed).isCanceled).toBe(false)
    expect(await checkAfter(operation, 6 * SECOND)).toMatchObject({ state: "failed" })
    expect(sourceOf(operation)).toBe("CANCELED")
    expect(orderOf(placed).isCanceled).toBe(true)
  })

  it("waits for a page on which a payer is paying, and is paid", async () => {
    const placed = await place(HOSTED)
    await start(placed.sessionId)
    const operation = await harness.shown(placed.collectionId)
    harness.simulator.plan({ outcome: "handset", times: 1 })
    const { reference } = harness.simulator.hosted.pay(operation.sourceId ?? 0, {
      method: "mobile_money",
      phone: PHONE,
    })
    await overNow(placed)
    await run()
    expect(orderOf(placed).isCanceled).toBe(false)
    expect(await reread(operation)).toMatchObject({ state: "in_flight" })
    harness.simulator.handset.approve(reference)
    await checkAfter(operation, MINUTE)
    expect((await reread(operation)).recordedAt).not.toBeNull()
    expect(orderOf(placed).isCanceled).toBe(false)
  })

  it("waits for the admin who reviews its money", async () => {
    const placed = await place()
    await start(placed.sessionId)
    const operation = await harness.shown(placed.collectionId)
    harness.simulator.handset.approve(operation.reference ?? "")
    harness.of(placed.collectionId).total = "24.99"
    expect(await checkAfter(operation, 3 * SECOND)).toMatchObject({
      state: "review",
      reason: "cart_changed",
    })
    await overNow(placed)
    await run()
    expect(orderOf(placed).isCanceled).toBe(false)
  })

  it("isn't canceled when it was paid another way", async () => {
    const placed = await place()
    const ended = await declined(placed)
    orderOf(placed).isPaidOtherwise = true
    await overNow(placed)
    await run()
    expect(orderOf(placed).isCanceled).toBe(false)
    expect((await reread(ended)).windowDoneAt).not.toBeNull()
    expect(sourceOf(ended)).toBe("CANCELED")
  })

  it("is canceled only once the gateway answers again", async () => {
    const placed = await place()
    const ended = await declined(placed)
    harness.simulator.faults.script("cancelOrder", ["503", "503"])
    harness.simulator.faults.script("getPaymentSourceStatus", ["503", "503", "503"])
    await overNow(placed)
    await run()
    expect(orderOf(placed).isCanceled).toBe(false)
    expect(await reread(ended)).toMatchObject({ windowDoneAt: null, leaseToken: null })
    harness.simulator.faults.clear()
    await checkAfter(ended, 0)
    expect(orderOf(placed).isCanceled).toBe(true)
  })

  it("[I7] is checked less and less often while it can't be closed, and at least once an hour", async () => {
    const placed = await place()
    const ended = await declined(placed)
    await overNow(placed)
    const pauses: number[] = []
    for (const overMs of [0, 2 * HOUR, 3 * DAY]) {
      harness.simulator.faults.script("getPaymentSourceStatus", ["503", "503", "503"])
      await harness.ledger.sql(
        `update mp_operation set window_ends_at = now() - $2::float8 * interval '1 ms' where id = $1`,
        [ended.id, overMs],
      )
      await checkAfter(ended, 0)
      harness.simulator.faults.clear()
      const [row] = await harness.ledger.sql(
        `select round(extract(epoch from next_check_at - now()) / 60)::int as left
           from mp_operation where id = $1`,
        [ended.id],
      )
      pauses.push(Number(row?.["left"]))
    }
    expect(pauses).toEqual([1, 12, 60])
    await checkAfter(ended, 0)
    expect(orderOf(placed).isCanceled).toBe(true)
  })
})
