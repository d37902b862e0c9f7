/**
 * What went back or out is asked about once more by the daily comparison: a gateway that said
 * COMPLETED and says FAILED later is noticed, and what the ledger holds stays as it is.
 */
import type { Operation } from "../../../src/core/operation"
import type { FlowDeps } from "../../../src/engine/deps"
import type { Gateway } from "../../../src/gateway"
import { sendRefund } from "../../../src/refunds/send-refund-to-gateway"
import { findRefundsOf } from "../../../src/refunds/sql/find-refunds"
import { reconcile } from "../../../src/reconciliation/reconcile"
import { lastPeriod } from "../../../src/reconciliation/sql/reconciliations"
import { DAY, SECOND } from "../../support/an-operation"
import { actsIn, breachesIn, useFlowsHarness } from "../../support/use-flows-harness"
import { said } from "../../support/said"

const harness = useFlowsHarness()
const { reread, checkAfter, start } = actsIn(harness)

/** The gateway's clock is never set back: its refunds are done by it. */
afterEach(async () => expect(await breachesIn(harness)).toEqual([]))

const compare = async (deps: FlowDeps) => reconcile(deps, await lastPeriod(deps.database, 7 * DAY))

async function paid(): Promise<Operation> {
  const { sessionId, collectionId } = harness.cart()
  await start(sessionId)
  const operation = await harness.shown(collectionId)
  harness.simulator.handset.approve(operation.reference ?? "")
  return checkAfter(operation, 3 * SECOND)
}

const quick = (): FlowDeps => ({
  ...harness.deps,
  clock: { ...harness.deps.clock, sleep: () => Promise.resolve() },
})

async function refunded(): Promise<Operation> {
  const operation = await paid()
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

it("a completed refund is asked about once more, and never again once it is confirmed", async () => {
  const refund = await refunded()
  expect(refund.state).toBe("completed")
  const { deps, asked } = saying(undefined)
  await compare(deps)
  expect(asked()).toBe(1)
  await compare(deps)
  expect(asked()).toBe(1)
  expect(await reread(refund)).toMatchObject({ state: "completed", contradictedAt: null })
})

it("[B06] a refund that read COMPLETED and reads FAILED is noted and logged, and stays", async () => {
  const refund = await refunded()
  await compare(saying("PROCESSING").deps)
  expect(await reread(refund)).toMatchObject({ contradictedAt: null })
  await compare(saying("FAILED").deps)
  const now = await reread(refund)
  expect(now).toMatchObject({ state: "completed", nextCheckAt: null })
  expect(now.contradictedAt).not.toBeNull()
  expect(harness.logged.join("\n")).toContain(`contradicts the refund ${refund.id}`)
})
