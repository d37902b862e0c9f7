/**
 * Money that was to go back and did not: whoever asked for it and whatever Medusa was answered, it
 * is in the list until it is on its way or a person says that it is dealt with; and what the list
 * offers is accepted.
 */
import type { Operation } from "../../../src/core/operation"
import type { FlowDeps } from "../../../src/engine/deps"
import { closePaymentsOfOrder } from "../../../src/orders/changed-order"
import { findRefundsOf } from "../../../src/refunds/sql/find-refunds"
import { readOperation } from "../../../src/review/read-operations"
import { resolveOperation } from "../../../src/review/resolve"
import { retryRefund } from "../../../src/review/retry-refund"
import { countForAPerson, listOperations } from "../../../src/review/sql/list-operations"
import { MINUTE, SECOND } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { refundRecordsInMemory } from "../../support/refund-records-in-memory"
import { useRefundScene } from "../../support/refund-scene"

const LONG = 10 * MINUTE

const scene = useRefundScene()
const { its, cartOf, click, pass, last, paid, later, failedLate, provider, waiting } = scene

/** Of this payment and its refunds, what needs attention, and why. */
async function listed(parent: Operation): Promise<Record<string, string | null>> {
  const { database } = its().deps
  const filter = { needsAttention: true }
  const { operations } = await listOperations(database, filter, { limit: 100, offset: 0 })
  const own = operations.filter(
    ({ operation }) => operation.id === parent.id || operation.parentId === parent.id,
  )
  expect(await countForAPerson(database)).toBe(operations.length)
  return Object.fromEntries(own.map(({ operation, attention }) => [operation.id, attention]))
}

const offers = async ({ id }: Operation) => {
  const { actions } = await readOperation(its().deps, id)
  return actions.filter((one) => one.is_possible).map(({ action }) => action)
}

const through = (): FlowDeps => {
  const records = refundRecordsInMemory(its().carts, its().deps.database, provider)
  return { ...waiting(), medusa: { ...its().deps.medusa, ...records } }
}

const retry = ({ id }: Operation, admin = "user_bea") => retryRefund(through(), id, admin)

const dismiss = ({ id }: Operation) =>
  resolveOperation(waiting(), {
    operationId: id,
    action: "dismiss",
    note: "paid out in cash",
    adminId: "user_ada",
  })

async function cancelOrder(parent: Operation): Promise<void> {
  const { order } = cartOf(parent)
  if (!order) throw new Error("there is no order")
  order.isCanceled = true
  await closePaymentsOfOrder(its().deps, order.id)
}

/** Refused at once: Medusa was told no, and deleted its row; it ends once 404 has lasted. */
async function refusedAtOnce(parent: Operation): Promise<Operation> {
  its().simulator.faults.script("executeRefund", ["422"])
  await click(parent)
  return pass(await last(parent), LONG)
}

/** Nothing was sent: the wallet was too low, or the gateway opened no session. */
async function draftEnded(parent: Operation): Promise<Operation> {
  its().simulator.faults.script("createRefundSession", ["422"])
  expect(await click(parent)).toBe("gateway_refused")
  return last(parent)
}

/** Its answer was lost, Medusa was told no, and it failed after that. */
async function answerLost(parent: Operation): Promise<Operation> {
  const { simulator } = its()
  simulator.plan({ operationType: "REFUND", outcome: "insufficient_funds", times: 1 })
  simulator.faults.script("executeRefund", ["reset:after"])
  simulator.faults.script(
    "getRefundStatus",
    Array.from({ length: 9 }, () => "404" as const),
  )
  expect(await click(parent)).toBe("refund_in_progress")
  simulator.faults.clear()
  return last(parent)
}

describe("a refund that did not go through", () => {
  it.each([
    ["after Medusa was told yes", failedLate],
    ["whose answer was lost", answerLost],
    ["that was refused at once", refusedAtOnce],
    ["of which nothing was sent", draftEnded],
  ])("%s is listed, and is made once more by what its page offers", async (_, fails) => {
    const parent = await paid()
    let failed = await fails(parent)
    expect(failed.state === "failed" || failed.answeredAt === null).toBe(true)
    for (let n = 0; n < 4; n++) failed = await pass(failed, LONG)
    expect(["failed", "expired"]).toContain(failed.state)
    expect(await listed(parent)).toEqual({ [failed.id]: "refund_failed" })
    expect(await offers(failed)).toEqual(expect.arrayContaining(["retry", "dismiss"]))
    const made = await retry(failed)
    expect(await listed(parent)).toEqual({})
    expect(await offers(failed)).not.toContain("retry")
    expect(await codeOf(retry(failed))).toBe("refund_retried")
    later()
    await pass(made, 5 * SECOND)
    expect((await pass(made, 5 * SECOND)).state).toBe("completed")
    expect(await listed(parent)).toEqual({})
  })

  it("is listed in the name of its last try alone", async () => {
    const parent = await paid()
    const first = await pass(await refusedAtOnce(parent), LONG)
    its().simulator.faults.script("executeRefund", ["422"])
    expect(await codeOf(retry(first))).not.toBe("none")
    await pass(await last(parent), LONG)
    const second = await pass(await last(parent), LONG)
    expect(second.id).not.toBe(first.id)
    expect(await listed(parent)).toEqual({ [second.id]: "refund_failed" })
    await retry(second)
    expect(await listed(parent)).toEqual({})
  })

  it("stands for itself: of two of the same amount, one more refund makes up for one", async () => {
    const parent = await paid()
    for (let n = 0; n < 2; n++) {
      its().simulator.plan({ operationType: "REFUND", outcome: "approve", afterMs: LONG, times: 1 })
      await click(parent, { amount: "5" })
    }
    const both = await findRefundsOf(its().deps.database, parent.id)
    expect(both).toHaveLength(2)
    for (const { reference } of both) {
      its().simulator.backOffice.settle(reference ?? "", "FAILED")
    }
    for (let n = 0; n < 3; n++) for (const one of both) await pass(one, LONG)
    expect(Object.keys(await listed(parent)).sort()).toEqual(both.map(({ id }) => id).sort())
    const [one, other] = both
    if (!one || !other) throw new Error("there are two")
    await retry(one)
    expect(await listed(parent)).toEqual({ [other.id]: "refund_failed" })
    await retry(other)
    expect(await listed(parent)).toEqual({})
  })

  it("is not made up for by another that was on its way before", async () => {
    const parent = await paid()
    its().simulator.plan({ operationType: "REFUND", outcome: "approve", afterMs: LONG, times: 1 })
    await click(parent, { amount: "5" })
    const failed = await last(parent)
    await click(parent, { amount: "5" })
    const other = await last(parent)
    expect(other.id).not.toBe(failed.id)
    its().simulator.backOffice.settle(failed.reference ?? "", "FAILED")
    for (let n = 0; n < 3; n++) {
      await pass(failed, LONG)
      await its().pass(other.id, LONG)
    }
    expect(await listed(parent)).toEqual({ [failed.id]: "refund_failed" })
    await retry(failed)
    expect(await listed(parent)).toEqual({})
  })

  it("is off the list once a person says that it is dealt with", async () => {
    const parent = await paid()
    const failed = await pass(await refusedAtOnce(parent), LONG)
    await dismiss(failed)
    expect(await listed(parent)).toEqual({})
    expect(await offers(failed)).not.toContain("dismiss")
    expect(await codeOf(dismiss(failed))).toBe("not_in_review")
    expect(await codeOf(retry(failed))).toBe("already_resolved")
  })

  it("is off the list once all of the payment went back in another way", async () => {
    const parent = await paid()
    const failed = await pass(await refusedAtOnce(parent), LONG)
    await click(parent, { amount: "5" })
    expect(await listed(parent)).toEqual({ [failed.id]: "refund_failed" })
    // Made once more, it takes what is left and no more.
    expect((await retry(failed)).amount.minor).toBe(1_499n)
    expect(await listed(parent)).toEqual({})
  })
})

describe("the money of a cancelled order", () => {
  it("is listed while nothing gives it back, and the rest goes back from its page", async () => {
    const parent = await paid()
    await click(parent, { amount: "5" })
    expect(await listed(parent)).toEqual({})
    expect(await codeOf(retry(parent))).toBe("refund_unavailable")
    await cancelOrder(parent)
    expect(await listed(parent)).toEqual({ [parent.id]: "order_canceled" })
    expect(await offers(parent)).toEqual(expect.arrayContaining(["retry", "dismiss"]))
    const made = await retry(parent)
    expect(made).toMatchObject({ askedBy: "user_bea", amount: { minor: 1_499n } })
    expect(await listed(parent)).toEqual({})
    expect(await codeOf(retry(parent))).toBe("refund_unavailable")
  })

  it("is not listed where it has gone back", async () => {
    const parent = await paid()
    await click(parent)
    await cancelOrder(parent)
    expect(await listed(parent)).toEqual({})
  })

  it("and its refund that failed are one case with the money once, and are sent once", async () => {
    const parent = await paid()
    const failed = await failedLate(parent)
    await cancelOrder(parent)
    expect(await listed(parent)).toEqual({ [parent.id]: "order_canceled" })
    expect(await codeOf(retry(parent))).toBe("refund_in_progress")
    expect(await offers(parent)).not.toContain("retry")
    await pass(failed, LONG)
    expect(await offers(parent)).toContain("retry")
    await retry(parent)
    expect(await listed(parent)).toEqual({})
  })

  it("is off the list once a person says that it stays", async () => {
    const parent = await paid()
    await cancelOrder(parent)
    await dismiss(parent)
    expect(await listed(parent)).toEqual({})
    expect((await readOperation(its().deps, parent.id)).dismissed_at).toBeNull()
    await closePaymentsOfOrder(its().deps, cartOf(parent).order?.id ?? "")
    expect(await listed(parent)).toEqual({})
  })
})
