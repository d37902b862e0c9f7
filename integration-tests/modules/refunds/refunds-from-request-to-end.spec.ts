/**
 * Refunds from asking to their end: the flows over a real ledger and the simulator, whose book says
 * what truly went back.
 */
import type { Operation } from "../../../src/core/operation"
import { statusOf } from "../../../src/checkout/rules/status"
import { checkDueOperations, checkNow } from "../../../src/worker/check-due-operations"
import type { FlowDeps } from "../../../src/engine/deps"
import { sendRefund, type RefundRequest } from "../../../src/refunds/send-refund-to-gateway"
import { startPayment } from "../../../src/checkout/start-payment"
import { NO_POLICIES } from "../../../src/core/account-policies"
import { findById } from "../../../src/ledger/find-operations"
import { findRefundsOf } from "../../../src/refunds/sql/find-refunds"
import { MINUTE, SECOND } from "../../support/an-operation"
import { dieAt } from "../../support/moments"
import { readLedger } from "../../support/evidence"
import { PHONE, startFlowsHarness, type FlowsHarness } from "../../support/flows-harness"
import { violations } from "../../support/violations"

let harness: FlowsHarness

beforeAll(async () => {
  harness = await startFlowsHarness({ partialRefunds: "UNCAPPED" })
})

afterAll(() => harness.stop())

afterEach(async () => {
  const ledger = await readLedger(harness.ledger.sql)
  const output = { texts: harness.logged, secrets: ["simulator-secret"], phones: [PHONE] }
  expect(violations({ book: harness.simulator.book, ledger, output })).toEqual([])
  // What the gateway asked of one test is no matter of the next.
  await harness.ledger.sql(
    "update mp_account set checks_paused_until = null, checks_left = checks_per_second_max",
  )
  harness.simulator.clearPlans()
  harness.simulator.faults.clear()
})

async function reread({ id }: Operation): Promise<Operation> {
  const found = await findById(harness.deps.database, id)
  if (!found) throw new Error(`${id} is gone`)
  return found
}

/** A cart that was paid by phone and is an order. */
async function paid(): Promise<Operation> {
  const { collectionId, sessionId } = harness.cart()
  await startPayment(harness.deps, { sessionId, phone: PHONE })
  const { id, reference } = await harness.shown(collectionId)
  harness.simulator.handset.approve(reference ?? "")
  await harness.pass(id, 3 * SECOND)
  await checkNow(harness.deps, id)
  const operation = await harness.shown(collectionId)
  expect(operation.recordedAt).not.toBeNull()
  return operation
}

/** Time that a caller waits passes at once, for the ledger's refunds; at the gateway none does. */
const quick: () => FlowDeps = () => ({
  ...harness.deps,
  clock: {
    ...harness.deps.clock,
    sleep: async (ms) => {
      const refunds = await harness.ledger.sql(
        "select id from mp_operation where type = 'REFUND' and next_check_at is not null",
      )
      for (const { id } of refunds) await harness.pass(String(id), ms)
    },
  },
})

const ask = (parent: Operation, given: Partial<RefundRequest> = {}, deps = quick()) =>
  sendRefund(deps, {
    operationId: parent.id,
    medusaAmount: "19.99",
    capturedAmount: "19.99",
    medusaRefundId: null,
    askedBy: "medusa",
    code: "refund_by_medusa",
    isWaitedFor: true,
    ...given,
  })

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    (value) => value,
    (error: unknown) =>
      error instanceof Error && "code" in error ? String(error.code) : String(error),
  )

async function checkAfter(refund: Operation, afterMs: number): Promise<Operation> {
  await harness.pass(refund.id, afterMs)
  await checkNow(harness.deps, refund.id)
  return reread(refund)
}

const refundsOf = (parent: Operation) =>
  harness.simulator.book
    .refunds()
    .filter(({ originalReference }) => originalReference === parent.reference)

async function only(parent: Operation): Promise<Operation> {
  const [refund, ...others] = await findRefundsOf(harness.deps.database, parent.id)
  if (!refund || others.length > 0) throw new Error(`${others.length + 1} refunds, not one`)
  return refund
}

describe("a refund", () => {
  it("goes back once, and the payment is returned when the gateway says so", async () => {
    const parent = await paid()
    const answer = await ask(parent)
    expect(answer).toMatchObject({ kind: "accepted" })
    harness.later(4 * SECOND)
    const refund = await checkAfter(await only(parent), 5 * SECOND)
    expect(refund).toMatchObject({ state: "completed", leaseToken: null, nextCheckAt: null })
    expect(refundsOf(parent)).toMatchObject([{ status: "COMPLETED", amount: "19.99" }])
    const after = await reread(parent)
    expect(after.returnedAt).not.toBeNull()
    const returned = { returned_amount: 19.99, reason: null, can_retry: false }
    expect(statusOf(after)).toMatchObject({ state: "paid", ...returned })
  })

  it("[B13] in three thirds of what Medusa does not round returns what was collected", async () => {
    const parent = await paid()
    for (const medusaAmount of ["6.66358", "6.66358", "6.66359"]) {
      const capturedAmount = "19.99075"
      expect(await ask(parent, { medusaAmount, capturedAmount })).toMatchObject({
        kind: "accepted",
      })
    }
    expect(refundsOf(parent).map(({ amount }) => amount)).toEqual(["6.66", "6.67", "6.66"])
    expect(await ask(parent, { medusaAmount: "0.0001", capturedAmount: "19.99085" })).toEqual({
      kind: "nothing_to_send",
    })
  })

  it("asked for twice under one id of Medusa's is one, also at the same moment", async () => {
    const parent = await paid()
    const medusaRefundId = `ref_${parent.id}`
    const both = await Promise.all(
      [1, 2].map(() => ask(parent, { medusaAmount: "5", medusaRefundId })),
    )
    expect(both.map(({ kind }) => kind)).toEqual(["accepted", "accepted"])
    expect(await ask(parent, { medusaAmount: "5", medusaRefundId })).toMatchObject({
      kind: "accepted",
    })
    expect(refundsOf(parent)).toMatchObject([{ amount: "5.00", timesCalled: 1 }])
  })

  it("[B19] more than is left is refused with what is left, before anything is sent", async () => {
    const parent = await paid()
    const two = await Promise.all(
      ["15", "15"].map((medusaAmount) => codeOf(ask(parent, { medusaAmount }))),
    )
    expect(two).toContain("refund_too_much")
    expect(two).toContainEqual(expect.objectContaining({ kind: "accepted" }))
    expect(refundsOf(parent)).toHaveLength(1)
    await expect(ask(parent, { medusaAmount: "5" })).rejects.toMatchObject({
      code: "refund_too_much",
      details: { left: "4.99" },
    })
  })

  it("[B19] while one is not known, its part is not given back by another", async () => {
    const parent = await paid()
    harness.simulator.faults.script("executeRefund", ["reset:after"])
    harness.simulator.faults.script(
      "getRefundStatus",
      Array.from({ length: 9 }, () => "404"),
    )
    expect(await ask(parent, { medusaAmount: "15" })).toMatchObject({ kind: "in_progress" })
    expect(await codeOf(ask(parent, { medusaAmount: "15" }))).toBe("refund_too_much")
    harness.simulator.faults.clear()
    harness.later(4 * SECOND)
    expect(await checkAfter(await only(parent), MINUTE)).toMatchObject({ state: "completed" })
    expect(refundsOf(parent)).toHaveLength(1)
  })

  it("[N06] whose answer was lost is asked for, not sent again", async () => {
    const parent = await paid()
    harness.simulator.faults.script("executeRefund", ["reset:after"])
    expect(await ask(parent)).toMatchObject({ kind: "accepted" })
    expect(refundsOf(parent)).toMatchObject([{ timesCalled: 1 }])
  })

  it("[N05] that never arrived is sent again under the same reference", async () => {
    const parent = await paid()
    harness.simulator.faults.script("executeRefund", ["reset:before"])
    expect(await ask(parent)).toMatchObject({ kind: "in_progress" })
    const refund = await only(parent)
    await checkAfter(refund, MINUTE)
    const sent = await reread(refund)
    expect([sent.sendings, sent.reference]).toEqual([2, refund.reference])
    harness.later(4 * SECOND)
    expect(await checkAfter(refund, 5 * SECOND)).toMatchObject({ state: "completed" })
    expect(refundsOf(parent)).toMatchObject([{ timesCalled: 1, status: "COMPLETED" }])
  })

  it("never landed only once its session is over and five more minutes say 404", async () => {
    const parent = await paid()
    harness.simulator.faults.script(
      "executeRefund",
      Array.from({ length: 40 }, () => "reset:before"),
    )
    await ask(parent)
    const refund = await only(parent)
    for (let minutes = 0; minutes < 14; minutes++) await checkAfter(refund, MINUTE)
    expect(await checkAfter(refund, MINUTE + SECOND)).toMatchObject({ state: "submitted" })
    expect((await reread(parent)).reservedRefundMinor).toBe(1_999n)
    await checkAfter(refund, MINUTE)
    expect(await checkAfter(refund, 3 * MINUTE)).toMatchObject({ state: "submitted" })
    expect(await checkAfter(refund, 2 * MINUTE)).toMatchObject({
      state: "expired",
      reason: "never_landed",
    })
    expect((await reread(parent)).reservedRefundMinor).toBe(0n)
    harness.simulator.faults.clear()
    expect(await ask(parent)).toMatchObject({ kind: "accepted" })
  })

  it("[B21] FAILED, later COMPLETED, is for a person, and no more than the rest goes back", async () => {
    const parent = await paid()
    harness.simulator.plan({ operationType: "REFUND", outcome: "decline_then_approve", times: 1 })
    expect(await ask(parent, { medusaAmount: "15" })).toMatchObject({ kind: "refused" })
    const refund = await only(parent)
    expect(await checkAfter(refund, 6 * SECOND)).toMatchObject({ state: "failed" })
    harness.later(MINUTE)
    expect(await checkAfter(refund, 2 * MINUTE)).toMatchObject({
      state: "review",
      isDuplicate: true,
      reason: "late_refund",
    })
    expect(await codeOf(ask(parent))).toBe("refund_too_much")
    expect(await ask(parent, { medusaAmount: "4.99" })).toMatchObject({ kind: "accepted" })
  })

  it("[B21] that goes through after all is asked about before the same money is sent again", async () => {
    const parent = await paid()
    harness.simulator.plan({ operationType: "REFUND", outcome: "decline_then_approve", times: 1 })
    expect(await ask(parent)).toMatchObject({ kind: "refused" })
    const refund = await only(parent)
    expect(await checkAfter(refund, 6 * SECOND)).toMatchObject({ state: "failed" })
    harness.later(MINUTE)
    expect(await codeOf(ask(parent))).toBe("refund_in_progress")
    expect(await reread(refund)).toMatchObject({ state: "review", reason: "late_refund" })
    expect(refundsOf(parent)).toHaveLength(1)
    expect(await codeOf(ask(parent))).toBe("refund_too_much")
  })

  it("[B21] is not made again while the gateway can't say whether the one that failed stayed so", async () => {
    const parent = await paid()
    harness.simulator.plan({ operationType: "REFUND", outcome: "insufficient_funds", times: 1 })
    await ask(parent)
    await checkAfter(await only(parent), 6 * SECOND)
    harness.simulator.faults.script(
      "getRefundStatus",
      Array.from({ length: 9 }, () => "500" as const),
    )
    expect(await codeOf(ask(parent))).toBe("gateway_unavailable")
    expect((await reread(parent)).reservedRefundMinor).toBe(0n)
    harness.simulator.faults.clear()
    expect(await ask(parent)).toMatchObject({ kind: "accepted" })
  })

  it.each([
    ["the merchant is not verified", "createRefundSession", "403", "not_verified"],
    [
      "the wallet is too low, and the session says so",
      "createRefundSession",
      "422",
      "gateway_refused",
    ],
    ["the gateway knows no such intent", "createRefundSession", "404", "payment_intent_unknown"],
    ["no session can be opened", "createRefundSession", "500", "gateway_unavailable"],
    ["the session's answer is lost", "createRefundSession", "reset:after", "gateway_unavailable"],
    ["its questions are too many", "createRefundSession", "429:7", "gateway_unavailable"],
  ] as const)(
    "where %s nothing is sent, and nothing stays reserved",
    async (_name, call, fault, code) => {
      const parent = await paid()
      harness.simulator.faults.script(call, [fault])
      expect(await codeOf(ask(parent))).toBe(code)
      expect(refundsOf(parent)).toEqual([])
      expect(await only(parent)).toMatchObject({ state: "expired", reference: null })
      expect((await reread(parent)).reservedRefundMinor).toBe(0n)
      expect(await ask(parent)).toMatchObject({ kind: "accepted" })
    },
  )

  it.each(["403", "422"] as const)(
    "[N20] whose first sending is refused with %s ends, and is free, once 404 has lasted",
    async (fault) => {
      const parent = await paid()
      harness.simulator.faults.script("executeRefund", [fault])
      expect(await ask(parent)).toMatchObject({ kind: "refused", refund: { state: "submitted" } })
      expect((await reread(parent)).reservedRefundMinor).toBe(1_999n)
      expect(await codeOf(ask(parent))).toBe("refund_too_much")
      const refund = await only(parent)
      expect(await checkAfter(refund, 50 * SECOND)).toMatchObject({ state: "submitted" })
      expect(await checkAfter(refund, 11 * SECOND)).toMatchObject({ state: "expired" })
      expect((await reread(parent)).reservedRefundMinor).toBe(0n)
    },
  )

  it("[N20] refused after a sending in doubt stays reserved: the first may have gone through", async () => {
    const parent = await paid()
    harness.simulator.faults.script("executeRefund", ["reset:before", "422"])
    await ask(parent)
    const refund = await only(parent)
    expect(await checkAfter(refund, MINUTE)).toMatchObject({ state: "submitted", sendings: 2 })
    expect((await reread(parent)).reservedRefundMinor).toBe(1_999n)
  })

  it("[P02] whose process died before the sending is ended by the job, and its part is free", async () => {
    const parent = await paid()
    await dieAt(harness.deps, "after sessions.refund=ACTIVE", (deps) => ask(parent, {}, deps))
    const draft = await only(parent)
    await checkNow(harness.deps, draft.id)
    expect(await reread(draft)).toMatchObject({ state: "drafted" })
    // The gateway is asked twice for the reference that the draft was made with.
    await harness.pass(draft.id, MINUTE)
    await checkNow(harness.deps, draft.id)
    expect((await reread(parent)).reservedRefundMinor).toBe(1_999n)
    await harness.pass(draft.id, MINUTE)
    await checkNow(harness.deps, draft.id)
    expect(await reread(draft)).toMatchObject({ state: "expired", nextCheckAt: null })
    expect((await reread(parent)).reservedRefundMinor).toBe(0n)
  })

  it("[P14] is followed by the job to its end when no caller waits for it", async () => {
    const parent = await paid()
    expect(await ask(parent, { isWaitedFor: false })).toMatchObject({ kind: "accepted" })
    const refund = await only(parent)
    harness.later(5 * SECOND)
    await harness.pass(refund.id, 5 * SECOND)
    await checkDueOperations(harness.deps, { atMost: 50 })
    expect(await reread(refund)).toMatchObject({ state: "completed" })
  })
})

describe("before anything is sent it is said", () => {
  const change = (parent: Operation, sql: string) =>
    harness.ledger.sql(`update mp_operation set ${sql} where id = $1`, [parent.id])

  it("[B11] that a part is not clear where the payer's currency is another, or not known", async () => {
    const parent = await paid()
    for (const payerCurrency of ["'LRD'", "null"]) {
      await change(parent, `payer_currency = ${payerCurrency}`)
      expect(await codeOf(ask(parent, { medusaAmount: "5" }))).toBe("refund_unclear")
    }
    const said: FlowDeps = {
      ...quick(),
      accounts: async () =>
        (await harness.deps.accounts()).map((account) => ({
          ...account,
          policies: { ...NO_POLICIES, refund_currency: "SOURCE" },
        })),
    }
    expect(await ask(parent, { medusaAmount: "5" }, said)).toMatchObject({ kind: "accepted" })
  })

  it("that all of it may go back whatever the payer's currency is", async () => {
    const parent = await paid()
    await change(parent, "payer_currency = 'LRD'")
    expect(await ask(parent)).toMatchObject({ kind: "accepted" })
  })

  it("that there are no credentials", async () => {
    const deps: FlowDeps = { ...quick(), gatewayOf: () => undefined }
    expect(await codeOf(ask(await paid(), {}, deps))).toBe("not_configured")
  })

  it("that nothing was collected, or is too small", async () => {
    const { collectionId, sessionId } = harness.cart()
    await startPayment(harness.deps, { sessionId, phone: PHONE })
    expect(await codeOf(ask(await harness.shown(collectionId)))).toBe("refund_unavailable")
    const parent = await paid()
    expect(await codeOf(ask(parent, { medusaAmount: "0.004" }))).toBe("amount_not_payable")
  })
})
