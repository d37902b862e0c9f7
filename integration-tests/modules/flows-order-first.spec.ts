/**
 * Orders that are placed before their money: the time to pay begins when the order is placed, is the
 * same for every try, and at its end the order is cancelled unless it is paid, or may be. The flows over
 * a real ledger and the simulator; time is the database's.
 */
import type { Operation } from "../../src/core/operation"
import { checkDueOperations, checkNow } from "../../src/flows/check-due-operations"
import { closePaymentsOfOrder } from "../../src/flows/close-canceled-order"
import type { FlowDeps } from "../../src/flows/deps"
import { readStatus } from "../../src/flows/read-status"
import { sweepWhenDue } from "../../src/flows/reconcile/sweep"
import { startPayment } from "../../src/flows/start/start-payment"
import { findAllOfCollection, findById } from "../../src/ledger/find-operations"
import { DAY, HOUR, MINUTE, SECOND } from "../support/an-operation"
import { readLedger } from "../support/evidence"
import { HOSTED, PHONE, PUSH, startFlowsWorld, type FlowsWorld } from "../support/flows-world"
import { medusaOf } from "../support/medusa-in-memory"
import { previousVersion } from "../support/previous-version"
import { violations } from "../support/violations"

let world: FlowsWorld

beforeAll(async () => {
  world = await startFlowsWorld()
  await world.ledger.sql("update mp_account set order_placement = 'order_first'")
}, 60_000)

afterAll(() => world.stop())

afterEach(async () => {
  world.simulator.clearPlans()
  world.simulator.faults.clear()
  const ledger = await readLedger((sql) => world.ledger.sql(sql))
  const evidence = {
    book: world.simulator.book,
    ledger,
    medusa: medusaOf(world.carts),
    output: { texts: world.logged, secrets: ["simulator-secret"], phones: [PHONE.slice(1)] },
  }
  expect(violations(evidence)).toEqual([])
  expect(world.simulator.contractViolations).toEqual([])
})

type Placed = { readonly sessionId: string; readonly collectionId: string }

/** The cart is completed: an order, and no money yet. */
async function place(providerId = PUSH): Promise<Placed> {
  const cart = world.cart(providerId)
  await complete(cart)
  return cart
}

const complete = ({ collectionId }: Placed) => world.deps.host.completeCart(`cart_${collectionId}`)

const orderOf = ({ collectionId }: Placed) => {
  const { order } = world.of(collectionId)
  if (!order) throw new Error("there is no order")
  return order
}

const start = (sessionId: string, deps: FlowDeps = world.deps) =>
  startPayment(deps, { sessionId, phone: PHONE })

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "none",
    (error: unknown) =>
      error instanceof Error && "code" in error ? String(error.code) : String(error),
  )

const all = ({ collectionId }: Placed) => findAllOfCollection(world.deps.database, collectionId)

async function reread({ id }: Operation): Promise<Operation> {
  const found = await findById(world.deps.database, id)
  if (!found) throw new Error(`${id} is gone`)
  return found
}

/** The order's time is over, and what waited for that is due. */
async function overNow(placed: Placed): Promise<void> {
  await world.ledger.sql(
    `update mp_operation
        set next_check_at = case when next_check_at = window_ends_at or state in ('failed', 'expired')
                            then now() else least(next_check_at, now()) end,
            window_ends_at = now()
      where payment_collection_id = $1 and window_ends_at is not null`,
    [placed.collectionId],
  )
}

const run = (deps: FlowDeps = world.deps) => checkDueOperations(deps, { atMost: 50 })

async function look(operation: Operation, afterMs: number): Promise<Operation> {
  await world.pass(operation.id, afterMs)
  await checkNow(world.deps, operation.id)
  return reread(operation)
}

/** Started, declined, and seen so twice. */
async function declined(placed: Placed): Promise<Operation> {
  await start(placed.sessionId)
  const operation = await world.shown(placed.collectionId)
  world.simulator.handset.decline(operation.reference ?? "")
  await look(operation, SECOND)
  const ended = await look(operation, 6 * SECOND)
  expect(ended.state).toBe("failed")
  return ended
}

const sourceOf = ({ sourceId }: Operation) => world.simulator.book.document(sourceId ?? 0)?.status

describe("the time to pay an order", () => {
  it("begins when the order is placed, by the database's clock", async () => {
    const placed = await place()
    const operation = await world.shown(placed.collectionId)
    expect(operation).toMatchObject({ state: "drafted", orderId: orderOf(placed).id })
    const windowMs = (operation.windowEndsAt?.getTime() ?? 0) - operation.createdAt.getTime()
    expect(Math.abs(windowMs - 30 * MINUTE)).toBeLessThan(SECOND)
    expect(operation.nextCheckAt).toEqual(operation.windowEndsAt)
  })

  it("is an hour for the payment page", async () => {
    const { windowEndsAt, createdAt } = await world.shown((await place(HOSTED)).collectionId)
    const windowMs = (windowEndsAt?.getTime() ?? 0) - createdAt.getTime()
    expect(Math.abs(windowMs - 60 * MINUTE)).toBeLessThan(SECOND)
  })

  it("begins then also for a payment that is under way, and is never moved", async () => {
    const cart = world.cart()
    await start(cart.sessionId)
    const before = await world.shown(cart.collectionId)
    expect(before.windowEndsAt).toBeNull()
    await world.pass(before.id, MINUTE)
    await complete(cart)
    const placed = await world.shown(cart.collectionId)
    expect(placed).toMatchObject({ id: before.id, orderId: orderOf(cart).id })
    expect(placed.windowEndsAt).not.toBeNull()
    world.session(cart.collectionId)
    await world.deps.host.completeCart(`cart_${cart.collectionId}`)
    expect((await world.shown(cart.collectionId)).windowEndsAt).toEqual(placed.windowEndsAt)
  })

  it("is the same for each new try, whatever way it takes", async () => {
    const placed = await place()
    const first = await declined(placed)
    const page = world.session(placed.collectionId, HOSTED)
    await start(page)
    const [second] = await all(placed)
    expect(second?.id).not.toBe(first.id)
    expect(second?.windowEndsAt).toEqual(first.windowEndsAt)
    expect(second?.expiresAt).toEqual(first.windowEndsAt)
  })

  it("begins anew with the order that is placed after one was undone", async () => {
    const placed = await place()
    const first = await world.shown(placed.collectionId)
    world.of(placed.collectionId).order = null
    await complete(placed)
    const second = await world.shown(placed.collectionId)
    expect(second.id).toBe(first.id)
    expect(second.orderId).toBe(orderOf(placed).id)
    expect(second.orderId).not.toBe(first.orderId)
    expect(second.windowEndsAt?.getTime()).toBeGreaterThan(first.windowEndsAt?.getTime() ?? 0)
  })

  it("is forgotten with an order that was undone for good", async () => {
    const placed = await place()
    world.of(placed.collectionId).order = null
    await overNow(placed)
    await run()
    expect(await world.shown(placed.collectionId)).toMatchObject({
      state: "expired",
      windowEndsAt: null,
    })
    expect(await start(placed.sessionId)).toMatchObject({ state: "waiting_for_payer" })
  })

  it("makes a payment that has ended due when it is over, however long it is watched", async () => {
    const placed = await place()
    const ended = await declined(placed)
    await world.ledger.sql("update mp_operation set checks = 4 where id = $1", [ended.id])
    const watched = await look(ended, SECOND)
    expect(watched.nextCheckAt).not.toBeNull()
    expect(watched.nextCheckAt?.getTime()).toBeLessThanOrEqual(watched.windowEndsAt?.getTime() ?? 0)
  })
})

describe("an order that is not paid in time", () => {
  it("is cancelled when nobody ever started", async () => {
    const placed = await place()
    await overNow(placed)
    await run()
    expect(orderOf(placed).isCanceled).toBe(true)
    expect(await world.shown(placed.collectionId)).toMatchObject({
      state: "expired",
      reason: "window_closed",
      nextCheckAt: null,
    })
    const { status } = await readStatus(world.deps, { sessionId: placed.sessionId })
    expect(status).toMatchObject({ state: "expired", reason: "window_closed", can_retry: false })
    expect(await codeOf(start(placed.sessionId))).toBe("order_closed")
  })

  it("is cancelled after a payment that failed, once its source is seen canceled", async () => {
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

  it("is cancelled after its open payment page is closed, and nobody can pay there", async () => {
    const placed = await place(HOSTED)
    await start(placed.sessionId)
    const operation = await world.shown(placed.collectionId)
    await overNow(placed)
    await run()
    expect(sourceOf(operation)).toBe("CANCELED")
    expect(await reread(operation)).toMatchObject({ state: "expired", reason: "window_closed" })
    expect(orderOf(placed).isCanceled).toBe(true)
  })

  it("is cancelled once, by however many workers", async () => {
    const placed = await place()
    await declined(placed)
    let cancels = 0
    const counting: FlowDeps = {
      ...world.deps,
      host: {
        ...world.deps.host,
        order: (id) => world.deps.host.order(id),
        cancelOrder: async (id) => {
          cancels += 1
          await world.deps.host.cancelOrder(id)
        },
      },
    }
    await overNow(placed)
    await Promise.all([run(counting), run(counting), run(counting)])
    expect(cancels).toBe(1)
    expect(orderOf(placed).isCanceled).toBe(true)
  })

  it("[P10] is cancelled once, also where several of its payments have ended", async () => {
    const placed = await place()
    const first = await declined(placed)
    const second = await declined(placed)
    expect(second.id).not.toBe(first.id)
    let cancels = 0
    const counting: FlowDeps = {
      ...world.deps,
      host: {
        ...world.deps.host,
        order: (id) => world.deps.host.order(id),
        collectionsOfOrder: (id) => world.deps.host.collectionsOfOrder(id),
        // Medusa is at it: its stock is free already, the order reads cancelled only at the end.
        cancelOrder: async (id) => {
          cancels += 1
          if (cancels === 1) await Promise.all([run(counting), checkNow(counting, first.id)])
          await world.deps.host.cancelOrder(id)
        },
      },
    }
    await overNow(placed)
    await checkNow(counting, second.id)
    expect(cancels).toBe(1)
    expect(orderOf(placed).isCanceled).toBe(true)
    await world.pass(first.id, 0)
    await run(counting)
    expect(cancels).toBe(1)
    expect((await reread(first)).windowDoneAt).not.toBeNull()
    expect((await reread(second)).windowDoneAt).not.toBeNull()
  })

  it("[B15] waits for money that moves in another payment collection of it", async () => {
    const placed = await place()
    await declined(placed)
    const beside = world.cart()
    world.of(beside.collectionId).order = orderOf(placed)
    await start(beside.sessionId)
    const moving = await world.shown(beside.collectionId)
    await overNow(placed)
    await run()
    expect(orderOf(placed).isCanceled).toBe(false)
    world.simulator.handset.decline(moving.reference ?? "")
    await look(moving, MINUTE)
    expect(await look(moving, 6 * SECOND)).toMatchObject({ state: "failed" })
    expect(orderOf(placed).isCanceled).toBe(true)
    expect(sourceOf(moving)).toBe("CANCELED")
  })

  it("is not cancelled because the gateway has lost sight of it for a moment", async () => {
    const placed = await place()
    world.simulator.plan({ outcome: "decline_then_approve", times: 1 })
    await start(placed.sessionId)
    const operation = await world.shown(placed.collectionId)
    await look(operation, SECOND)
    await look(operation, 6 * SECOND)
    world.later(MINUTE)
    world.simulator.faults.script("cancelOrder", ["404"])
    world.simulator.faults.script("getPaymentSourceStatus", ["404"])
    world.simulator.faults.script("getCollectionStatus", ["404"])
    await overNow(placed)
    await run()
    expect(orderOf(placed).isCanceled).toBe(false)
    await look(operation, 0)
    expect(orderOf(placed).isCanceled).toBe(false)
    expect(await look(operation, 0)).toMatchObject({ state: "review", reason: "late_payment" })
    expect(orderOf(placed).isCanceled).toBe(false)
  })

  it("is cancelled also when a worker of the version before has ended its draft", async () => {
    const placed = await place()
    const draft = await world.shown(placed.collectionId)
    const previous = previousVersion((text, parameters) => world.ledger.sql(text, parameters))
    const [row] = await world.ledger.sql("select * from mp_operation where id = $1", [draft.id])
    await previous.write(row ?? {}, {
      event: "expire",
      state: "expired",
      sets: { reason: "window_closed", checks: 0, next_check_at: null },
    })
    await overNow(placed)
    await world.ledger.sql("update mp_operation set next_check_at = null where id = $1", [draft.id])
    await run()
    expect(orderOf(placed).isCanceled).toBe(false)
    await world.ledger.sql("update mp_task set due_at = now()")
    await sweepWhenDue(world.reconcileDeps)
    await run()
    expect(orderOf(placed).isCanceled).toBe(true)
  })

  it("waits for a prompt that is out, and is paid when it is approved", async () => {
    const placed = await place()
    await start(placed.sessionId)
    const operation = await world.shown(placed.collectionId)
    await overNow(placed)
    await run()
    expect(orderOf(placed).isCanceled).toBe(false)
    expect(sourceOf(operation)).toBe("PROCESSING")
    expect(await codeOf(start(placed.sessionId))).toBe("order_closed")
    world.simulator.handset.approve(operation.reference ?? "")
    expect(await look(operation, MINUTE)).toMatchObject({ state: "completed" })
    expect((await reread(operation)).recordedAt).not.toBeNull()
    expect(orderOf(placed).isCanceled).toBe(false)
  })

  it("waits for a prompt that is out, and is cancelled when it is declined", async () => {
    const placed = await place()
    await start(placed.sessionId)
    const operation = await world.shown(placed.collectionId)
    await overNow(placed)
    await run()
    world.simulator.handset.decline(operation.reference ?? "")
    await look(operation, MINUTE)
    expect(orderOf(placed).isCanceled).toBe(false)
    expect(await look(operation, 6 * SECOND)).toMatchObject({ state: "failed" })
    expect(sourceOf(operation)).toBe("CANCELED")
    expect(orderOf(placed).isCanceled).toBe(true)
  })

  it("waits for a page on which somebody pays, and is paid", async () => {
    const placed = await place(HOSTED)
    await start(placed.sessionId)
    const operation = await world.shown(placed.collectionId)
    world.simulator.plan({ outcome: "handset", times: 1 })
    const { reference } = world.simulator.hosted.pay(operation.sourceId ?? 0, {
      method: "mobile_money",
      phone: PHONE,
    })
    await overNow(placed)
    await run()
    expect(orderOf(placed).isCanceled).toBe(false)
    expect(await reread(operation)).toMatchObject({ state: "in_flight" })
    world.simulator.handset.approve(reference)
    await look(operation, MINUTE)
    expect((await reread(operation)).recordedAt).not.toBeNull()
    expect(orderOf(placed).isCanceled).toBe(false)
  })

  it("is left to the person who looks at its money", async () => {
    const placed = await place()
    await start(placed.sessionId)
    const operation = await world.shown(placed.collectionId)
    world.simulator.handset.approve(operation.reference ?? "")
    world.of(placed.collectionId).total = "24.99"
    expect(await look(operation, 3 * SECOND)).toMatchObject({
      state: "review",
      reason: "cart_changed",
    })
    await overNow(placed)
    await run()
    expect(orderOf(placed).isCanceled).toBe(false)
  })

  it("is left when it was paid in another way", async () => {
    const placed = await place()
    const ended = await declined(placed)
    orderOf(placed).isPaidOtherwise = true
    await overNow(placed)
    await run()
    expect(orderOf(placed).isCanceled).toBe(false)
    expect((await reread(ended)).windowDoneAt).not.toBeNull()
    expect(sourceOf(ended)).toBe("CANCELED")
  })

  it("is not cancelled while the gateway does not answer, and is afterwards", async () => {
    const placed = await place()
    const ended = await declined(placed)
    world.simulator.faults.script("cancelOrder", ["503", "503"])
    world.simulator.faults.script("getPaymentSourceStatus", ["503", "503", "503"])
    await overNow(placed)
    await run()
    expect(orderOf(placed).isCanceled).toBe(false)
    expect(await reread(ended)).toMatchObject({ windowDoneAt: null, leaseToken: null })
    world.simulator.faults.clear()
    await look(ended, 0)
    expect(orderOf(placed).isCanceled).toBe(true)
  })

  it("[I7] is tried again ever more seldom while something of it still moves, and not later than in an hour", async () => {
    const placed = await place()
    const ended = await declined(placed)
    await overNow(placed)
    const pauses: number[] = []
    for (const overMs of [0, 2 * HOUR, 3 * DAY]) {
      world.simulator.faults.script("getPaymentSourceStatus", ["503", "503", "503"])
      await world.ledger.sql(
        `update mp_operation set window_ends_at = now() - $2::float8 * interval '1 ms' where id = $1`,
        [ended.id, overMs],
      )
      await look(ended, 0)
      world.simulator.faults.clear()
      const [row] = await world.ledger.sql(
        `select round(extract(epoch from next_check_at - now()) / 60)::int as left
           from mp_operation where id = $1`,
        [ended.id],
      )
      pauses.push(Number(row?.["left"]))
    }
    expect(pauses).toEqual([1, 12, 60])
    await look(ended, 0)
    expect(orderOf(placed).isCanceled).toBe(true)
  })

  it("is cancelled by another try when Medusa refuses", async () => {
    const placed = await place()
    const ended = await declined(placed)
    await overNow(placed)
    world.before("cancelOrder", () => Promise.reject(new Error("no")))
    await run()
    expect(await reread(ended)).toMatchObject({ settleAttempts: 1, windowDoneAt: null })
    await look(ended, SECOND)
    expect(orderOf(placed).isCanceled).toBe(true)
  })

  it("is a person's when Medusa refuses for good", async () => {
    const placed = await place()
    const ended = await declined(placed)
    await overNow(placed)
    await world.ledger.sql("update mp_operation set settle_attempts = 7 where id = $1", [ended.id])
    world.before("cancelOrder", () => Promise.reject(new Error("no")))
    await look(ended, 0)
    expect(orderOf(placed).isCanceled).toBe(false)
    expect((await reread(ended)).windowDoneAt).not.toBeNull()
    expect(world.logged.join("\n")).toContain("cancel it by hand")
  })

  it("closes every page and source that its tries have left", async () => {
    const placed = await place()
    const first = await declined(placed)
    const page = world.session(placed.collectionId, HOSTED)
    await start(page)
    const [second] = await all(placed)
    await overNow(placed)
    await run()
    await run()
    expect([sourceOf(first), second && sourceOf(second)]).toEqual(["CANCELED", "CANCELED"])
    expect(orderOf(placed).isCanceled).toBe(true)
  })
})

describe("money that comes at the end of the time", () => {
  it("[B06] after the last look is late money, and the order stays cancelled", async () => {
    const placed = await place()
    world.simulator.plan({ outcome: "decline_then_approve", times: 1 })
    await start(placed.sessionId)
    const operation = await world.shown(placed.collectionId)
    await look(operation, SECOND)
    expect(await look(operation, 6 * SECOND)).toMatchObject({ state: "failed" })
    await overNow(placed)
    await run()
    expect(orderOf(placed).isCanceled).toBe(true)
    world.later(MINUTE)
    const late = await look(operation, 2 * MINUTE)
    expect(late.state).toBe("review")
    expect(world.of(placed.collectionId).payments).toEqual([])
    expect(await codeOf(start(placed.sessionId))).toBe("under_review")
  })

  it("[B06] that the last look finds keeps the order", async () => {
    const placed = await place()
    world.simulator.plan({ outcome: "decline_then_approve", times: 1 })
    await start(placed.sessionId)
    const operation = await world.shown(placed.collectionId)
    await look(operation, SECOND)
    await look(operation, 6 * SECOND)
    world.later(MINUTE)
    await overNow(placed)
    await run()
    expect(orderOf(placed).isCanceled).toBe(false)
    expect(await reread(operation)).toMatchObject({ state: "review", reason: "late_payment" })
  })

  it("[B05] paid by hand on the source of a failed payment is held, and the order is kept", async () => {
    const placed = await place()
    const ended = await declined(placed)
    world.simulator.plan({ outcome: "approve", times: 1 })
    world.simulator.hosted.pay(ended.sourceId ?? 0, { method: "mobile_money", phone: PHONE })
    await overNow(placed)
    await run()
    expect(orderOf(placed).isCanceled).toBe(false)
    expect(await reread(ended)).toMatchObject({ state: "review", reason: "late_payment" })
  })

  it("[I1] nothing is sent for an order whose time ended while `start` was at work", async () => {
    const placed = await place()
    const { checkouts, ...rest } = world.gateway
    const slow: FlowDeps = {
      ...world.deps,
      gatewayOf: () => ({
        ...rest,
        token: world.gateway.token,
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
    const draft = await world.shown(placed.collectionId)
    expect(draft).toMatchObject({ state: "drafted", reference: null })
    await look(draft, MINUTE)
    expect(sourceOf(draft)).toBe("CANCELED")
    expect(orderOf(placed).isCanceled).toBe(true)
    expect(await codeOf(start(placed.sessionId))).toBe("order_closed")
  })

  it("[I1] no payment begins for an order whose time ended a moment ago", async () => {
    const placed = await place()
    await declined(placed)
    world.before("showOnSession", () => overNow(placed))
    const session = world.of(placed.collectionId).sessions[0]
    expect(session?.status).toBe("error")
    expect(await codeOf(start(placed.sessionId))).toBe("order_closed")
    expect(await all(placed)).toHaveLength(1)
  })
})

describe("an order that is cancelled in Medusa", () => {
  const cancel = async (placed: Placed) => {
    orderOf(placed).isCanceled = true
    await closePaymentsOfOrder(world.deps, orderOf(placed).id)
  }

  it("[B25] closes its open payment page at the next run of the job", async () => {
    const placed = await place(HOSTED)
    await start(placed.sessionId)
    const operation = await world.shown(placed.collectionId)
    await cancel(placed)
    await run()
    expect(sourceOf(operation)).toBe("CANCELED")
    expect(await reread(operation)).toMatchObject({ state: "expired", reason: "canceled" })
    expect(await codeOf(start(placed.sessionId))).toBe("order_closed")
  })

  it("[B25] closes it also when Medusa's event was lost", async () => {
    const placed = await place(HOSTED)
    await start(placed.sessionId)
    const operation = await world.shown(placed.collectionId)
    orderOf(placed).isCanceled = true
    expect(await look(operation, MINUTE)).toMatchObject({ state: "expired", reason: "canceled" })
    expect(sourceOf(operation)).toBe("CANCELED")
  })

  it("[B25] ends a draft that nobody works at", async () => {
    const placed = await place()
    await cancel(placed)
    await run()
    expect(await world.shown(placed.collectionId)).toMatchObject({
      state: "expired",
      reason: "canceled",
    })
  })

  it("[B29] is watched while a prompt is out; its money is for a person", async () => {
    const placed = await place()
    await start(placed.sessionId)
    const operation = await world.shown(placed.collectionId)
    await cancel(placed)
    await run()
    expect(await reread(operation)).toMatchObject({ state: "in_flight" })
    world.simulator.handset.approve(operation.reference ?? "")
    expect(await look(operation, MINUTE)).toMatchObject({
      state: "review",
      reason: "order_canceled",
    })
    expect(world.of(placed.collectionId).payments).toEqual([])
    await overNow(placed)
    await run()
    expect(await reread(operation)).toMatchObject({ state: "review" })
  })

  it("[B25] sends no prompt a second time", async () => {
    const placed = await place()
    world.simulator.faults.script("executeCollection", ["reset:before"])
    await start(placed.sessionId)
    const operation = await world.shown(placed.collectionId)
    await cancel(placed)
    await look(operation, 2 * MINUTE)
    await look(operation, 2 * MINUTE)
    expect(world.simulator.book.execution(operation.reference ?? "")).toBeUndefined()
    expect(await look(operation, 15 * MINUTE)).toMatchObject({ state: "expired" })
  })

  it("[H24] says aloud that it holds recorded money, and changes nothing", async () => {
    const placed = await place()
    await start(placed.sessionId)
    const operation = await world.shown(placed.collectionId)
    world.simulator.handset.approve(operation.reference ?? "")
    await look(operation, 3 * SECOND)
    const before = await reread(operation)
    expect(before.recordedAt).not.toBeNull()
    await closePaymentsOfOrder(world.deps, orderOf(placed).id)
    expect(await reread(operation)).toMatchObject({ state: "completed" })
    expect(world.logged.join("\n")).toContain(`${operation.id} holds its money`)
  })

  it("[H24] while its money is being settled is stranded by the last reading", async () => {
    const placed = await place()
    await start(placed.sessionId)
    const operation = await world.shown(placed.collectionId)
    world.simulator.handset.approve(operation.reference ?? "")
    world.before("captureOnOrder", async () => {
      orderOf(placed).isCanceled = true
    })
    expect(await look(operation, 3 * SECOND)).toMatchObject({
      state: "review",
      reason: "order_canceled",
    })
    // What Medusa holds of it is cancelled with the order, for the books.
    for (const payment of world.of(placed.collectionId).payments) payment.isCanceled = true
  })
})

it("nothing that waited is left when the days of watching are over", async () => {
  const placed = await place()
  const ended = await declined(placed)
  await overNow(placed)
  await run()
  for (let looks = 0; looks < 6; looks++) await look(ended, DAY)
  expect((await reread(ended)).nextCheckAt).toBeNull()
})
