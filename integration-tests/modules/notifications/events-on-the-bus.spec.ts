/**
 * The events that the shop's code gets on the bus: each at least once, none that isn't in the ledger,
 * and never at a payment's cost. The bus is a list here; the http tests use Medusa's.
 */
import { announcementsOf, type Announcement } from "../../../src/worker/rules/announcements"
import { LIMITS } from "../../../src/core/limits"
import { announce, type Announcer } from "../../../src/worker/announce"
import { sendRefund } from "../../../src/refunds/send-refund-to-gateway"
import { advanceOperation } from "../../../src/ledger/advance-operation"
import { claimHappenings, markAnnounced } from "../../../src/worker/sql/announcements"
import { prune } from "../../../src/reconciliation/sql/prune"
import type { Operation } from "../../../src/core/operation"
import { DAY, MINUTE, SECOND } from "../../support/an-operation"
import { dieAt } from "../../support/moments"
import { HOSTED, PHONE } from "../../support/flows-harness"
import { actsIn, breachesIn, forgetPlans, useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness()
const { start, approved, checkAfter } = actsIn(harness)
let emitted: Announcement[]
let deps: Announcer

beforeEach(async () => {
  await announce({ ...harness.deps, bus: { emit: () => Promise.resolve() } })
  emitted = []
  deps = { ...harness.deps, bus: busOf(emitted) }
})

afterEach(async () => {
  const output = {
    texts: [...harness.logged, JSON.stringify(emitted)],
    secrets: ["simulator-secret"],
    phones: [PHONE],
  }
  expect(await breachesIn(harness, { output })).toEqual([])
  forgetPlans(harness)
})

const busOf = (heard: Announcement[]): Announcer["bus"] => ({
  emit(announcements) {
    heard.push(...announcements)
    return Promise.resolve()
  },
})

const names = (heard: readonly Announcement[] = emitted) =>
  heard.map(({ name }) => name.replace("merchant_payments.", ""))

const reasonOf = ({ data }: Announcement) => ("reason" in data ? data.reason : undefined)

async function started(providerId?: string): Promise<Operation> {
  const { collectionId, sessionId } = harness.cart(providerId)
  await start(sessionId)
  return harness.shown(collectionId)
}

const paid = async () => checkAfter((await approved()).operation, 2 * SECOND)

async function declined(): Promise<Operation> {
  harness.simulator.plan({ outcome: "decline", times: 1 })
  const operation = await started()
  await checkAfter(operation, SECOND)
  return checkAfter(operation, 6 * SECOND)
}

describe("the bus gets one event", () => {
  it("about a payment whose money is proven, with ids and nothing else", async () => {
    const operation = await paid()
    expect(operation.recordedAt).not.toBeNull()
    expect(await announce(deps)).toBe(1)
    const [row] = await harness.ledger.sql(
      "select seq, created_at from mp_operation_event where operation_id = $1 and name = 'complete'",
      [operation.id],
    )
    expect(emitted).toEqual([
      {
        name: "merchant_payments.collection_completed",
        data: {
          id: operation.id,
          event_id: `${operation.id}:${String(row?.["seq"])}:collection_completed`,
          type: "COLLECTION",
          payment_collection_id: operation.paymentCollectionId,
          cart_id: operation.cartId,
          order_id: operation.orderId,
          parent_id: null,
          reason: null,
          occurred_at: (row?.["created_at"] as Date).toISOString(),
        },
      },
    ])
  })

  it("about a payment, even if the job announces again", async () => {
    await paid()
    await announce(deps)
    expect(await announce(deps)).toBe(0)
    expect(names()).toEqual(["collection_completed"])
  })

  it("about a failed payment after the second FAILED, with the reason", async () => {
    harness.simulator.plan({ outcome: "decline", times: 1 })
    const operation = await started()
    await checkAfter(operation, SECOND)
    await announce(deps)
    expect(emitted).toEqual([])
    await checkAfter(operation, 6 * SECOND)
    await announce(deps)
    expect(emitted).toMatchObject([
      { name: "merchant_payments.collection_failed", data: { reason: "declined" } },
    ])
  })

  it("about a page that expired, and none about a draft that no payer saw", async () => {
    const operation = await started(HOSTED)
    const draft = await advanceOperation(harness.deps.database, await emptyDraft(), {
      event: "expire",
      code: "refund_by_medusa",
      changes: { reason: "unknown" },
      next: "never",
    })
    expect(draft?.state).toBe("expired")
    await checkAfter(operation, 61 * MINUTE)
    await announce(deps)
    expect(names()).toEqual(["collection_expired"])
  })

  it("[B05] about money that goes to review, and others about what the admin decides", async () => {
    harness.simulator.plan({ outcome: "decline_then_approve", times: 1 })
    const operation = await started()
    await checkAfter(operation, SECOND)
    await checkAfter(operation, 6 * SECOND)
    harness.later(MINUTE)
    const held = await checkAfter(operation, 2 * MINUTE)
    await announce(deps)
    expect(names()).toEqual(["collection_failed", "review_opened"])
    // The reason of the failure is gone, and the reason of the review isn't taken for it.
    expect(emitted.map(reasonOf)).toEqual([null, "late_payment"])
    emitted.length = 0
    await advanceOperation(harness.deps.database, held, {
      event: "accept",
      code: "checked_by_admin",
      next: { inMs: 0 },
    })
    await announce(deps)
    expect(emitted.map((one) => [one.name.split(".")[1], reasonOf(one)])).toEqual([
      ["review_closed", "accepted"],
      ["collection_completed", null],
    ])
  })

  it("about a completed refund, with the payment that it belongs to", async () => {
    const operation = await paid()
    await announce(deps)
    emitted.length = 0
    const refund = await refunded(operation)
    harness.later(5 * SECOND)
    await checkAfter(refund, 5 * SECOND)
    await announce(deps)
    expect(emitted).toMatchObject([
      {
        name: "merchant_payments.refund_completed",
        data: { id: refund.id, type: "REFUND", parent_id: operation.id },
      },
    ])
  })

  it("about a refund that failed, after the second FAILED", async () => {
    const operation = await paid()
    await announce(deps)
    emitted.length = 0
    harness.simulator.plan({ operationType: "REFUND", outcome: "decline", afterMs: 100, times: 1 })
    const refund = await refunded(operation)
    harness.later(MINUTE)
    await checkAfter(refund, 10 * SECOND)
    expect((await checkAfter(refund, 10 * SECOND)).state).toBe("failed")
    await announce(deps)
    expect(names()).toEqual(["refund_failed"])
  })
})

async function emptyDraft(): Promise<Operation> {
  const { collectionId, sessionId } = harness.cart()
  harness.simulator.faults.script("createCheckoutSource", ["503"])
  await start(sessionId).catch(() => undefined)
  harness.simulator.faults.clear()
  return harness.shown(collectionId)
}

async function refunded({ id }: Operation): Promise<Operation> {
  const made = await sendRefund(harness.deps, {
    operationId: id,
    medusaAmount: "19.99",
    capturedAmount: "19.99",
    medusaRefundId: null,
    askedBy: "a test",
    code: "refund_by_medusa",
    isWaitedFor: false,
  })
  const refund = "refund" in made ? made.refund : undefined
  if (!refund) throw new Error("no refund was made")
  return refund
}

describe("an event that is announced at least once", () => {
  const claimsEnd = () =>
    harness.ledger.sql("update mp_operation_event set announce_after = now() - interval '1 second'")

  it.each([
    ["after begin+1", 1],
    ["after bus.emit", 2],
    ["after bus.emit+1", 1],
  ] as const)("is emitted under one id when the worker dies %s (times: %i)", async (at, times) => {
    await declined()
    const heard: Announcement[] = []
    await dieAt({ ...deps, bus: busOf(heard) }, at, announce)
    // The dead worker's claim holds for a while.
    expect(await announce({ ...deps, bus: busOf(heard) })).toBe(0)
    await claimsEnd()
    await announce({ ...deps, bus: busOf(heard) })
    expect(names(heard)).toEqual(Array<string>(times).fill("collection_failed"))
    expect(new Set(heard.map(({ data }) => data.event_id)).size).toBe(1)
  })

  it("is emitted again when the bus refused it, once the claim has ended", async () => {
    await declined()
    const refusing = { emit: () => Promise.reject(new Error("the bus is away")) }
    await expect(announce({ ...deps, bus: refusing })).rejects.toThrow("the bus is away")
    await claimsEnd()
    await announce(deps)
    expect(names()).toEqual(["collection_failed"])
  })

  it("doesn't hold a worker longer than its limit when the bus never answers", async () => {
    await declined()
    const slept: number[] = []
    const clock = {
      ...harness.deps.clock,
      sleep: (ms: number) => (slept.push(ms), Promise.resolve()),
    }
    const silent = { emit: () => new Promise<void>(() => {}) }
    await expect(announce({ ...deps, clock, bus: silent })).rejects.toThrow(/has not answered/)
    expect(slept).toEqual([LIMITS.announceWithinMs])
    await claimsEnd()
    await announce(deps)
  })

  it("is emitted once by several workers at once", async () => {
    for (let made = 0; made < 5; made++) await declined()
    const lists = [0, 1, 2, 3].map((): Announcement[] => [])
    await Promise.all(lists.map((heard) => announce({ ...deps, bus: busOf(heard) })))
    expect(names(lists.flat())).toEqual(Array<string>(5).fill("collection_failed"))
  })

  it("isn't emitted again when a late worker marks what another has emitted", async () => {
    await declined()
    const [late] = await claimHappenings(harness.deps.database)
    if (!late) throw new Error("nothing was claimed")
    await claimsEnd()
    await announce(deps)
    await markAnnounced(harness.deps.database, [late])
    expect(await announce(deps)).toBe(0)
    expect(announcementsOf(late)).toEqual(emitted)
  })

  it("isn't claimed any more when the worker is asked to end", async () => {
    await declined()
    expect(await announce(deps, AbortSignal.abort())).toBe(0)
    expect(await announce(deps)).toBe(1)
  })

  it("is followed by the next batch while batches are full", async () => {
    const operation = await declined()
    await announce(deps)
    await harness.ledger.sql(
      `insert into mp_operation_event (operation_id, seq, name, state, code)
       select $1, 1000 + n, 'doubt', 'review', 'note' from generate_series(1, $2) n`,
      [operation.id, LIMITS.announcedAtOnce + 1],
    )
    expect(await announce(deps)).toBe(LIMITS.announcedAtOnce + 1)
    await harness.ledger.sql("delete from mp_operation_event where seq > 1000")
  })
})

describe("the ledger, for announcements,", () => {
  it("finds the events to emit by an index", async () => {
    // Enough of them that the planner has a choice to make.
    await harness.ledger.sql(
      `insert into mp_operation_event (operation_id, seq, name, state, code, announced_at)
       select o.id, 1000 + n, 'seen', o.state, 'not_asked', now()
         from mp_operation o, generate_series(1, 5000) n
        where o.id = (select min(id) from mp_operation)`,
    )
    await harness.ledger.sql("analyze mp_operation_event")
    const plan = await harness.ledger.sql(
      `explain select operation_id, seq from mp_operation_event
        where announced_at is null and name in ('complete', 'fail', 'expire', 'doubt', 'strand',
              'accept', 'give_back', 'dismiss')
        order by created_at limit 100`,
    )
    await harness.ledger.sql("delete from mp_operation_event where code = 'not_asked'")
    expect(plan.map((row) => String(row["QUERY PLAN"])).join("\n")).toContain("event_to_announce")
  })

  it("deletes no event before it was emitted", async () => {
    const operation = await declined()
    await harness.ledger.sql(
      `update mp_operation set updated_at = now() - interval '2 years', next_check_at = null
        where id = $1`,
      [operation.id],
    )
    const pruneEvents = () => prune(harness.deps.database, "events", { keptForMs: DAY, limit: 100 })
    expect(await pruneEvents()).toBe(0)
    await announce(deps)
    expect(names()).toEqual(["collection_failed"])
    expect(await pruneEvents()).toBe(1)
    expect(await announce(deps)).toBe(0)
  })
})
