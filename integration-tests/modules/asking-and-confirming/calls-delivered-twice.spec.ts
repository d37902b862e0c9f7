/**
 * A proxy delivers the call that moves money twice, the gateway refuses the repeat, and its status
 * lags behind. Money moves once, whatever anyone clicks next.
 */
import { majorText } from "../../../src/core/money"
import type { Operation } from "../../../src/core/operation"
import { requestPayout } from "../../../src/payouts/request-payout"
import { sendRefund } from "../../../src/refunds/send-refund-to-gateway"
import { findRefundsOf } from "../../../src/refunds/sql/find-refunds"
import { findByIdempotencyKey } from "../../../src/payouts/sql/find-payouts"
import { MINUTE, SECOND } from "../../support/an-operation"
import { codeOf } from "../../support/code-of"
import { letMoneyOut, PASSCODE, payoutOf } from "../../support/payouts-harness"
import { actsIn, breachesIn, forgetPlans, useFlowsHarness } from "../../support/use-flows-harness"

const harness = useFlowsHarness({ repeatedExecution: "REFUSE", passcode: PASSCODE }, ({ ledger }) =>
  letMoneyOut(ledger),
)
const { start, approved, checkAfter } = actsIn(harness)

afterEach(async () => {
  expect(await breachesIn(harness)).toEqual([])
  forgetPlans(harness)
})

const after = (id: string, ms: number) => checkAfter({ id }, ms)

/** The caller waits for nothing. */
const quick = () => ({ ...harness.deps, clock: { ...harness.deps.clock, sleep: async () => {} } })

const refund = (parent: Operation) =>
  sendRefund(quick(), {
    operationId: parent.id,
    medusaAmount: "19.99",
    capturedAmount: majorText(parent.amount),
    medusaRefundId: null,
    askedBy: "user_ada",
    code: "refund_again",
    isWaitedFor: true,
  })

/** How many of the first questions are answered with 404. */
const LAGS = [0, 1, 2, 3]

describe.each(LAGS)("while the status lags for %i questions", (lag) => {
  const lagging = (operation: string) =>
    harness.simulator.faults.script(
      operation,
      Array.from({ length: lag }, () => "404" as const),
    )

  it("[N20] a prompt that is delivered twice is charged once, and never shown as ended", async () => {
    const { collectionId, sessionId } = harness.cart()
    harness.simulator.faults.script("executeCollection", ["twice"])
    lagging("getCollectionStatus")
    expect(await start(sessionId)).toMatchObject({ state: "waiting_for_payer" })
    const { id, reference } = await harness.shown(collectionId)
    for (const ms of [2 * SECOND, 5 * SECOND, 5 * SECOND, 5 * SECOND]) {
      const { state } = await after(id, ms)
      expect(["submitted", "in_flight"]).toContain(state)
    }
    harness.simulator.handset.approve(reference ?? "")
    expect(await after(id, 3 * SECOND)).toMatchObject({ state: "completed", reference })
    expect(harness.simulator.book.chargesOf(reference ?? "")).toBe(1)
    expect(
      harness.simulator.book.executions().filter((one) => one.reference === reference),
    ).toHaveLength(1)
  })

  it("[N20] a refund that is delivered twice is carried out once, however often it is clicked", async () => {
    const { operation } = await approved()
    const parent = await after(operation.id, 3 * SECOND)
    harness.simulator.faults.script("executeRefund", ["twice"])
    lagging("getRefundStatus")
    await refund(parent)
    const [made] = await findRefundsOf(harness.deps.database, parent.id)
    for (const ms of [SECOND, 10 * SECOND, MINUTE]) {
      expect(await codeOf(refund(parent))).toMatch(/^refund_/)
      await after(made?.id ?? "", ms)
    }
    harness.later(5 * SECOND)
    expect(await after(made?.id ?? "", MINUTE)).toMatchObject({ state: "completed" })
    expect(await findRefundsOf(harness.deps.database, parent.id)).toHaveLength(1)
    expect(
      harness.simulator.book.refunds().filter((one) => one.reference === made?.reference),
    ).toHaveLength(1)
  })

  it("[N20] a payout that is delivered twice leaves the wallet once", async () => {
    const request = payoutOf()
    const before = harness.simulator.book.payouts().length
    harness.simulator.faults.script("executePayout", ["twice"])
    lagging("getPayoutStatus")
    await codeOf(requestPayout(harness.deps, request))
    const made = await findByIdempotencyKey(harness.deps.database, request.idempotencyKey)
    const id = made?.operation.id ?? ""
    for (const ms of [SECOND, 10 * SECOND, MINUTE]) {
      expect((await after(id, ms)).state).not.toBe("expired")
    }
    harness.later(5 * SECOND)
    expect(await after(id, MINUTE)).toMatchObject({ state: "completed" })
    expect(harness.simulator.book.payouts()).toHaveLength(before + 1)
  })
})
