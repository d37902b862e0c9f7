/**
 * Payment links of unpaid orders: one at a time, whichever admin asks and wherever the process dies,
 * closed when the order changes, and paid once. `http/reconcile-and-payment-link.spec.ts` runs them
 * through Medusa itself.
 */
import { LIMITS } from "../../../src/core/limits"
import type { Operation } from "../../../src/core/operation"
import { checkNow } from "../../../src/worker/check-due-operations"
import { checkPaymentsOfOrder, closePaymentsOfOrder } from "../../../src/orders/changed-order"
import type { FlowDeps } from "../../../src/engine/deps"
import { makePaymentLink } from "../../../src/payment-links/make-link"
import { readPaymentLink } from "../../../src/payment-links/read-link"
import { resendLink } from "../../../src/payment-links/resend-link"
import { readStatus } from "../../../src/checkout/read-status"
import { startPayment } from "../../../src/checkout/start-payment"
import { findAllOfCollection } from "../../../src/ledger/find-operations"
import { DAY, HOUR, MINUTE, SECOND } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { dieAt, momentsOf, type Moment } from "../../support/moments"
import { HOSTED, PHONE, PUSH } from "../../support/flows-harness"
import { newCart, newSession } from "../../support/medusa-in-memory"
import { medusaOf } from "../../support/medusa-evidence"
import { actsIn, breachesIn, forgetPlans, useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness()
const { checkAfter, reread } = actsIn(harness)

afterEach(async () => {
  forgetPlans(harness)
  expect(await breachesIn(harness, { medusa: medusaOf(harness.carts) })).toEqual([])
  expect(harness.simulator.contractViolations).toEqual([])
})

type Unpaid = {
  readonly orderId: string
  readonly collectionId: string
  readonly sessionId: string
}

/** An order that an admin has made for a customer: it asks for all of its money. */
function unpaid(providerId = PUSH): Unpaid {
  const cart = harness.cart(providerId)
  const orderId = `order_${cart.collectionId}`
  harness.of(cart.collectionId).order = { id: orderId, isCanceled: false }
  return { orderId, ...cart }
}

const make = ({ orderId }: Unpaid, deps: FlowDeps = harness.deps) =>
  makePaymentLink(deps, { orderId, adminId: "user_1", phone: PHONE })

const linkOf = async ({ orderId }: Unpaid) =>
  (await readPaymentLink(harness.deps, orderId)).payment_link

const all = ({ collectionId }: Unpaid) => findAllOfCollection(harness.deps.database, collectionId)

const documentOf = ({ sourceId }: Operation) => harness.simulator.book.document(sourceId ?? 0)

/** Paid by the payer who has the address, checked and recorded. */
async function paid(order: Unpaid): Promise<Operation> {
  const operation = await harness.shown(order.collectionId)
  harness.simulator.hosted.pay(operation.sourceId ?? 0, { method: "card" })
  return checkAfter(operation, MINUTE)
}

/** Another provider's payment of it, in another collection, can be captured. */
const AUTHORISED = { isPaidOtherwise: true, rest: "19.99", uncapturedIn: ["pay_col_other"] }

describe("a payment link", () => {
  it("has its document for two days, and is paid once", async () => {
    const order = unpaid()
    await make(order)
    const operation = await harness.shown(order.collectionId)
    expect(operation).toMatchObject({ flow: "link", state: "submitted", feeBearer: "PAYEE" })
    expect(operation.expiresAt.getTime() - operation.createdAt.getTime()).toBe(2 * DAY)
    expect(documentOf(operation)).toMatchObject({ status: "ACTIVE", feeBearer: "PAYEE" })
    expect(await linkOf(order)).toMatchObject({
      state: "open",
      made_by: "user_1",
      url: operation.hostedUrl,
    })
    const done = await paid(order)
    expect(done.recordedAt).not.toBeNull()
    expect(harness.of(order.collectionId).completions).toBe(1)
    expect(await linkOf(order)).toMatchObject({ state: "paid", url: null })
  })

  it("is checked at least every ten minutes, however old it is", async () => {
    const order = unpaid()
    await make(order)
    const operation = await harness.shown(order.collectionId)
    await harness.ledger.sql("update mp_operation set waiting = false where id = $1", [
      operation.id,
    ])
    const { nextCheckAt, readAt } = await checkAfter(operation, 30 * HOUR)
    const inMs = (nextCheckAt?.getTime() ?? 0) - readAt.getTime()
    expect(inMs).toBeGreaterThan(0)
    expect(inMs).toBeLessThanOrEqual(LIMITS.linkCheckCapMs * 1.1)
    await paid(order)
  })

  it("closes when its two days are over, and can be followed by another", async () => {
    const order = unpaid()
    await make(order)
    const first = await harness.shown(order.collectionId)
    expect(await checkAfter(first, 2 * DAY + MINUTE)).toMatchObject({
      state: "expired",
      reason: "window_closed",
    })
    expect(documentOf(first)?.status).toBe("CANCELED")
    expect(await linkOf(order)).toMatchObject({ state: "closed", reason: "window_closed" })
    await make(order)
    expect((await paid(order)).id).not.toBe(first.id)
  })

  it("replaces a page that a shopper has open, which is closed first", async () => {
    const order = unpaid(HOSTED)
    await startPayment(harness.deps, { sessionId: order.sessionId, phone: PHONE })
    const page = await harness.shown(order.collectionId)
    expect(page.flow).toBe("hosted")
    await make(order)
    expect(documentOf(page)?.status).toBe("CANCELED")
    expect((await paid(order)).flow).toBe("link")
  })

  it("is handed to a shopper who starts paying the order on the page", async () => {
    const order = unpaid(HOSTED)
    await make(order)
    const { hostedUrl } = await harness.shown(order.collectionId)
    const status = await startPayment(harness.deps, { sessionId: order.sessionId, phone: PHONE })
    expect(status).toMatchObject({ flow: "link", state: "waiting_for_payer", url: hostedUrl })
    expect((await readStatus(harness.deps, { sessionId: order.sessionId })).status.url).toBe(
      hostedUrl,
    )
    expect(await all(order)).toHaveLength(1)
  })

  it("closes when the shopper pays by phone instead", async () => {
    const order = unpaid()
    await make(order)
    const link = await harness.shown(order.collectionId)
    const sessionId = harness.session(order.collectionId)
    expect(await startPayment(harness.deps, { sessionId, phone: PHONE })).toMatchObject({
      flow: "push",
    })
    expect(documentOf(link)?.status).toBe("CANCELED")
    expect(await codeOf(make(order))).toBe("payment_in_progress")
    const push = await harness.shown(order.collectionId)
    harness.simulator.handset.approve(push.reference ?? "")
    await checkAfter(push, 3 * SECOND)
  })
})

describe("wherever the process dies around a payment link,", () => {
  it("the next click makes one link, paid once", async () => {
    const moments = await momentsOf(harness.deps, (deps) => make(unpaid(), deps))
    expect(moments.length).toBeGreaterThan(10)
    for (const moment of moments) await linkedAnewAfter(moment)
  })

  async function linkedAnewAfter(moment: Moment): Promise<void> {
    const order = unpaid()
    await dieAt(harness.deps, moment, (deps) => make(order, deps))
    // Its lease ends, as that of a process that is gone.
    await harness.ledger.sql(
      "update mp_operation set lease_until = now() - interval '1 s' where payment_collection_id = $1",
      [order.collectionId],
    )
    await make(order)
    const { sourceId } = await paid(order)
    expect(harness.of(order.collectionId).completions).toBe(1)
    const operations = await all(order)
    expect(operations.filter(({ state }) => state === "completed")).toHaveLength(1)
    const others = operations.flatMap((one) =>
      one.sourceId === null || one.sourceId === sourceId ? [] : [documentOf(one)?.status],
    )
    expect([moment, ...others]).toEqual([moment, ...others.map(() => "CANCELED")])
  }

  it.each([
    "before medusa.captureOnOrder",
    "after medusa.captureOnOrder",
    "before medusa.record+1",
  ] as const)("its money is recorded once (%s)", async (moment) => {
    const order = unpaid()
    await make(order)
    const operation = await harness.shown(order.collectionId)
    harness.simulator.hosted.pay(operation.sourceId ?? 0, { method: "card" })
    await harness.pass(operation.id, MINUTE)
    await dieAt(harness.deps, moment, (deps) => checkNow(deps, operation.id))
    const done = await checkAfter(operation, LIMITS.leaseMs)
    expect(done.recordedAt).not.toBeNull()
    expect(harness.of(order.collectionId).completions).toBe(1)
  })
})

describe("an order that changes", () => {
  it("closes its link when it is canceled, and money that came first goes to review", async () => {
    const [closed, late] = [unpaid(), unpaid()]
    for (const order of [closed, late]) {
      await make(order)
      const { order: own } = harness.of(order.collectionId)
      if (own) own.isCanceled = true
    }
    const [open, moving] = [
      await harness.shown(closed.collectionId),
      await harness.shown(late.collectionId),
    ]
    harness.simulator.hosted.pay(moving.sourceId ?? 0, { method: "card" })
    await closePaymentsOfOrder(harness.deps, closed.orderId)
    await closePaymentsOfOrder(harness.deps, late.orderId)
    expect(await checkAfter(open, SECOND)).toMatchObject({ state: "expired", reason: "canceled" })
    expect(documentOf(open)?.status).toBe("CANCELED")
    expect(await checkAfter(moving, SECOND)).toMatchObject({
      state: "review",
      reason: "order_canceled",
    })
    expect(await codeOf(make(closed))).toBe("order_closed")
    expect((await linkOf(late))?.state).toBe("under_review")
  })

  it("closes its link when its total changes, before the next one is made", async () => {
    const order = unpaid()
    await make(order)
    const first = await harness.shown(order.collectionId)
    harness.of(order.collectionId).total = "25.00"
    await make(order)
    expect(documentOf(first)?.status).toBe("CANCELED")
    expect(await linkOf(order)).toMatchObject({ state: "open", amount: 25 })
    await paid(order)
  })

  it("has its link checked as soon as it is edited", async () => {
    const order = unpaid()
    await make(order)
    const link = await harness.shown(order.collectionId)
    await harness.ledger.sql(
      "update mp_operation set next_check_at = now() + interval '10 min' where id = $1",
      [link.id],
    )
    await checkPaymentsOfOrder(harness.deps, order.orderId)
    const { nextCheckAt, readAt } = await reread(link)
    expect(nextCheckAt?.getTime()).toBeLessThanOrEqual(readAt.getTime())
    await paid(order)
  })

  it.each([
    ["paid another way", { isPaidOtherwise: true }, "nothing_to_pay"],
    ["authorized another way", AUTHORISED, "other_payment_open"],
  ])("closes its link when it is %s, and the link isn't sent again", async (_, facts, code) => {
    const order = unpaid()
    await make(order)
    Object.assign(harness.of(order.collectionId).order ?? {}, facts)
    const link = await harness.shown(order.collectionId)
    expect(await codeOf(resendLink(harness.deps, link.id, "user_1"))).toBe("link_closed")
    expect(await checkAfter(link, MINUTE)).toMatchObject({ state: "expired", reason: "canceled" })
    expect(await codeOf(make(order))).toBe(code)
  })

  it.each([
    ["canceled", { isCanceled: true }, "order_closed"],
    ["paid another way", { isPaidOtherwise: true }, "nothing_to_pay"],
  ])(
    "gets no link, and the reason for it, when it is %s at that moment",
    async (_, facts, code) => {
      const order = unpaid()
      const openSession = () => {
        Object.assign(harness.of(order.collectionId).order ?? {}, facts)
        return Promise.reject(new Error("Medusa makes nothing for such an order"))
      }
      const deps = { ...harness.deps, medusa: { ...harness.deps.medusa, openSession } }
      expect(await codeOf(make(order, deps))).toBe(code)
      expect(await all(order)).toEqual([])
    },
  )

  it("takes the rest when it was paid in part, and no more than it asks for", async () => {
    const [asks, full, beside] = [unpaid(), unpaid(), unpaid()]
    for (const order of [asks, full, beside]) {
      const { order: own } = harness.of(order.collectionId)
      if (own) Object.assign(own, { isPaidOtherwise: true, rest: "19.99" })
      await make(order)
    }
    expect((await paid(asks)).recordedAt).not.toBeNull()
    const { order: own } = harness.of(full.collectionId)
    if (own) own.rest = "19.98"
    Object.assign(harness.of(beside.collectionId).order ?? {}, AUTHORISED)
    for (const order of [full, beside]) {
      expect(await paid(order)).toMatchObject({ state: "review", reason: "another_payment" })
    }
  })

  it("gets no second link while the first can't be closed", async () => {
    const order = unpaid()
    await make(order)
    const first = await harness.shown(order.collectionId)
    harness.of(order.collectionId).total = "25.00"
    harness.simulator.faults.script("cancelOrder", ["503:before", "503:before", "503:before"])
    expect(await codeOf(make(order))).toBe("payment_in_progress")
    expect(documentOf(first)?.status).toBe("ACTIVE")
    expect(await linkOf(order)).toMatchObject({ state: "closing", url: null })
    harness.simulator.faults.clear()
    await harness.ledger.sql("update mp_operation set lease_until = null where id = $1", [first.id])
    await make(order)
    expect((await all(order)).map(({ state }) => state).sort()).toEqual(["expired", "submitted"])
    await paid(order)
  })

  it("[B15] is paid through one of two collections, however they came to be", async () => {
    const order = unpaid()
    await make(order)
    const other = `pay_col_other_${order.collectionId}`
    const cart = newCart("19.99")
    cart.order = harness.of(order.collectionId).order
    cart.sessions = [{ ...newSession(other, HOSTED, "19.99"), cartId: null }]
    const [session] = cart.sessions
    ;(harness.carts as Map<string, typeof cart>).set(other, cart)
    const beside = startPayment(harness.deps, {
      sessionId: session?.id ?? "",
      adminId: "user_2",
      phone: PHONE,
    })
    expect(await codeOf(beside)).toBe("payment_in_progress")
    expect(await findAllOfCollection(harness.deps.database, other)).toEqual([])
    await paid(order)
    ;(harness.carts as Map<string, typeof cart>).delete(other)
  })
})

describe("a payment link that is sent again", () => {
  it("is sent a minute later at the earliest, and only while it can be paid", async () => {
    const order = unpaid()
    await make(order)
    const operation = await harness.shown(order.collectionId)
    const resend = () => codeOf(resendLink(harness.deps, operation.id, "user_1"))
    expect([await resend(), await resend()]).toEqual(["none", "too_many_requests"])
    await harness.ledger.sql(
      "update mp_operation_event set created_at = now() - interval '61 s' where operation_id = $1",
      [operation.id],
    )
    harness.simulator.faults.script("getPaymentLink", ["503", "503", "503"])
    expect(await resend()).toBe("gateway_unavailable")
    harness.simulator.faults.clear()
    expect(await resend()).toBe("none")
    await paid(order)
    expect(await resend()).toBe("link_closed")
  })

  it("can't be a prompt, or a page that a shopper has open", async () => {
    for (const providerId of [PUSH, HOSTED]) {
      const { sessionId, collectionId } = harness.cart(providerId)
      await startPayment(harness.deps, { sessionId, phone: PHONE })
      const { id } = await harness.shown(collectionId)
      expect(await codeOf(resendLink(harness.deps, id, "user_1"))).toBe("resend_not_possible")
    }
    expect(await codeOf(resendLink(harness.deps, "mpop_none", "user_1"))).toBe(
      "operation_not_found",
    )
  })
})
