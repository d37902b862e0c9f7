/**
 * When its time to pay ends, an unpaid order is canceled once, and everything that its attempts left
 * open is closed.
 */
import { endBehind, findBehind, noticeBehind } from "../../../src/ledger/database-mark"
import { checkNow } from "../../../src/worker/check-due-operations"
import type { FlowDeps } from "../../../src/engine/deps"
import { readStatus } from "../../../src/checkout/read-status"
import { SECOND } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { HOSTED } from "../../support/flows-harness"
import { useOrderFirst } from "../../support/order-first"

const {
  harness,
  place,
  orderOf,
  start,
  all,
  reread,
  overNow,
  run,
  checkAfter,
  declined,
  sourceOf,
} = useOrderFirst()

/** Flows at a Medusa that does something before it cancels an order. */
function aroundCancel(act: () => Promise<void>): FlowDeps {
  const { medusa } = harness.deps
  const cancelOrder: typeof medusa.cancelOrder = async (id) => {
    await act()
    await medusa.cancelOrder(id)
  }
  return { ...harness.deps, medusa: { ...medusa, cancelOrder } }
}

describe("an order that is not paid in time", () => {
  it("is canceled when no payment was started", async () => {
    const placed = await place()
    await overNow(placed)
    await run()
    expect(orderOf(placed).isCanceled).toBe(true)
    expect(await harness.shown(placed.collectionId)).toMatchObject({
      state: "expired",
      reason: "window_closed",
      nextCheckAt: null,
    })
    const { status } = await readStatus(harness.deps, { sessionId: placed.sessionId })
    expect(status).toMatchObject({ state: "expired", reason: "window_closed", can_retry: false })
    expect(await codeOf(start(placed.sessionId))).toBe("order_closed")
  })

  it("is canceled after a payment failed, once the source of that reads CANCELED", async () => {
    const placed = await place()
    const ended = await declined(placed)
    expect(sourceOf(ended)).toBe("ACTIVE")
    await overNow(placed)
    await run()
    expect(sourceOf(ended)).toBe("CANCELED")
    expect(orderOf(placed).isCanceled).toBe(true)
    const after = await reread(ended)
    expect(after).toMatchObject({ state: "failed", sourceStatus: "CANCELED", leaseToken: null })
    expect(after.nextCheckAt).not.toBeNull()
    expect(await codeOf(start(placed.sessionId))).toBe("order_closed")
  })

  it("is canceled after its open payment page is closed at the gateway", async () => {
    const placed = await place(HOSTED)
    await start(placed.sessionId)
    const operation = await harness.shown(placed.collectionId)
    await overNow(placed)
    await run()
    expect(sourceOf(operation)).toBe("CANCELED")
    expect(await reread(operation)).toMatchObject({ state: "expired", reason: "window_closed" })
    expect(orderOf(placed).isCanceled).toBe(true)
  })

  it("is not canceled where the database lost commits while the gateway was asked, until that time is compared", async () => {
    const placed = await place()
    await declined(placed)
    await overNow(placed)
    const { database } = harness.deps
    harness.before("order", () => noticeBehind(database, "person"))
    await run()
    expect(orderOf(placed).isCanceled).toBe(false)
    const behind = await findBehind(database)
    if (!behind) throw new Error("nothing was noticed")
    await endBehind(database, behind)
    await overNow(placed)
    await run()
    expect(orderOf(placed).isCanceled).toBe(true)
  })

  it("is canceled once, however many workers check it", async () => {
    const placed = await place()
    await declined(placed)
    let cancels = 0
    const counting = aroundCancel(async () => void (cancels += 1))
    await overNow(placed)
    await Promise.all([run(counting), run(counting), run(counting)])
    expect(cancels).toBe(1)
    expect(orderOf(placed).isCanceled).toBe(true)
  })

  it("[P10] is canceled once, even if several of its payments have ended", async () => {
    const placed = await place()
    const first = await declined(placed)
    const second = await declined(placed)
    expect(second.id).not.toBe(first.id)
    let cancels = 0
    // The order reads canceled only when Medusa is done.
    const counting = aroundCancel(async () => {
      cancels += 1
      if (cancels === 1) await Promise.all([run(counting), checkNow(counting, first.id)])
    })
    await overNow(placed)
    await checkNow(counting, second.id)
    expect(cancels).toBe(1)
    expect(orderOf(placed).isCanceled).toBe(true)
    await harness.pass(first.id, 0)
    await run(counting)
    expect(cancels).toBe(1)
    expect((await reread(first)).windowDoneAt).not.toBeNull()
    expect((await reread(second)).windowDoneAt).not.toBeNull()
  })

  it("is canceled at the next check when Medusa refuses once", async () => {
    const placed = await place()
    const ended = await declined(placed)
    await overNow(placed)
    harness.before("cancelOrder", () => Promise.reject(new Error("no")))
    await run()
    expect(await reread(ended)).toMatchObject({ settleAttempts: 1, windowDoneAt: null })
    await checkAfter(ended, SECOND)
    expect(orderOf(placed).isCanceled).toBe(true)
  })

  it("is left to an admin when Medusa refuses for good", async () => {
    const placed = await place()
    const ended = await declined(placed)
    await overNow(placed)
    await harness.ledger.sql("update mp_operation set settle_attempts = 7 where id = $1", [
      ended.id,
    ])
    harness.before("cancelOrder", () => Promise.reject(new Error("no")))
    await checkAfter(ended, 0)
    expect(orderOf(placed).isCanceled).toBe(false)
    expect((await reread(ended)).windowDoneAt).not.toBeNull()
    expect(harness.logged.join("\n")).toContain("an admin has to look at it")
  })

  it("has every page and source closed that its attempts left open", async () => {
    const placed = await place()
    const first = await declined(placed)
    const page = harness.session(placed.collectionId, HOSTED)
    await start(page)
    const [second] = await all(placed)
    await overNow(placed)
    await run()
    await run()
    expect([sourceOf(first), second && sourceOf(second)]).toEqual(["CANCELED", "CANCELED"])
    expect(orderOf(placed).isCanceled).toBe(true)
  })
})
