/**
 * Money that comes late, twice, or to nobody: through the flows over a real ledger and the simulator. Each
 * is held for a person under a reason, none is applied by itself, none is held twice. After each test the
 * days of watching pass, and then the oracle is asked.
 */
import { documentReference } from "../../src/core/document-reference"
import type { Operation } from "../../src/core/operation"
import { cancelPayment } from "../../src/flows/cancel-payment"
import { checkNow } from "../../src/flows/check-due-operations"
import type { FlowDeps } from "../../src/flows/deps"
import { startPayment } from "../../src/flows/start/start-payment"
import type { Gateway, SourceStatus } from "../../src/gateway"
import { findById } from "../../src/ledger/find-operations"
import { HOUR, MINUTE, money, SECOND } from "../support/an-operation"
import { codeOf } from "../support/document-first"
import { readLedger } from "../support/evidence"
import { HOSTED, PHONE, PUSH, startFlowsWorld, type FlowsWorld } from "../support/flows-world"
import { passForAll, untilQuiet } from "../support/until-quiet"
import { violations } from "../support/violations"

let world: FlowsWorld

beforeAll(async () => {
  world = await startFlowsWorld({ tokenLifeMinutes: 10_000_000 })
}, 60_000)

afterAll(() => world.stop())

/** The book goes on from test to test; the ledger begins anew, and each test at the present. */
let firstSourceId = 0

beforeEach(async () => {
  world.presently()
  await world.ledger.sql(
    "truncate mp_operation, mp_operation_session, mp_operation_event, mp_receipt, mp_party",
  )
  await world.ledger.sql("update mp_account set fee_bearer = null")
  firstSourceId = 1 + Math.max(0, ...world.simulator.book.documents().map(({ id }) => id))
})

afterEach(async () => {
  world.simulator.clearPlans()
  world.simulator.faults.clear()
  await untilQuiet(world)
  const { book } = world.simulator
  const evidence = {
    book: {
      ...book,
      documents: () => book.documents().filter(({ id }) => id >= firstSourceId),
      executions: () => book.executions().filter(({ sourceId }) => sourceId >= firstSourceId),
    },
    ledger: await readLedger((sql, parameters) => world.ledger.sql(sql, parameters)),
    output: { texts: world.logged, secrets: ["simulator-secret"], phones: [PHONE.slice(1)] },
  }
  expect(violations(evidence, { isQuiet: true })).toEqual([])
}, 60_000)

const start = (sessionId: string, deps: FlowDeps = world.deps) =>
  startPayment(deps, { sessionId, phone: PHONE })

async function reread({ id }: Pick<Operation, "id">): Promise<Operation> {
  const found = await findById(world.deps.database, id)
  if (!found) throw new Error(`${id} is gone`)
  return found
}

/** So much later, a look by the job. */
async function look(operation: Operation, afterMs: number, deps = world.deps): Promise<Operation> {
  await passForAll(world, afterMs)
  await world.ledger.sql("update mp_operation set next_check_at = now() where id = $1", [
    operation.id,
  ])
  await checkNow(deps, operation.id)
  return reread(operation)
}

const payByHand = ({ sourceId }: Operation) =>
  world.simulator.hosted.pay(sourceId ?? 0, { method: "card" })

async function started(providerId = PUSH) {
  const cart = world.cart(providerId)
  await start(cart.sessionId)
  return { cart, operation: await world.shown(cart.collectionId) }
}

/** Declined on the handset and seen FAILED twice; with `later`, approved a minute after all the same. */
async function failed(outcome: "decline" | "decline_then_approve" = "decline") {
  world.simulator.plan({ outcome, times: 1 })
  const { cart, operation } = await started()
  await look(operation, SECOND)
  const ended = await look(operation, 6 * SECOND)
  expect(ended.state).toBe("failed")
  return { cart, operation: ended }
}

const operationsOf = (collectionId: string) =>
  world.ledger.sql(
    "select id, state, surplus, reason from mp_operation where payment_collection_id = $1",
    [collectionId],
  )

/** The world's flows, with another word of the gateway about the state of sources. */
function saying(change: (status: SourceStatus) => SourceStatus): FlowDeps {
  const gateway: Gateway = {
    ...world.gateway,
    status: {
      ...world.gateway.status,
      async source(request, options) {
        const outcome = await world.gateway.status.source(request, options)
        return outcome.kind === "done" ? { ...outcome, value: change(outcome.value) } : outcome
      },
    },
  }
  return { ...world.deps, gatewayOf: () => gateway }
}

describe("after an end", () => {
  it("[B05] a push that was refused and carried out all the same is late money", async () => {
    world.simulator.plan({ outcome: "approve", times: 1 })
    world.simulator.faults.script("executeCollection", ["422:after"])
    world.simulator.faults.script("getCollectionStatus", ["404"])
    const cart = world.cart()
    expect(await codeOf(start(cart.sessionId))).toBe("gateway_refused")
    const operation = await world.shown(cart.collectionId)
    expect(operation.state).toBe("expired")
    expect(await look(operation, 5 * MINUTE)).toMatchObject({
      state: "review",
      reason: "late_payment",
      surplus: false,
      collected: money(1_999),
      nextCheckAt: null,
    })
    expect(world.of(cart.collectionId).order).toBeNull()
    expect(await codeOf(start(cart.sessionId))).toBe("under_review")
  })

  it("[B05] a page whose start died and that was paid all the same is late money", async () => {
    const cart = world.cart(HOSTED)
    const dying: FlowDeps = {
      ...world.deps,
      failpoints: {
        at(name) {
          if (name === "page.before_commit") throw new Error("died")
        },
      },
    }
    await expect(start(cart.sessionId, dying)).rejects.toThrow("died")
    const draft = await world.shown(cart.collectionId)
    expect(draft).toMatchObject({ state: "drafted", sourceStatus: "ACTIVE" })
    payByHand(draft)
    await look(draft, 61 * MINUTE)
    expect(await look(draft, SECOND)).toMatchObject({ state: "review", reason: "late_payment" })
  })

  it("[B06] FAILED, later COMPLETED, is late money of an unpaid cart", async () => {
    const { operation } = await failed("decline_then_approve")
    expect(await look(operation, 2 * MINUTE)).toMatchObject({
      state: "review",
      reason: "late_payment",
      surplus: false,
      collected: money(1_999),
    })
  })

  it("[B06] FAILED, later COMPLETED, is surplus when the cart was paid again with its source", async () => {
    const { cart, operation } = await failed("decline_then_approve")
    await start(cart.sessionId)
    const second = await world.shown(cart.collectionId)
    expect(second).toMatchObject({ sourceId: operation.sourceId, state: "in_flight" })
    world.simulator.handset.approve(second.reference ?? "")
    expect(await look(second, 3 * SECOND)).toMatchObject({ state: "completed" })
    expect((await reread(second)).recordedAt).not.toBeNull()
    expect(await look(operation, 2 * MINUTE)).toMatchObject({
      state: "review",
      reason: "late_payment",
      surplus: true,
    })
    expect(world.of(cart.collectionId).completions).toBe(1)
  })

  it("[B06] late money of the first try is not the second's, which was declined", async () => {
    const { cart, operation } = await failed("decline_then_approve")
    await start(cart.sessionId)
    const second = await world.shown(cart.collectionId)
    world.simulator.handset.decline(second.reference ?? "")
    await look(second, 3 * SECOND)
    expect(await look(second, MINUTE)).toMatchObject({ state: "failed", reason: "declined" })
    await untilQuiet(world)
    expect(await reread(operation)).toMatchObject({ state: "review", reason: "late_payment" })
    expect(await reread(second)).toMatchObject({ state: "failed", collected: null })
  })

  it("[B15] a failed push's source that somebody pays by hand is found by the watch", async () => {
    const { cart, operation } = await failed()
    payByHand(operation)
    expect(await look(operation, 2 * MINUTE)).toMatchObject({
      state: "review",
      reason: "late_payment",
      surplus: false,
      collected: money(1_999),
    })
    expect(await codeOf(start(cart.sessionId))).toBe("under_review")
  })

  it("[B15] of several tries with one source, one holds what somebody paid by hand", async () => {
    const { cart, operation } = await failed()
    await start(cart.sessionId)
    const second = await world.shown(cart.collectionId)
    world.simulator.handset.decline(second.reference ?? "")
    await look(second, SECOND)
    expect(await look(second, 6 * SECOND)).toMatchObject({ state: "failed" })
    payByHand(second)
    await untilQuiet(world)
    const rows = await operationsOf(cart.collectionId)
    expect(rows.filter(({ state }) => state === "review")).toHaveLength(1)
    expect(await reread(operation)).toMatchObject({ state: "failed" })
  })

  it("[B15] a start finds what was paid by hand, and asks nobody to pay again", async () => {
    const { cart, operation } = await failed()
    await start(cart.sessionId)
    const second = await world.shown(cart.collectionId)
    world.simulator.handset.decline(second.reference ?? "")
    await look(second, SECOND)
    await look(second, 6 * SECOND)
    payByHand(second)
    expect(await codeOf(start(cart.sessionId))).toBe("under_review")
    const rows = await operationsOf(cart.collectionId)
    expect(rows.map(({ state }) => state).sort()).toEqual(["failed", "review"])
    expect((await reread(operation)).collected).toBeNull()
  })
})

describe("a draft that never sent anything", () => {
  /** With a source, and set back before anything went out. */
  async function stuck() {
    const cart = world.cart()
    world.simulator.faults.script("createCheckoutSession", ["503"])
    expect(await codeOf(start(cart.sessionId))).toBe("gateway_unavailable")
    const draft = await world.shown(cart.collectionId)
    expect(draft).toMatchObject({ state: "drafted", reference: null, sourceStatus: "ACTIVE" })
    return { cart, draft }
  }

  it("[B15] is held for a person when its source was paid by hand", async () => {
    const { cart, draft } = await stuck()
    payByHand(draft)
    expect(await look(draft, 31 * MINUTE)).toMatchObject({ state: "expired" })
    expect(await look(draft, SECOND)).toMatchObject({
      state: "review",
      reason: "late_payment",
      reference: null,
      collected: money(1_999),
    })
    expect(await codeOf(start(cart.sessionId))).toBe("under_review")
  })

  it("[B15] that is continued after its source was paid by hand asks nobody to pay again", async () => {
    const { cart, draft } = await stuck()
    payByHand(draft)
    expect(await codeOf(start(cart.sessionId))).toBe("payment_in_progress")
    expect(await codeOf(start(cart.sessionId))).toBe("under_review")
    expect(await reread(draft)).toMatchObject({ state: "review", reason: "late_payment" })
    const documents = world.simulator.book.documents()
    expect(
      documents.filter(({ referenceId }) => referenceId === documentReference(draft.id)),
    ).toHaveLength(1)
  })

  it("[B15] of a page whose source was idle and is paid by hand meanwhile is found, too", async () => {
    await world.ledger.sql("update mp_account set fee_bearer = 'PAYER'")
    const cart = world.cart(HOSTED)
    world.simulator.faults.script("getPaymentLink", ["503:60"])
    expect(await codeOf(start(cart.sessionId))).toBe("gateway_unavailable")
    const draft = await world.shown(cart.collectionId)
    await world.ledger.sql("update mp_operation set source_status = 'IDLE' where id = $1", [
      draft.id,
    ])
    payByHand(draft)
    expect(await codeOf(start(cart.sessionId))).toBe("payment_in_progress")
    expect(await codeOf(start(cart.sessionId))).toBe("under_review")
  })

  it("does not hold the money of the failed push whose source it took over", async () => {
    const { cart, operation } = await failed("decline_then_approve")
    world.simulator.faults.script("createCheckoutSession", ["503"])
    expect(await codeOf(start(cart.sessionId))).toBe("gateway_unavailable")
    const draft = await world.shown(cart.collectionId)
    expect(draft).toMatchObject({ state: "drafted", sourceId: operation.sourceId })
    await untilQuiet(world)
    const states = [await reread(operation), await reread(draft)].map(({ state }) => state)
    expect(states).toEqual(["review", "expired"])
  })
})

describe("what the gateway says does not agree", () => {
  it("[B08] COMPLETED while the source stays ACTIVE is for a person after 15 minutes", async () => {
    const { operation } = await started()
    world.simulator.handset.approve(operation.reference ?? "")
    const deps = saying((status) => ({ ...status, status: "ACTIVE" }))
    expect(await look(operation, 3 * SECOND, deps)).toMatchObject({ state: "in_flight" })
    expect(await look(operation, 16 * MINUTE, deps)).toMatchObject({
      state: "review",
      reason: "source_disagrees",
      collected: money(1_999),
    })
  })

  it("[B08] declined, and its source paid by hand before the second look, is for a person", async () => {
    world.simulator.plan({ outcome: "decline", times: 1 })
    const { operation } = await started()
    await look(operation, SECOND)
    payByHand(operation)
    expect(await look(operation, 6 * SECOND)).toMatchObject({ state: "submitted" })
    expect(await look(operation, 16 * MINUTE)).toMatchObject({
      state: "review",
      reason: "source_disagrees",
      collected: money(1_999),
    })
  })

  it.each([1_998, 2_000])(
    "[B10] %i paid where 1999 was asked for is never captured",
    async (minor) => {
      const { cart, operation } = await started()
      world.simulator.handset.approve(operation.reference ?? "")
      const deps = saying((status) => ({ ...status, total: money(minor) }))
      expect(await look(operation, 3 * SECOND, deps)).toMatchObject({
        state: "review",
        reason: "amount_mismatch",
        collected: money(minor),
      })
      expect(world.of(cart.collectionId).completions).toBe(0)
      expect(await eventsOf(operation)).toContainEqual(
        expect.objectContaining({ source_total: `${(minor / 100).toFixed(2)} USD` }),
      )
    },
  )

  it("[B11] another currency on the page is never captured, and said in words", async () => {
    const { cart, operation } = await started(HOSTED)
    payByHand(operation)
    const deps = saying((status) => ({ ...status, total: money(1_999, "LRD") }))
    expect(await look(operation, 3 * SECOND, deps)).toMatchObject({
      state: "review",
      reason: "currency_mismatch",
      collected: null,
    })
    expect(world.of(cart.collectionId).completions).toBe(0)
    expect(await eventsOf(operation)).toContainEqual(
      expect.objectContaining({ source_total: "19.99 LRD" }),
    )
  })

  it("[B12] fees on top of the total are the payer's, and no mismatch", async () => {
    await world.ledger.sql("update mp_account set fee_bearer = 'PAYER'")
    const { operation } = await started()
    world.simulator.handset.approve(operation.reference ?? "")
    const paid = await look(operation, 3 * SECOND)
    expect(paid).toMatchObject({ state: "completed", collected: money(1_999) })
    expect(Number(paid.payerAmount)).toBeGreaterThan(19.99)
  })

  async function eventsOf({ id }: Operation): Promise<unknown[]> {
    const rows = await world.ledger.sql(
      "select facts from mp_operation_event where operation_id = $1 order by seq",
      [id],
    )
    return rows.map(({ facts }) => facts)
  }
})

describe("a page", () => {
  it("[B09] whose source is cancelled elsewhere ends, and the cart is free", async () => {
    const { cart, operation } = await started(HOSTED)
    await world.gateway.orders.cancel(operation.sourceId ?? 0)
    expect(await look(operation, 3 * SECOND)).toMatchObject({
      state: "expired",
      reason: "canceled",
    })
    expect(await start(cart.sessionId)).toMatchObject({ state: "waiting_for_payer" })
    expect((await world.shown(cart.collectionId)).sourceId).not.toBe(operation.sourceId)
  })

  it("that a shopper gave up, with the cancelling refused by a limit, pauses and is closed later", async () => {
    const paused: number[] = []
    const deps: FlowDeps = {
      ...world.deps,
      budget: { ...world.deps.budget, pause: (_account, ms) => void paused.push(ms) },
    }
    const { cart, operation } = await started(HOSTED)
    world.simulator.faults.script("cancelOrder", ["429"])
    expect(await codeOf(cancelPayment(deps, { sessionId: cart.sessionId }))).toBe(
      "payment_in_progress",
    )
    expect(paused).toHaveLength(1)
    expect(await look(operation, MINUTE)).toMatchObject({ state: "expired", reason: "canceled" })
  })
})

describe("money that Medusa can't take", () => {
  async function paidWith(change: (collectionId: string) => void): Promise<Operation> {
    const { cart, operation } = await started()
    world.simulator.handset.approve(operation.reference ?? "")
    change(cart.collectionId)
    const after = await look(operation, 3 * SECOND)
    expect(world.of(cart.collectionId).completions).toBe(0)
    return after
  }

  it("[B05] is stranded when its session was deleted", async () => {
    expect(await paidWith((id) => void (world.of(id).sessions = []))).toMatchObject({
      state: "review",
      reason: "session_gone",
      collected: money(1_999),
    })
  })

  it("[B29] is stranded when the order was cancelled", async () => {
    const canceled = (id: string) =>
      void (world.of(id).order = { id: "order_canceled", isCanceled: true })
    expect(await paidWith(canceled)).toMatchObject({ state: "review", reason: "order_canceled" })
  })

  it("[B02] is stranded when the cart has another total", async () => {
    expect(await paidWith((id) => void (world.of(id).total = "24.99"))).toMatchObject({
      state: "review",
      reason: "cart_changed",
    })
  })

  it("[B15] is stranded when another provider's payment has paid the cart", async () => {
    const other = {
      sessionId: "payses_other",
      isCaptured: true,
      isCanceled: false,
      isInOrder: true,
    }
    expect(await paidWith((id) => void world.of(id).payments.push(other))).toMatchObject({
      state: "review",
      reason: "another_payment",
    })
  })
})

describe("the source of a push that has ended", () => {
  it.each([null, "PAYER"])("is closed when no other try may use it (bearer %s)", async (bearer) => {
    await world.ledger.sql("update mp_account set fee_bearer = $1", [bearer])
    const { operation } = await failed()
    const sourceId = operation.sourceId ?? 0
    await look(operation, 2 * MINUTE)
    expect(world.simulator.book.document(sourceId)?.status).toBe("ACTIVE")
    const later = await look(operation, 27 * MINUTE)
    expect(later).toMatchObject({ state: "failed", sourceStatus: "CANCELED" })
    expect(world.simulator.book.document(sourceId)?.status).toBe("CANCELED")
  })

  it("is looked at when the last moment for another try is over", async () => {
    const { operation } = await failed()
    const soon = await look(operation, 15 * MINUTE)
    const dueInMs = (soon.nextCheckAt?.getTime() ?? 0) - soon.readAt.getTime()
    expect(dueInMs).toBeLessThan(15 * MINUTE)
    expect(soon.checks).toBe(operation.checks)
  })

  it("that was refused at once is closed, too", async () => {
    world.simulator.faults.script("executeCollection", ["422"])
    const cart = world.cart()
    expect(await codeOf(start(cart.sessionId))).toBe("gateway_refused")
    const operation = await world.shown(cart.collectionId)
    expect(await look(operation, 5 * MINUTE)).toMatchObject({ sourceStatus: "CANCELED" })
  })

  it("is left to the try that took it over", async () => {
    const { cart, operation } = await failed()
    await start(cart.sessionId)
    const second = await world.shown(cart.collectionId)
    expect(second.sourceId).toBe(operation.sourceId)
    await look(operation, HOUR)
    world.simulator.handset.approve(second.reference ?? "")
    expect(await look(second, SECOND)).toMatchObject({ state: "completed" })
  })
})
