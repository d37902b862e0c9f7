/**
 * Refunds that failed stay in the list of what needs attention until their money is on its way or
 * an admin dismisses them, whatever Medusa was answered. What the list offers is accepted.
 */
import type { Operation } from "../../../src/core/operation"
import { startPayment } from "../../../src/checkout/start-payment"
import { saveAccount } from "../../../src/ledger/accounts/find-accounts"
import { closePaymentsOfOrder } from "../../../src/orders/changed-order"
import { readOperation } from "../../../src/review/read-operations"
import { resolveOperation } from "../../../src/review/resolve"
import { retryRefund } from "../../../src/review/retry-refund"
import {
  countForAPerson,
  listOperations,
  sumForAPerson,
} from "../../../src/review/sql/list-operations"
import { checkNow } from "../../../src/worker/check-due-operations"
import { MINUTE, SECOND } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { PHONE } from "../../support/flows-harness"
import { TOTAL, useRefundHarness } from "../../support/refund-harness"

const LONG = 10 * MINUTE

const scene = useRefundHarness()
const { harness, cartOf, click, checkAfter, refundsOf, last, paid, failedLate, unknown } = scene
const { ask, later, quick, throughMedusa } = scene

/** Which of this payment and its refunds need attention, and why. */
async function listed(parent: Operation): Promise<Record<string, string | null>> {
  const { database } = harness.deps
  const filter = { needsAttention: true }
  const { operations } = await listOperations(database, filter, { limit: 100, offset: 0 })
  const own = operations.filter(
    ({ operation }) => operation.id === parent.id || operation.parentId === parent.id,
  )
  expect(await countForAPerson(database)).toBe(operations.length)
  return Object.fromEntries(own.map(({ operation, attention }) => [operation.id, attention]))
}

const offers = async ({ id }: Operation) => {
  const { actions } = await readOperation(harness.deps, id)
  return actions.filter((one) => one.is_possible).map(({ action }) => action)
}

const retry = ({ id }: Operation, admin = "user_bea") => retryRefund(throughMedusa(), id, admin)

const dismiss = ({ id }: Operation) =>
  resolveOperation(quick(), {
    operationId: id,
    action: "dismiss",
    note: "paid out in cash",
    adminId: "user_ada",
  })

async function cancelOrder(parent: Operation): Promise<void> {
  const { order } = cartOf(parent)
  if (!order) throw new Error("there is no order")
  order.isCanceled = true
  await closePaymentsOfOrder(harness.deps, order.id)
}

/** Refused at once: Medusa has deleted its row; the refund ends once 404 has lasted. */
async function refusedAtOnce(parent: Operation): Promise<Operation> {
  harness.simulator.faults.script("executeRefund", ["422"])
  await click(parent)
  return checkAfter(await last(parent), LONG)
}

/** Nothing was sent: the wallet was too low, or the gateway opened no session. */
async function draftEnded(parent: Operation): Promise<Operation> {
  harness.simulator.faults.script("createRefundSession", ["422"])
  expect(await click(parent)).toBe("gateway_refused")
  return last(parent)
}

/** Its answer was lost, Medusa was refused it, and it failed after that. */
function answerLost(parent: Operation): Promise<Operation> {
  harness.simulator.plan({ operationType: "REFUND", outcome: "insufficient_funds", times: 1 })
  return unknown(parent, TOTAL)
}

describe("a refund that failed", () => {
  it.each([
    ["after Medusa showed it", failedLate],
    ["after its answer was lost", answerLost],
    ["when it was refused at once", refusedAtOnce],
    ["before anything was sent", draftEnded],
  ])("%s is listed, and made once more by what its page offers", async (_, fails) => {
    const parent = await paid()
    let failed = await fails(parent)
    expect(failed.state === "failed" || failed.answeredAt === null).toBe(true)
    for (let n = 0; n < 4; n++) failed = await checkAfter(failed, LONG)
    expect(["failed", "expired"]).toContain(failed.state)
    expect(await listed(parent)).toEqual({ [failed.id]: "refund_failed" })
    expect(await offers(failed)).toEqual(expect.arrayContaining(["retry", "dismiss"]))
    const made = await retry(failed)
    expect(await listed(parent)).toEqual({})
    expect(await offers(failed)).not.toContain("retry")
    expect(await codeOf(retry(failed))).toBe("refund_retried")
    later()
    await checkAfter(made, 5 * SECOND)
    expect((await checkAfter(made, 5 * SECOND)).state).toBe("completed")
    expect(await listed(parent)).toEqual({})
  })

  it("is listed once, by its last try", async () => {
    const parent = await paid()
    const first = await checkAfter(await refusedAtOnce(parent), LONG)
    harness.simulator.faults.script("executeRefund", ["422"])
    expect(await codeOf(retry(first))).not.toBe("none")
    await checkAfter(await last(parent), LONG)
    const second = await checkAfter(await last(parent), LONG)
    expect(second.id).not.toBe(first.id)
    expect(await listed(parent)).toEqual({ [second.id]: "refund_failed" })
    await retry(second)
    expect(await listed(parent)).toEqual({})
  })

  it("is made up for by one more refund, and another of the same amount is not", async () => {
    const parent = await paid()
    for (let n = 0; n < 2; n++) {
      harness.simulator.plan({
        operationType: "REFUND",
        outcome: "approve",
        afterMs: LONG,
        times: 1,
      })
      await click(parent, "5")
    }
    const both = await refundsOf(parent)
    expect(both).toHaveLength(2)
    for (const { reference } of both) {
      harness.simulator.backOffice.settle(reference ?? "", "FAILED")
    }
    for (let n = 0; n < 3; n++) for (const one of both) await checkAfter(one, LONG)
    expect(Object.keys(await listed(parent)).sort()).toEqual(both.map(({ id }) => id).sort())
    const [one, other] = both
    if (!one || !other) throw new Error("there are two")
    await retry(one)
    expect(await listed(parent)).toEqual({ [other.id]: "refund_failed" })
    await retry(other)
    expect(await listed(parent)).toEqual({})
  })

  it("is not made up for by an equal refund that was on its way before", async () => {
    const parent = await paid()
    harness.simulator.plan({ operationType: "REFUND", outcome: "approve", afterMs: LONG, times: 1 })
    await click(parent, "5")
    const failed = await last(parent)
    await click(parent, "5")
    const other = await last(parent)
    expect(other.id).not.toBe(failed.id)
    harness.simulator.backOffice.settle(failed.reference ?? "", "FAILED")
    for (let n = 0; n < 3; n++) {
      await checkAfter(failed, LONG)
      await harness.pass(other.id, LONG)
    }
    expect(await listed(parent)).toEqual({ [failed.id]: "refund_failed" })
    await retry(failed)
    expect(await listed(parent)).toEqual({})
  })

  it("is off the list once an admin dismisses it", async () => {
    const parent = await paid()
    const failed = await checkAfter(await refusedAtOnce(parent), LONG)
    await dismiss(failed)
    expect(await listed(parent)).toEqual({})
    expect(await offers(failed)).not.toContain("dismiss")
    expect(await codeOf(dismiss(failed))).toBe("not_in_review")
    expect(await codeOf(retry(failed))).toBe("already_resolved")
  })

  it("is off the list once the rest of the payment went back", async () => {
    const parent = await paid()
    const failed = await checkAfter(await refusedAtOnce(parent), LONG)
    await click(parent, "5")
    expect(await listed(parent)).toEqual({ [failed.id]: "refund_failed" })
    // Made once more, it takes what is left and no more.
    expect((await retry(failed)).amount.minor).toBe(1_499n)
    expect(await listed(parent)).toEqual({})
  })
})

it("money in review and its failed refund are one case, with the money once", async () => {
  const [account] = await harness.deps.accounts()
  if (!account) throw new Error("there is no account")
  const policies = { ...account.policies, place_late_money: false }
  await saveAccount(harness.deps.database, { ...account, policies })
  const pass = async ({ id }: Operation, ms: number) => {
    await harness.pass(id, ms)
    await checkNow(harness.deps, id)
  }
  const { collectionId, sessionId } = harness.cart()
  harness.simulator.plan({ outcome: "decline_then_approve", times: 1 })
  await startPayment(harness.deps, { sessionId, phone: PHONE })
  const late = await harness.shown(collectionId)
  for (const ms of [SECOND, 6 * SECOND]) await pass(late, ms)
  harness.later(MINUTE)
  await pass(late, 2 * MINUTE)
  expect(await listed(late)).toEqual({ [late.id]: "review" })
  const before = await sumForAPerson(harness.deps.database)
  harness.simulator.faults.script("createRefundSession", ["422"])
  expect(await codeOf(ask(late))).toBe("gateway_refused")
  expect((await last(late)).state).toBe("expired")
  expect(await listed(late)).toEqual({ [late.id]: "review" })
  expect(await sumForAPerson(harness.deps.database)).toEqual(before)
  await saveAccount(harness.deps.database, account)
})

describe("the money of a cancelled order", () => {
  it("is listed until it is refunded, and its page refunds the rest", async () => {
    const parent = await paid()
    await click(parent, "5")
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

  it("is not listed when it has been refunded", async () => {
    const parent = await paid()
    await click(parent)
    await cancelOrder(parent)
    expect(await listed(parent)).toEqual({})
  })

  it("and its failed refund are one case with the money once, and are sent once", async () => {
    const parent = await paid()
    const failed = await failedLate(parent)
    await cancelOrder(parent)
    expect(await listed(parent)).toEqual({ [parent.id]: "order_canceled" })
    expect(await codeOf(retry(parent))).toBe("refund_in_progress")
    expect(await offers(parent)).not.toContain("retry")
    await checkAfter(failed, LONG)
    expect(await offers(parent)).toContain("retry")
    await retry(parent)
    expect(await listed(parent)).toEqual({})
  })

  it("is off the list once an admin dismisses it", async () => {
    const parent = await paid()
    await cancelOrder(parent)
    await dismiss(parent)
    expect(await listed(parent)).toEqual({})
    expect((await readOperation(harness.deps, parent.id)).dismissed_at).toBeNull()
    await closePaymentsOfOrder(harness.deps, cartOf(parent).order?.id ?? "")
    expect(await listed(parent)).toEqual({})
  })
})
