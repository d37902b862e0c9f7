/**
 * Orders that are placed before their money: the time to pay begins when the order is placed, is
 * the same for every try, and is checked to its end. The flows over a real ledger and the
 * simulator; time is the database's.
 */
import type { FlowDeps } from "../../../src/engine/deps"
import { DAY, MINUTE, SECOND } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { HOSTED, PHONE } from "../../support/flows-harness"
import { useOrderFirst } from "../../support/order-first"

const {
  harness,
  place,
  complete,
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

describe("the time to pay an order", () => {
  it("begins when the order is placed, by the database's clock", async () => {
    const placed = await place()
    const operation = await harness.shown(placed.collectionId)
    expect(operation).toMatchObject({ state: "drafted", orderId: orderOf(placed).id })
    const windowMs = (operation.windowEndsAt?.getTime() ?? 0) - operation.createdAt.getTime()
    expect(Math.abs(windowMs - 30 * MINUTE)).toBeLessThan(SECOND)
    expect(operation.nextCheckAt).toEqual(operation.windowEndsAt)
  })

  it("is an hour for the payment page", async () => {
    const { windowEndsAt, createdAt } = await harness.shown((await place(HOSTED)).collectionId)
    const windowMs = (windowEndsAt?.getTime() ?? 0) - createdAt.getTime()
    expect(Math.abs(windowMs - 60 * MINUTE)).toBeLessThan(SECOND)
  })

  it("begins then also for a payment that is under way, and is never moved", async () => {
    const cart = harness.cart()
    await start(cart.sessionId)
    const before = await harness.shown(cart.collectionId)
    expect(before.windowEndsAt).toBeNull()
    await harness.pass(before.id, MINUTE)
    await complete(cart)
    const placed = await harness.shown(cart.collectionId)
    expect(placed).toMatchObject({ id: before.id, orderId: orderOf(cart).id })
    expect(placed.windowEndsAt).not.toBeNull()
    harness.session(cart.collectionId)
    await harness.deps.medusa.completeCart(`cart_${cart.collectionId}`)
    expect((await harness.shown(cart.collectionId)).windowEndsAt).toEqual(placed.windowEndsAt)
  })

  it("is the same for each new try, whatever way it takes", async () => {
    const placed = await place()
    const first = await declined(placed)
    const page = harness.session(placed.collectionId, HOSTED)
    await start(page)
    const [second] = await all(placed)
    expect(second?.id).not.toBe(first.id)
    expect(second?.windowEndsAt).toEqual(first.windowEndsAt)
    expect(second?.expiresAt).toEqual(first.windowEndsAt)
  })

  it("begins anew with the order that is placed after one was undone", async () => {
    const placed = await place()
    const first = await harness.shown(placed.collectionId)
    harness.of(placed.collectionId).order = null
    await complete(placed)
    const second = await harness.shown(placed.collectionId)
    expect(second.id).toBe(first.id)
    expect(second.orderId).toBe(orderOf(placed).id)
    expect(second.orderId).not.toBe(first.orderId)
    expect(second.windowEndsAt?.getTime()).toBeGreaterThan(first.windowEndsAt?.getTime() ?? 0)
  })

  it("is forgotten with an order that was undone for good", async () => {
    const placed = await place()
    harness.of(placed.collectionId).order = null
    await overNow(placed)
    await run()
    expect(await harness.shown(placed.collectionId)).toMatchObject({
      state: "expired",
      windowEndsAt: null,
    })
    expect(await start(placed.sessionId)).toMatchObject({ state: "waiting_for_payer" })
  })

  it("makes a payment that has ended due when it is over, however long it is watched", async () => {
    const placed = await place()
    const ended = await declined(placed)
    await harness.ledger.sql("update mp_operation set checks = 4 where id = $1", [ended.id])
    const watched = await checkAfter(ended, SECOND)
    expect(watched.nextCheckAt).not.toBeNull()
    expect(watched.nextCheckAt?.getTime()).toBeLessThanOrEqual(watched.windowEndsAt?.getTime() ?? 0)
  })
})

describe("money that comes at the end of the time", () => {
  it("[B06] after the last check is late money, and the order stays cancelled", async () => {
    const placed = await place()
    harness.simulator.plan({ outcome: "decline_then_approve", times: 1 })
    await start(placed.sessionId)
    const operation = await harness.shown(placed.collectionId)
    await checkAfter(operation, SECOND)
    expect(await checkAfter(operation, 6 * SECOND)).toMatchObject({ state: "failed" })
    await overNow(placed)
    await run()
    expect(orderOf(placed).isCanceled).toBe(true)
    harness.later(MINUTE)
    const late = await checkAfter(operation, 2 * MINUTE)
    expect(late.state).toBe("review")
    expect(harness.of(placed.collectionId).payments).toEqual([])
    expect(await codeOf(start(placed.sessionId))).toBe("under_review")
  })

  it("[B06] that the last check finds keeps the order", async () => {
    const placed = await place()
    harness.simulator.plan({ outcome: "decline_then_approve", times: 1 })
    await start(placed.sessionId)
    const operation = await harness.shown(placed.collectionId)
    await checkAfter(operation, SECOND)
    await checkAfter(operation, 6 * SECOND)
    harness.later(MINUTE)
    await overNow(placed)
    await run()
    expect(orderOf(placed).isCanceled).toBe(false)
    expect(await reread(operation)).toMatchObject({ state: "review", reason: "late_payment" })
  })

  it("[B05] paid by hand on the source of a failed payment is held, and the order is kept", async () => {
    const placed = await place()
    const ended = await declined(placed)
    harness.simulator.plan({ outcome: "approve", times: 1 })
    harness.simulator.hosted.pay(ended.sourceId ?? 0, { method: "mobile_money", phone: PHONE })
    await overNow(placed)
    await run()
    expect(orderOf(placed).isCanceled).toBe(false)
    expect(await reread(ended)).toMatchObject({ state: "review", reason: "late_payment" })
  })

  it("[I1] nothing is sent for an order whose time ended while `start` was at work", async () => {
    const placed = await place()
    const { checkouts, ...rest } = harness.gateway
    const slow: FlowDeps = {
      ...harness.deps,
      gatewayOf: () => ({
        ...rest,
        token: harness.gateway.token,
        checkouts: {
          async create(request, how) {
            const made = await checkouts.create(request, how)
            await overNow(placed)
            return made
          },
        },
      }),
    }
    expect(await codeOf(start(placed.sessionId, slow))).not.toBe("none")
    const draft = await harness.shown(placed.collectionId)
    expect(draft).toMatchObject({ state: "drafted", reference: null })
    await checkAfter(draft, MINUTE)
    expect(sourceOf(draft)).toBe("CANCELED")
    expect(orderOf(placed).isCanceled).toBe(true)
    expect(await codeOf(start(placed.sessionId))).toBe("order_closed")
  })

  it("[I1] no payment begins for an order whose time ended a moment ago", async () => {
    const placed = await place()
    await declined(placed)
    harness.before("showOnSession", () => overNow(placed))
    const session = harness.of(placed.collectionId).sessions[0]
    expect(session?.status).toBe("error")
    expect(await codeOf(start(placed.sessionId))).toBe("order_closed")
    expect(await all(placed)).toHaveLength(1)
  })
})

it("nothing that waited is left when the days of watching are over", async () => {
  const placed = await place()
  const ended = await declined(placed)
  await overNow(placed)
  await run()
  for (let checks = 0; checks < 6; checks++) await checkAfter(ended, DAY)
  expect((await reread(ended)).nextCheckAt).toBeNull()
})
