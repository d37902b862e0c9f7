/**
 * An order that is canceled in Medusa before its money came: what is open is closed, and money that
 * still comes goes to review.
 */
import { closePaymentsOfOrder } from "../../../src/orders/changed-order"
import { MINUTE, SECOND } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { HOSTED } from "../../support/flows-harness"
import { useOrderFirst, type Placed } from "../../support/order-first"

const { harness, place, orderOf, start, reread, overNow, run, checkAfter, sourceOf } =
  useOrderFirst()

describe("an order that is canceled in Medusa", () => {
  const cancel = async (placed: Placed) => {
    orderOf(placed).isCanceled = true
    await closePaymentsOfOrder(harness.deps, orderOf(placed).id)
  }

  it("[B25] closes its open payment page at the next run of the job", async () => {
    const placed = await place(HOSTED)
    await start(placed.sessionId)
    const operation = await harness.shown(placed.collectionId)
    await cancel(placed)
    await run()
    expect(sourceOf(operation)).toBe("CANCELED")
    expect(await reread(operation)).toMatchObject({ state: "expired", reason: "canceled" })
    expect(await codeOf(start(placed.sessionId))).toBe("order_closed")
  })

  it("[B25] closes its open payment page even when Medusa's event was lost", async () => {
    const placed = await place(HOSTED)
    await start(placed.sessionId)
    const operation = await harness.shown(placed.collectionId)
    orderOf(placed).isCanceled = true
    expect(await checkAfter(operation, MINUTE)).toMatchObject({
      state: "expired",
      reason: "canceled",
    })
    expect(sourceOf(operation)).toBe("CANCELED")
  })

  it("[B25] ends an idle draft", async () => {
    const placed = await place()
    await cancel(placed)
    await run()
    expect(await harness.shown(placed.collectionId)).toMatchObject({
      state: "expired",
      reason: "canceled",
    })
  })

  it("[B29] keeps its prompt watched, and money that comes by it goes to review", async () => {
    const placed = await place()
    await start(placed.sessionId)
    const operation = await harness.shown(placed.collectionId)
    await cancel(placed)
    await run()
    expect(await reread(operation)).toMatchObject({ state: "in_flight" })
    harness.simulator.handset.approve(operation.reference ?? "")
    expect(await checkAfter(operation, MINUTE)).toMatchObject({
      state: "review",
      reason: "order_canceled",
    })
    expect(harness.of(placed.collectionId).payments).toEqual([])
    await overNow(placed)
    await run()
    expect(await reread(operation)).toMatchObject({ state: "review" })
  })

  it("[B25] sends no prompt a second time", async () => {
    const placed = await place()
    harness.simulator.faults.script("executeCollection", ["reset:before"])
    await start(placed.sessionId)
    const operation = await harness.shown(placed.collectionId)
    await cancel(placed)
    await checkAfter(operation, 2 * MINUTE)
    await checkAfter(operation, 2 * MINUTE)
    expect(harness.simulator.book.execution(operation.reference ?? "")).toBeUndefined()
    expect(await checkAfter(operation, 15 * MINUTE)).toMatchObject({ state: "expired" })
  })

  it("[H24] keeps its recorded money as it is, and the log names the payment", async () => {
    const placed = await place()
    await start(placed.sessionId)
    const operation = await harness.shown(placed.collectionId)
    harness.simulator.handset.approve(operation.reference ?? "")
    await checkAfter(operation, 3 * SECOND)
    const before = await reread(operation)
    expect(before.recordedAt).not.toBeNull()
    await closePaymentsOfOrder(harness.deps, orderOf(placed).id)
    expect(await reread(operation)).toMatchObject({ state: "completed" })
    expect(harness.logged.join("\n")).toContain(`${operation.id} holds its money`)
  })

  it("[H24] sends its money to review when it is canceled while that is being settled", async () => {
    const placed = await place()
    await start(placed.sessionId)
    const operation = await harness.shown(placed.collectionId)
    harness.simulator.handset.approve(operation.reference ?? "")
    harness.before("captureOnOrder", async () => {
      orderOf(placed).isCanceled = true
    })
    expect(await checkAfter(operation, 3 * SECOND)).toMatchObject({
      state: "review",
      reason: "order_canceled",
    })
    // Medusa cancels its payment with the order; the oracle compares the two.
    for (const payment of harness.of(placed.collectionId).payments) payment.isCanceled = true
  })
})
