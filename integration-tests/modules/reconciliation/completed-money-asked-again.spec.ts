/**
 * The daily comparison checks each completed refund once more: a gateway that said COMPLETED and
 * later says FAILED is noticed, and the ledger stays as it is.
 */
import type { Operation } from "../../../src/core/operation"
import type { FlowDeps } from "../../../src/engine/deps"
import type { Gateway } from "../../../src/gateway"
import { sendRefund } from "../../../src/refunds/send-refund-to-gateway"
import { findRefundsOf } from "../../../src/refunds/sql/find-refunds"
import { SECOND } from "../../support/an-operation"
import { useReconcileHarness } from "../../support/reconcile-harness"
import { said } from "../../support/said"

const { harness, reports, reread, checkAfter, paid, quick } = useReconcileHarness(
  {},
  { isClockKept: true },
)

async function refunded(): Promise<Operation> {
  const { operation } = await paid()
  await sendRefund(quick(), {
    operationId: operation.id,
    medusaAmount: "19.99",
    capturedAmount: "19.99",
    medusaRefundId: null,
    askedBy: "user_ada",
    code: "refund_again",
    isWaitedFor: true,
  })
  const [made] = await findRefundsOf(harness.deps.database, operation.id)
  if (!made) throw new Error("nothing was made")
  harness.later(5 * SECOND)
  return checkAfter(made, 5 * SECOND)
}

/** A gateway whose status of each refund reads so, and how often it was asked. */
function saying(status: string | undefined): { readonly deps: FlowDeps; asked(): number } {
  let asked = 0
  const gateway: Gateway = {
    ...harness.gateway,
    status: {
      ...harness.gateway.status,
      async refund(reference, options) {
        asked += 1
        const outcome = await harness.gateway.status.refund(reference, options)
        if (outcome.kind !== "done" || status === undefined) return outcome
        return { ...outcome, value: { ...outcome.value, status: said(status) } }
      },
    },
  }
  return { deps: { ...harness.deps, gatewayOf: () => gateway }, asked: () => asked }
}

it("a completed refund is checked once more, and never again once it is confirmed", async () => {
  const refund = await refunded()
  expect(refund.state).toBe("completed")
  const { deps, asked } = saying(undefined)
  await reports(deps)
  expect(asked()).toBe(1)
  await reports(deps)
  expect(asked()).toBe(1)
  expect(await reread(refund)).toMatchObject({ state: "completed", contradictedAt: null })
})

it("[B06] a refund that read COMPLETED and reads FAILED is noted and logged, and stays", async () => {
  const refund = await refunded()
  await reports(saying("PROCESSING").deps)
  expect(await reread(refund)).toMatchObject({ contradictedAt: null })
  await reports(saying("FAILED").deps)
  const now = await reread(refund)
  expect(now).toMatchObject({ state: "completed", nextCheckAt: null })
  expect(now.contradictedAt).not.toBeNull()
  expect(harness.logged.join("\n")).toContain(`contradicts the refund ${refund.id}`)
})
