/**
 * Orders that are placed before their money: the time to pay begins when the order is placed, is
 * the same for every attempt, and is checked when it ends. Time is the database's.
 */
import type { FlowDeps } from "../../../src/engine/deps"
import { DAY, MINUTE, SECOND } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { HOSTED, PHONE } from "../../support/flows-harness"
import { useOrderFirst, type Placed } from "../../support/order-first"

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

  it("begins when the order is placed even if a payment is under way, and never moves", async () => {
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

  it("is the same for each new attempt, whichever way it pays", async () => {
    const placed = await place()
    const first = await declined(placed)
    const page = harness.session(placed.collectionId, HOSTED)
    await start(page)
    const [second] = await all(placed)
    expect(second?.id).not.toBe(first.id)
    expect(second?.windowEndsAt).toEqual(first.windowEndsAt)
    expect(second?.expiresAt).toEqual(first.windowEndsAt)
  })

  it("begins again with the order that is placed after one was undone", async () => {
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

  it("is dropped with an order that was undone for good", async () => {
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

  it("makes a payment that has ended due when it is over, however long the payment is watched", async () => {
    const placed = await place()
    const ended = await declined(placed)
    await harness.ledger.sql("update mp_operation set checks = 4 where id = $1", [ended.id])
    const watched = await checkAfter(ended, SECOND)
    expect(watched.nextCheckAt).not.toBeNull()
    expect(watched.nextCheckAt?.getTime()).toBeLessThanOrEqual(watched.windowEndsAt?.getTime() ?? 0)
  })
})

describe("money that comes when the time to pay ends", () => {
  /** Declined and seen so twice; it is approved a minute later. */
  async function approvedLater(placed: Placed) {
    harness.simulator.plan({ outcome: "decline_then_approve", times: 1 })
    await start(placed.sessionId)
    const operation = await harness.shown(placed.collectionId)
    await checkAfter(operation, SECOND)
    expect(await checkAfter(operation, 6 * SECOND)).toMatchObject({ state: "failed" })
    return operation
  }

  it("[B06] goes to review when it comes after the last check, and its order stays canceled", async () => {
    const placed = await place()
    const operation = await approvedLater(placed)
    await overNow(placed)
    await run()
    expect(orderOf(placed).isCanceled).toBe(true)
    harness.later(MINUTE)
    const late = await checkAfter(operation, 2 * MINUTE)
    expect(late.state).toBe("review")
    expect(harness.of(placed.collectionId).payments).toEqual([])
    expect(await codeOf(start(placed.sessionId))).toBe("under_review")
  })

  it("[B06] keeps its order when the last check finds it", async () => {
    const placed = await place()
    const operation = await approvedLater(placed)
    harness.later(MINUTE)
    await overNow(placed)
    await run()
    expect(orderOf(placed).isCanceled).toBe(false)
    expect(await reread(operation)).toMatchObject({ state: "review", reason: "late_payment" })
  })

  it("[B05] goes to review and keeps its order when it was paid by hand on a failed payment's source", async () => {
    const placed = await place()
    const ended = await declined(placed)
    harness.simulator.plan({ outcome: "approve", times: 1 })
    harness.simulator.hosted.pay(ended.sourceId ?? 0, { method: "mobile_money", phone: PHONE })
    await overNow(placed)
    await run()
    expect(orderOf(placed).isCanceled).toBe(false)
    expect(await reread(ended)).toMatchObject({ state: "review", reason: "late_payment" })
  })
})

describe("a start for an order whose time to pay ends", () => {
  it("[I1] sends nothing when the time ends while it is at work", async () => {
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

  it("[I1] begins no payment when the time ended a moment ago", async () => {
    const placed = await place()
    await declined(placed)
    harness.before("showOnSession", () => overNow(placed))
    const session = harness.of(placed.collectionId).sessions[0]
    expect(session?.status).toBe("error")
    expect(await codeOf(start(placed.sessionId))).toBe("order_closed")
    expect(await all(placed)).toHaveLength(1)
  })
})

it("an order that was canceled unpaid leaves nothing due when the days of watching are over", async () => {
  const placed = await place()
  const ended = await declined(placed)
  await overNow(placed)
  await run()
  for (let checks = 0; checks < 6; checks++) await checkAfter(ended, DAY)
  expect((await reread(ended)).nextCheckAt).toBeNull()
})
