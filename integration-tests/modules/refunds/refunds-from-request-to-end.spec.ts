/**
 * Refunds from the request to their end, over a real ledger and the simulator. The simulator's book
 * shows what truly went back.
 */
import { NO_POLICIES } from "../../../src/core/account-settings"
import type { FlowDeps } from "../../../src/engine/deps"
import { statusOf } from "../../../src/checkout/rules/status"
import { startPayment } from "../../../src/checkout/start-payment"
import { checkDueOperations, checkNow } from "../../../src/worker/check-due-operations"
import { MINUTE, SECOND } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { PHONE } from "../../support/flows-harness"
import { dieAt } from "../../support/moments"
import { useRefundHarness } from "../../support/refund-harness"

const scene = useRefundHarness()
const { harness, paid, quick, ask, only, checkAfter, reread, sentOf, set } = scene

describe("a refund", () => {
  it("goes back once, and the payment is returned when the gateway says so", async () => {
    const parent = await paid()
    expect(await ask(parent)).toMatchObject({ kind: "accepted" })
    const refund = await checkAfter(await only(parent), 5 * SECOND)
    expect(refund).toMatchObject({ state: "completed", leaseToken: null, nextCheckAt: null })
    expect(sentOf(parent)).toMatchObject([{ status: "COMPLETED", amount: "19.99" }])
    const after = await reread(parent)
    expect(after.returnedAt).not.toBeNull()
    const returned = { returned_amount: 19.99, reason: null, can_retry: false }
    expect(statusOf(after)).toMatchObject({ state: "paid", ...returned })
  })

  it("[B13] in three thirds of a total that Medusa does not round returns what was collected", async () => {
    const parent = await paid()
    for (const medusaAmount of ["6.66358", "6.66358", "6.66359"]) {
      const capturedAmount = "19.99075"
      expect(await ask(parent, { medusaAmount, capturedAmount })).toMatchObject({
        kind: "accepted",
      })
    }
    expect(sentOf(parent).map(({ amount }) => amount)).toEqual(["6.66", "6.67", "6.66"])
    expect(await ask(parent, { medusaAmount: "0.0001", capturedAmount: "19.99085" })).toEqual({
      kind: "nothing_to_send",
    })
  })

  it("is sent once when it is requested twice under one Medusa id, even at the same moment", async () => {
    const parent = await paid()
    const medusaRefundId = `ref_${parent.id}`
    const both = await Promise.all(
      [1, 2].map(() => ask(parent, { medusaAmount: "5", medusaRefundId })),
    )
    expect(both.map(({ kind }) => kind)).toEqual(["accepted", "accepted"])
    expect(await ask(parent, { medusaAmount: "5", medusaRefundId })).toMatchObject({
      kind: "accepted",
    })
    expect(sentOf(parent)).toMatchObject([{ amount: "5.00", timesCalled: 1 }])
  })

  it("[B19] of more than is left is refused with what is left, before anything is sent", async () => {
    const parent = await paid()
    const two = ["15", "15"].map((medusaAmount) => codeOf(ask(parent, { medusaAmount })))
    expect((await Promise.all(two)).sort()).toEqual(["none", "refund_too_much"])
    expect(sentOf(parent)).toHaveLength(1)
    await expect(ask(parent, { medusaAmount: "5" })).rejects.toMatchObject({
      code: "refund_too_much",
      details: { left: "4.99" },
    })
  })

  it("[N06] whose answer was lost is checked, not sent again", async () => {
    const parent = await paid()
    harness.simulator.faults.script("executeRefund", ["reset:after"])
    expect(await ask(parent)).toMatchObject({ kind: "accepted" })
    expect(sentOf(parent)).toMatchObject([{ timesCalled: 1 }])
  })

  it("[N05] that never arrived is sent again under the same reference", async () => {
    const parent = await paid()
    harness.simulator.faults.script("executeRefund", ["reset:before"])
    expect(await ask(parent)).toMatchObject({ kind: "in_progress" })
    const refund = await only(parent)
    const sent = await checkAfter(refund, MINUTE)
    expect([sent.sendings, sent.reference]).toEqual([2, refund.reference])
    expect(await checkAfter(refund, 5 * SECOND)).toMatchObject({ state: "completed" })
    expect(sentOf(parent)).toMatchObject([{ timesCalled: 1, status: "COMPLETED" }])
  })

  it("expires as never landed only when its session is over and 404 has lasted five more minutes", async () => {
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

  it("[B21] that failed and then completes is checked before its money can be sent again, and waits for an admin", async () => {
    const parent = await paid()
    harness.simulator.plan({ operationType: "REFUND", outcome: "decline_then_approve", times: 1 })
    expect(await ask(parent, { medusaAmount: "15" })).toMatchObject({ kind: "refused" })
    const refund = await only(parent)
    expect(await checkAfter(refund, 6 * SECOND)).toMatchObject({ state: "failed" })
    harness.later(MINUTE)
    expect(await codeOf(ask(parent))).toBe("refund_in_progress")
    expect(await reread(refund)).toMatchObject({
      state: "review",
      isDuplicate: true,
      reason: "late_refund",
    })
    expect(sentOf(parent)).toHaveLength(1)
    expect(await codeOf(ask(parent))).toBe("refund_too_much")
    expect(await ask(parent, { medusaAmount: "4.99" })).toMatchObject({ kind: "accepted" })
  })

  it("[B21] is not made again while the gateway can't confirm that the earlier refund failed", async () => {
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
    ["the session's request is refused", "createRefundSession", "422", "gateway_refused"],
    [
      "the gateway knows no such payment intent",
      "createRefundSession",
      "404",
      "payment_intent_unknown",
    ],
    ["no session can be opened", "createRefundSession", "500", "gateway_unavailable"],
    ["the session's answer is lost", "createRefundSession", "reset:after", "gateway_unavailable"],
    ["the gateway limits requests", "createRefundSession", "429:7", "gateway_unavailable"],
  ] as const)(
    "is not sent where %s, and nothing stays reserved",
    async (_name, call, fault, code) => {
      const parent = await paid()
      harness.simulator.faults.script(call, [fault])
      expect(await codeOf(ask(parent))).toBe(code)
      expect(sentOf(parent)).toEqual([])
      expect(await only(parent)).toMatchObject({ state: "expired", reference: null })
      expect((await reread(parent)).reservedRefundMinor).toBe(0n)
      expect(await ask(parent)).toMatchObject({ kind: "accepted" })
    },
  )

  it.each(["403", "422"] as const)(
    "[N20] whose first sending is refused with %s ends once 404 has lasted, and its part is free",
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

  it("[N20] that is refused after a sending in doubt stays reserved: the first may have gone through", async () => {
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
    await checkAfter(draft, MINUTE)
    expect((await reread(parent)).reservedRefundMinor).toBe(1_999n)
    expect(await checkAfter(draft, MINUTE)).toMatchObject({ state: "expired", nextCheckAt: null })
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

  it("[B11] of a part is refused as unclear where the payer's currency is another or not known", async () => {
    const parent = await paid()
    for (const payerCurrency of ["'LRD'", "null"]) {
      await set(parent, `payer_currency = ${payerCurrency}`)
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

  it("of the whole payment is sent whatever the payer's currency is", async () => {
    const parent = await paid()
    await set(parent, "payer_currency = 'LRD'")
    expect(await ask(parent)).toMatchObject({ kind: "accepted" })
  })

  it("is refused without credentials", async () => {
    const deps: FlowDeps = { ...quick(), gatewayOf: () => undefined }
    expect(await codeOf(ask(await paid(), {}, deps))).toBe("not_configured")
  })

  it("is refused where nothing was collected, or where its amount rounds to nothing", async () => {
    const { collectionId, sessionId } = harness.cart()
    await startPayment(harness.deps, { sessionId, phone: PHONE })
    expect(await codeOf(ask(await harness.shown(collectionId)))).toBe("refund_unavailable")
    expect(await codeOf(ask(await paid(), { medusaAmount: "0.004" }))).toBe("amount_not_payable")
  })
})
