/**
 * An order that is cancelled in Medusa before its money came: what is open is closed, what comes is
 * held.
 */
import { closePaymentsOfOrder } from "../../../src/orders/changed-order"
import { MINUTE, SECOND } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { HOSTED } from "../../support/flows-harness"
import { useOrderFirst, type Placed } from "../../support/order-first"

const { harness, place, orderOf, start, reread, overNow, run, checkAfter, sourceOf } =
  useOrderFirst()

describe("an order that is cancelled in Medusa", () => {
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

  it("[B25] closes it also when Medusa's event was lost", async () => {
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

  it("[B29] is watched while a prompt is out; its money is for a person", async () => {
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

  it("[H24] says aloud that it holds recorded money, and changes nothing", async () => {
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

  it("[H24] while its money is being settled is stranded by the last reading", async () => {
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
    // What Medusa holds of it is cancelled with the order, for the sides.
    for (const payment of harness.of(placed.collectionId).payments) payment.isCanceled = true
  })
})
