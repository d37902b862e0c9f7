/**
 * Faults of Medusa while money is brought into it: captures of orders that it undid, sessions that
 * are missing for a moment, and two workers at one purchase. What only Medusa itself can show, an
 * order undone under the job's eyes among it, is in `http/settling.spec.ts`.
 */
import { checkDueOperations, checkNow } from "../../../src/worker/check-due-operations"
import type { FlowDeps } from "../../../src/engine/deps"
import { oneAtATime, PurchaseBusy, type OneAtATime } from "../../../src/engine/one-at-a-time"
import { sendRefundOfMedusa } from "../../../src/refunds/send-refund-of-medusa"
import { systemClock } from "../../../src/core/ports"
import { LIMITS } from "../../../src/core/limits"
import { dropTask, takeTask } from "../../../src/ledger/tasks"
import { HOUR, MINUTE, SECOND } from "../../support/an-operation"
import { medusaOf } from "../../support/medusa-evidence"
import { actsIn, breachesIn, forgetPlans, useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness()
const { approved, checkAfter, reread } = actsIn(harness)

afterEach(async () => {
  forgetPlans(harness)
  expect(await breachesIn(harness, { medusa: medusaOf(harness.carts) })).toEqual([])
  expect(harness.simulator.book.refunds()).toEqual([])
})

type Approved = Awaited<ReturnType<typeof approved>>

/** One order, paid in full by one capture, and the money recorded. */
async function expectPaidOnce({ operation, cart }: Approved): Promise<void> {
  expect(await reread(operation)).toMatchObject({
    state: "completed",
    recordedAt: expect.any(Date),
    orderId: cart.order?.id,
  })
  expect(cart.order).toMatchObject({ isCanceled: false })
  expect(cart.payments).toMatchObject([{ isCaptured: true, isCanceled: false, isInOrder: true }])
}

it("[M01] an order that the storefront places while the job settles its money is recorded once", async () => {
  const paid = await approved()
  const placing = () => harness.deps.medusa.completeCart(`cart_${paid.collectionId}`)
  harness.before("completeCart", async () => void (await placing()))
  await checkAfter(paid.operation, 3 * SECOND)
  await expectPaidOnce(paid)
  expect(paid.cart.completions).toBe(1)
})

describe("a capture whose order Medusa undid", () => {
  it("[M02] [H25] is taken back, not refunded, before the next attempt, and ends in one order", async () => {
    const paid = await approved()
    const rows: string[] = []
    // The provider, asked by Medusa for the refund of a completion that failed.
    paid.cart.refundAsked = (rowId) => {
      rows.push(rowId)
      return sendRefundOfMedusa(harness.deps, rowId)
    }
    paid.cart.failuresAfterCapture = 2
    await checkAfter(paid.operation, 3 * SECOND)
    await checkAfter(paid.operation, 2 * SECOND)
    expect(rows).toHaveLength(2)
    expect(paid.cart).toMatchObject({ order: null, refunds: [] })
    expect(await reread(paid.operation)).toMatchObject({
      state: "completed",
      settleAttempts: 2,
      reservedRefundMinor: 0n,
    })
    await checkAfter(paid.operation, 6 * SECOND)
    await expectPaidOnce(paid)
  })

  it("[M02] [B02] waits for an admin when the total of its cart has changed since", async () => {
    const { cart, operation, sessionId } = await approved()
    const amount = cart.total
    const isCaptured = { isCaptured: true, isCanceled: false, isInOrder: false }
    cart.payments.push({ sessionId, ...isCaptured, amount })
    cart.total = "24.99"
    expect(await checkAfter(operation, 3 * SECOND)).toMatchObject({
      state: "review",
      reason: "cart_changed",
    })
    cart.payments = []
  })
})

describe("a payment session that is missing when its money comes", () => {
  it("[M03] is waited for, and the money is recorded on the session that replaces it", async () => {
    const paid = await approved()
    paid.cart.sessions = []
    const waiting = await checkAfter(paid.operation, 3 * SECOND)
    expect(waiting).toMatchObject({ state: "completed", settleAttempts: 0, leaseToken: null })
    expect(await checkAfter(paid.operation, 50 * SECOND)).toMatchObject({ state: "completed" })
    harness.session(paid.collectionId)
    await checkAfter(paid.operation, 5 * SECOND)
    await expectPaidOnce(paid)
  })

  it.each([
    ["a minute", MINUTE],
    ["an hour without a check", HOUR],
  ])(
    "[M03] [B05] sends the money to review when it is still missing after %s",
    async (_, afterMs) => {
      const paid = await approved()
      paid.cart.sessions = []
      const waiting = await checkAfter(paid.operation, 3 * SECOND)
      const inMs = (waiting.nextCheckAt?.getTime() ?? 0) - waiting.readAt.getTime()
      expect(inMs).toBeLessThanOrEqual(LIMITS.sessionMissingRetryMs)
      expect(await checkAfter(paid.operation, afterMs)).toMatchObject({
        state: "review",
        reason: "session_gone",
      })
      expect(paid.cart.completions).toBe(0)
    },
  )

  it("[M03] is waited for again when it was missing before and had come back", async () => {
    const paid = await approved()
    const { sessions } = paid.cart
    paid.cart.sessions = []
    await checkAfter(paid.operation, 3 * SECOND)
    paid.cart.sessions = sessions
    harness.before("completeCart", () => Promise.reject(new Error("out of stock")))
    await checkAfter(paid.operation, 5 * SECOND)
    paid.cart.sessions = []
    expect(await checkAfter(paid.operation, 15 * MINUTE)).toMatchObject({ state: "completed" })
    paid.cart.sessions = sessions
    await checkAfter(paid.operation, 5 * SECOND)
    await expectPaidOnce(paid)
  })
})

describe("two workers at one purchase", () => {
  const alone = (given: Partial<OneAtATime> = {}): FlowDeps => ({
    ...harness.deps,
    medusa: oneAtATime(harness.deps.medusa, {
      database: harness.ledger.database,
      clock: systemClock,
      keyOf,
      ...given,
    }),
  })

  /** As the SQL over Medusa's tables: the cart of an order or a session. */
  const keyOf: OneAtATime["keyOf"] = (named) => {
    const isIts = ([id, { order, sessions }]: [string, Approved["cart"]]) =>
      "orderId" in named
        ? order?.id === named.orderId
        : "sessionId" in named
          ? sessions.some((session) => session.id === named.sessionId)
          : id === named.paymentId
    const [id = "none"] = [...harness.carts].find(isIts) ?? []
    return Promise.resolve(`cart_${id}`)
  }

  const purchases = () =>
    harness.ledger.sql("select name from mp_task where name like 'purchase:%'")

  const taken = (collectionId: string) =>
    takeTask(harness.ledger.database, `purchase:cart_${collectionId}`, MINUTE)

  it("[M04] take turns: the second comes back shortly, and no attempt is used up", async () => {
    const paid = await approved()
    const deps = alone()
    const held = await taken(paid.collectionId)
    if (!held) throw new Error("the key was not taken")
    await harness.pass(paid.operation.id, 3 * SECOND)
    for (let tries = 0; tries < 3; tries++) {
      await checkDueOperations(deps, { atMost: 50 })
      await harness.pass(paid.operation.id, 0)
    }
    expect(await reread(paid.operation)).toMatchObject({
      state: "completed",
      recordedAt: null,
      settleAttempts: 0,
    })
    await checkNow(deps, paid.operation.id)
    const { nextCheckAt, readAt } = await reread(paid.operation)
    const inMs = (nextCheckAt?.getTime() ?? Infinity) - readAt.getTime()
    expect(inMs).toBeLessThanOrEqual(LIMITS.purchaseBusyMs)
    expect(paid.cart.completions).toBe(0)
    await dropTask(harness.ledger.database, held)
    await checkNow(deps, paid.operation.id)
    await expectPaidOnce(paid)
    expect(await purchases()).toEqual([])
  })

  it("[M04] are kept apart when one names the cart and the other its order", async () => {
    const { sessionId, collectionId } = harness.cart()
    const { medusa } = alone()
    const isInside = signalled()
    const mayEnd = signalled()
    const inner = oneAtATime(
      {
        ...harness.deps.medusa,
        captureOnOrder: () => {
          isInside.give()
          return mayEnd.given
        },
      },
      { database: harness.ledger.database, clock: systemClock, keyOf },
    )
    harness.of(collectionId).order = { id: "order_of_the_cart", isCanceled: false }
    const first = inner.captureOnOrder(sessionId, "19.99")
    await isInside.given
    await expect(medusa.completeCart(`cart_${collectionId}`)).rejects.toThrow(PurchaseBusy)
    await expect(medusa.cancelOrder("order_of_the_cart")).rejects.toThrow(PurchaseBusy)
    await expect(
      medusa.makeRefund({
        paymentId: collectionId,
        amount: "1",
        createdBy: "ada",
        isByWorkflow: true,
      }),
    ).rejects.toThrow(PurchaseBusy)
    mayEnd.give()
    await first
    await medusa.cancelOrder("order_of_the_cart")
    expect(await purchases()).toEqual([])
  })

  it("[M04] are kept apart for as long as a call runs, and until the lease of a dead worker ends", async () => {
    const { collectionId } = harness.cart()
    const mayEnd = signalled()
    const renewals: (() => void)[] = []
    const clock = { ...systemClock, sleep: () => new Promise<void>((go) => renewals.push(go)) }
    const medusa = oneAtATime(
      { ...harness.deps.medusa, completeCart: () => mayEnd.given.then(() => "order_1") },
      { database: harness.ledger.database, clock, keyOf },
    )
    const running = medusa.completeCart(`cart_${collectionId}`)
    const almostOver = async () => {
      await until(() => renewals.length > 0)
      await harness.ledger.sql(
        "update mp_task set lease_until = now() + interval '1 second' where name = $1",
        [`purchase:cart_${collectionId}`],
      )
    }
    for (let renewal = 0; renewal < 5; renewal++) {
      await almostOver()
      renewals.shift()?.()
      await until(() => renewals.length > 0)
      const [row] = await harness.ledger.sql(
        `select lease_until > now() + interval '30 seconds' as is_renewed from mp_task
          where name = $1`,
        [`purchase:cart_${collectionId}`],
      )
      expect(row).toEqual({ is_renewed: true })
      expect(await taken(collectionId)).toBeUndefined()
    }
    await harness.ledger.sql("update mp_task set lease_until = now() - interval '1 ms'")
    const next = await taken(collectionId)
    if (!next) throw new Error("the dead worker still holds it")
    // A worker that was only frozen takes nothing away from the next.
    mayEnd.give()
    await running
    expect(await purchases()).toHaveLength(1)
    await dropTask(harness.ledger.database, next)
  })
})

/** Given once, and waited for by any number of callers. */
function signalled(): { readonly given: Promise<void>; give(): void } {
  let give = () => {}
  const given = new Promise<void>((resolve) => (give = resolve))
  return { given, give: () => give() }
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve))
}
