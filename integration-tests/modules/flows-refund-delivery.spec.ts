/**
 * Refunds that Medusa asked for, brought into its records and taken out of them again, over a real
 * ledger and the simulator, with Medusa in memory. Through Medusa itself
 * `http/refund-delivery.spec.ts` goes.
 */
import { refundMark } from "../../src/refunds/rules/adopt-refund"
import { LIMITS } from "../../src/core/limits"
import type { FlowDeps } from "../../src/engine/deps"
import { resolveOperation } from "../../src/review/resolve"
import { sendRefund } from "../../src/refunds/send-refund-to-gateway"
import { retryRefund } from "../../src/review/retry-refund"
import { HOUR, MINUTE, SECOND } from "../support/an-operation"
import { refundRecordsInMemory, writeCanceling } from "../support/refund-records-in-memory"
import { NOTHING_SHOWN as NOTHING, TOTAL, useRefundScene } from "../support/refund-scene"

const LONG = 10 * MINUTE

const scene = useRefundScene()
const { its, cartOf, click, pass, last, paid, later, shown, sentOf, failedLate, provider } = scene
const { waiting, eventsOf } = scene

const ALL = {
  rows: [TOTAL],
  transactions: [TOTAL],
  creditLines: [TOTAL],
  orderRefunded: 19.99,
  credited: 19.99,
  collectionRefunded: 19.99,
}

describe("a refund that Medusa shows", () => {
  it("is recorded by the next check, before the gateway has said how it ends", async () => {
    const parent = await paid()
    its().simulator.plan({ operationType: "REFUND", outcome: "approve", afterMs: HOUR, times: 1 })
    await click(parent)
    const refund = await pass(await last(parent), 5 * SECOND)
    expect(refund).toMatchObject({ state: "in_flight", leaseToken: null })
    expect(refund.recordedAt).not.toBeNull()
    expect(refund.nextCheckAt).not.toBeNull()
    expect(shown(parent)).toEqual(ALL)
  })

  it("[I7] is due after it completed until it is recorded, and then no more", async () => {
    const parent = await paid()
    await click(parent)
    const refund = await last(parent)
    await pass(refund, 5 * SECOND)
    later()
    const after = await pass(refund, 5 * SECOND)
    expect(after).toMatchObject({ state: "completed", nextCheckAt: null })
    expect(after.recordedAt).not.toBeNull()
    expect(await eventsOf(after)).toContain("recorded")
  })
})

describe("a refund that Medusa does not show", () => {
  it("[H27] is written again in place of a row that stood alone, and nothing is sent", async () => {
    const parent = await paid()
    const row = await click(parent, { dies: "before the transaction" })
    await pass(await last(parent), 5 * SECOND)
    expect(shown(parent)).toMatchObject({ rows: [TOTAL], transactions: [] })
    await pass(await last(parent), LONG)
    const refund = await pass(await last(parent), LONG)
    expect(refund.recordedAt).not.toBeNull()
    expect(refund.hostRefundId).not.toBe(row)
    expect(shown(parent)).toEqual(ALL)
    expect(cartOf(parent).refunds).toMatchObject([{ createdBy: refundMark(refund.id) }])
    expect(sentOf(parent)).toMatchObject([{ timesCalled: 1 }])
  })

  it("[B20] unknown at first, is shown once it has landed", async () => {
    const parent = await paid()
    its().simulator.faults.script("executeRefund", ["reset:after"])
    its().simulator.faults.script(
      "getRefundStatus",
      Array.from({ length: 30 }, () => "500" as const),
    )
    expect(await click(parent)).toBe("refund_in_progress")
    expect(shown(parent)).toEqual(NOTHING)
    its().simulator.faults.clear()
    await pass(await last(parent), LONG)
    const refund = await pass(await last(parent), LONG)
    expect(refund).toMatchObject({ state: "completed" })
    expect(refund.recordedAt).not.toBeNull()
    expect(shown(parent)).toEqual(ALL)
    expect(sentOf(parent)).toMatchObject([{ timesCalled: 1 }])
  })

  it("[B20] is adopted once where an admin and the job bring it at the same moment", async () => {
    const parent = await paid()
    its().simulator.faults.script("executeRefund", ["reset:after"])
    its().simulator.faults.script(
      "getRefundStatus",
      Array.from({ length: 30 }, () => "500" as const),
    )
    await click(parent)
    its().simulator.faults.clear()
    const before = await last(parent)
    // The job has read that Medusa shows nothing; then the admin is faster.
    its().before("makeRefund", async () => void (await click(parent)))
    await pass(before, LONG)
    await pass(before, LONG)
    const refund = await pass(before, LONG)
    expect(refund.recordedAt).not.toBeNull()
    expect(shown(parent)).toEqual(ALL)
    expect(sentOf(parent)).toMatchObject([{ timesCalled: 1 }])
  })

  it("is brought to Medusa again and again, and an error says so from some time on", async () => {
    const parent = await paid()
    await click(parent, { dies: "before the transaction" })
    later()
    const refusing: FlowDeps = {
      ...its().deps,
      host: {
        ...refundRecordsInMemory(its().carts, its().deps.database),
        ...hostWithout(its().deps),
        makeRefund: () => Promise.reject(new Error("the shop's database is full")),
      },
    }
    const errors = () => its().logged.filter((text) => text.includes("database is full"))
    let refund = await pass(await last(parent), LONG, refusing)
    for (let tries = 0; tries < LIMITS.settleRetryMs.length; tries++) {
      refund = await pass(refund, LONG, refusing)
    }
    expect(refund).toMatchObject({ state: "completed", recordedAt: null })
    const [row] = await its().ledger.sql(
      `select extract(epoch from next_check_at - now()) as seconds from mp_operation where id = $1`,
      [refund.id],
    )
    expect(Math.round(Number(row?.["seconds"]) / 60)).toBe(360)
    expect(errors()).toHaveLength(LIMITS.settleRetryMs.length + 1)
    await pass(refund, 6 * HOUR)
    expect((await pass(refund, MINUTE)).recordedAt).not.toBeNull()
    expect(shown(parent)).toEqual(ALL)
  })

  it("[H24] of a cancelled order gets its row, and no second transaction", async () => {
    const parent = await paid()
    its().simulator.faults.script("executeRefund", ["reset:after"])
    its().simulator.faults.script(
      "getRefundStatus",
      Array.from({ length: 30 }, () => "500" as const),
    )
    await click(parent)
    writeCanceling(cartOf(parent), TOTAL)
    its().simulator.faults.clear()
    await pass(await last(parent), LONG)
    const refund = await pass(await last(parent), LONG)
    expect(refund.recordedAt).not.toBeNull()
    expect(shown(parent)).toEqual(ALL)
  })
})

describe("a refund that did not go through", () => {
  it("[B21] is taken out of Medusa, is said once, and is watched as before", async () => {
    const parent = await paid()
    const failed = await failedLate(parent)
    expect(shown(parent)).toEqual(ALL)
    const undone = await pass(failed, LONG)
    expect(undone.undoneAt).not.toBeNull()
    expect(undone.nextCheckAt).not.toBeNull()
    expect(shown(parent)).toEqual(NOTHING)
    expect(its().logged.filter((text) => text.includes("records are put right"))).toHaveLength(1)
    await pass(undone, LONG)
    expect(shown(parent)).toEqual(NOTHING)
    const again = await click(parent)
    expect(cartOf(parent).refunds).toMatchObject([{ id: again }])
  })

  it("[B21] that completes after all waits for a person, and Medusa shows nothing of it", async () => {
    const parent = await paid()
    its().simulator.plan({ operationType: "REFUND", outcome: "decline_then_approve", times: 1 })
    expect(await click(parent)).toBe("gateway_refused")
    await pass(await last(parent), 6 * SECOND)
    const undone = await pass(await last(parent), LONG)
    expect(undone.undoneAt).not.toBeNull()
    later()
    const late = await pass(undone, LONG)
    expect(late).toMatchObject({ state: "review", reason: "late_refund", isDuplicate: true })
    expect(shown(parent)).toEqual(NOTHING)
  })

  it("[B21] that completes after all and is accepted is shown in Medusa once more", async () => {
    const parent = await paid()
    its().simulator.plan({ operationType: "REFUND", outcome: "decline_then_approve", times: 1 })
    await click(parent)
    await pass(await last(parent), 6 * SECOND)
    const undone = await pass(await last(parent), LONG)
    later()
    const late = await pass(undone, LONG)
    await resolveOperation(its().deps, {
      operationId: late.id,
      action: "accept",
      adminId: "user_ada",
      note: "the gateway's portal shows it, too",
    })
    const refund = await pass(await pass(late, LONG), LONG)
    expect(refund).toMatchObject({ state: "completed", isDuplicate: false, undoneAt: null })
    expect(refund.recordedAt).not.toBeNull()
    expect(shown(parent)).toEqual(ALL)
    expect(sentOf(parent)).toHaveLength(1)
    expect(await click(parent)).toBe("refund_too_much")
  })

  it("[H24] leaves no transaction that cancelling an order has written for it", async () => {
    const parent = await paid()
    its().simulator.faults.script("executeRefund", ["422"])
    expect(await click(parent)).toBe("gateway_refused")
    writeCanceling(cartOf(parent), TOTAL)
    const refused = await pass(await last(parent), LONG)
    expect(refused).toMatchObject({ state: "expired", undoneAt: null })
    expect((await pass(refused, LONG)).undoneAt).not.toBeNull()
    expect(shown(parent)).toEqual(NOTHING)
  })

  it("leaves the transaction alone that is another refund's of the same amount", async () => {
    const parent = await paid()
    its().simulator.faults.script("executeRefund", ["422"])
    await click(parent)
    const refused = await pass(await last(parent), LONG)
    const cart = cartOf(parent)
    await click(parent, { dies: "before the transaction" })
    writeCanceling(cart, TOTAL)
    await pass(refused, LONG)
    expect(shown(parent)).toMatchObject({ rows: [TOTAL], transactions: [TOTAL] })
    await pass(await last(parent), LONG)
    expect((await last(parent)).recordedAt).not.toBeNull()
  })

  it("was never shown: nothing is taken out, and nothing more is said", async () => {
    const parent = await paid()
    its().simulator.faults.script("createRefundSession", ["422"])
    expect(await click(parent)).toBe("gateway_refused")
    const refused = await last(parent)
    expect(refused.nextCheckAt).not.toBeNull()
    const undone = await pass(refused, LONG)
    expect(undone.undoneAt).not.toBeNull()
    expect(undone.nextCheckAt).toBeNull()
    expect(its().logged.filter((text) => text.includes("put right"))).toEqual([])
  })
})

describe("trying a refund again", () => {
  const through = (): FlowDeps => {
    const { database } = its().deps
    const records = refundRecordsInMemory(its().carts, database, provider)
    return { ...waiting(), host: { ...hostWithout(its().deps), ...records } }
  }
  const codeOf = (promise: Promise<unknown>) =>
    promise.then(
      () => "done",
      (error: unknown) =>
        error instanceof Error && "code" in error ? String(error.code) : String(error),
    )

  it("goes through Medusa, in the admin's name, as a refund of its own", async () => {
    const parent = await paid()
    const failed = await failedLate(parent)
    expect(await codeOf(retryRefund(through(), failed.id, "user_bea"))).toBe("refund_in_progress")
    await pass(failed, LONG)
    const made = await retryRefund(through(), failed.id, "user_bea")
    expect(made).toMatchObject({ askedBy: "user_bea", hostAmount: failed.hostAmount })
    expect(made.reference).not.toBe(failed.reference)
    expect(shown(parent)).toEqual(ALL)
    expect(await codeOf(retryRefund(through(), failed.id, "user_cay"))).toBe("refund_retried")
    expect(sentOf(parent).filter(({ status }) => status !== "FAILED")).toHaveLength(1)
  })

  it("[B19] by two at once is one", async () => {
    const parent = await paid()
    const failed = await pass(await failedLate(parent), LONG)
    const both = await Promise.all(
      ["user_bea", "user_cay"].map((admin) => codeOf(retryRefund(through(), failed.id, admin))),
    )
    expect(both.filter((said) => said === "done")).toHaveLength(1)
    expect(shown(parent)).toEqual(ALL)
  })

  it("is refused for what did not fail", async () => {
    const parent = await paid()
    await click(parent)
    later()
    const refund = await pass(await last(parent), 5 * SECOND)
    const answers = [refund.id, parent.id, "mpop_nothing"].map((id) =>
      codeOf(retryRefund(through(), id, "user_bea")),
    )
    expect(await Promise.all(answers)).toEqual([
      "refund_unavailable",
      "refund_unavailable",
      "operation_not_found",
    ])
  })

  it("[B34] never goes straight to the gateway once Medusa holds the payment", async () => {
    const parent = await paid()
    its().simulator.faults.script("executeRefund", ["422"])
    await sendRefund(waiting(), {
      operationId: parent.id,
      hostAmount: TOTAL,
      capturedAmount: TOTAL,
      hostRefundId: null,
      askedBy: "user_ada",
      code: "refund_by_medusa",
      isWaitedFor: true,
    })
    await pass(await last(parent), LONG)
    const failed = await pass(await last(parent), LONG)
    expect(await codeOf(retryRefund(through(), failed.id, "user_bea"))).toBe("refund_unavailable")
    expect((await last(parent)).id).toBe(failed.id)
    expect(shown(parent)).toEqual(NOTHING)
  })
})

/** The harness's own host, without what it says of refunds. */
function hostWithout({ host }: FlowDeps): FlowDeps["host"] {
  return Object.create(host) as FlowDeps["host"]
}
