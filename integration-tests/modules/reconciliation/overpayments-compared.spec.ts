/**
 * The gateway took more than was asked for, and an admin has decided about it: the three sides
 * agree then, and the bridge says where the difference is.
 */
import type { Operation } from "../../../src/core/operation"
import type { FlowDeps } from "../../../src/engine/deps"
import { sendRefund } from "../../../src/refunds/send-refund-to-gateway"
import { resolveOperation } from "../../../src/review/resolve"
import { checkDueOperations } from "../../../src/worker/check-due-operations"
import { startPayment } from "../../../src/checkout/start-payment"
import { reconcile } from "../../../src/reconciliation/reconcile"
import type { KeptDifference } from "../../../src/reconciliation/rules/reconciliation-responses"
import { lastPeriod } from "../../../src/reconciliation/sql/reconciliations"
import { DAY, money, SECOND } from "../../support/an-operation"
import { actsIn, breachesIn, useFlowsHarness } from "../../support/use-flows-harness"

/** 1.00 more than asked for is taken from it. */
const OVERSTATED = "+231770000009"

const harness = useFlowsHarness({ partialRefunds: "UNCAPPED" })
const { reread, checkAfter, start } = actsIn(harness)

/** The gateway's clock is never set back: it goes on with the refunds of the test before. */
afterEach(async () => {
  expect(await breachesIn(harness)).toEqual([])
  expect(harness.simulator.contractViolations).toEqual([])
})

async function differences(deps: FlowDeps = harness.deps): Promise<readonly KeptDifference[]> {
  const reports = await reconcile(deps, await lastPeriod(deps.database, 7 * DAY))
  return reports.flatMap((report) => report.differences)
}

/** Waits for no refund: `settled` sees each to its end. */
const quick = (): FlowDeps => ({
  ...harness.deps,
  clock: { ...harness.deps.clock, sleep: () => Promise.resolve() },
})

async function settled(): Promise<void> {
  for (let pass = 0; pass < 4; pass++) {
    harness.later(5 * SECOND)
    const refunds = await harness.ledger.sql(
      "select id from mp_operation where type = 'REFUND' and state in ('submitted', 'in_flight')",
    )
    for (const { id } of refunds) await harness.pass(String(id), 6 * SECOND)
    await checkDueOperations(harness.deps, { atMost: 50 })
  }
}

/** Recorded with what was asked for, and 1.00 more given back or noted. */
async function overpaid(action: "refund_rest" | "accept_asked"): Promise<Operation> {
  const { sessionId, collectionId } = harness.cart()
  await startPayment(harness.deps, { sessionId, phone: OVERSTATED })
  harness.later(5 * SECOND)
  const operation = await checkAfter(await harness.shown(collectionId), 5 * SECOND)
  expect(operation).toMatchObject({ reason: "amount_mismatch", collected: money(2_099) })
  const { book } = harness.simulator
  const intent = book.executions().find((one) => one.sourceId === operation.sourceId)
  await harness.ledger.sql("update mp_operation set payment_intent_id = $2 where id = $1", [
    operation.id,
    intent?.paymentIntentId,
  ])
  await resolveOperation(quick(), {
    operationId: operation.id,
    action,
    note: "one too many",
    adminId: "user_ada",
    ...(action === "refund_rest" ? { expectedAmount: 1 } : {}),
  })
  await settled()
  const recorded = await reread(operation)
  expect(recorded.recordedAt).not.toBeNull()
  return recorded
}

/** Medusa's records with another sum of refunds. */
function showing(refundedAmount: string, { paymentSessionId }: Operation): FlowDeps {
  const { medusa } = harness.deps
  const changed = (rows: Awaited<ReturnType<typeof medusa.paymentsOfSessions>>) =>
    rows.map((one) => (one.sessionId === paymentSessionId ? { ...one, refundedAmount } : one))
  return {
    ...harness.deps,
    medusa: {
      ...medusa,
      paymentsOfPeriod: async (...given) => changed(await medusa.paymentsOfPeriod(...given)),
      paymentsOfSessions: async (...given) => changed(await medusa.paymentsOfSessions(...given)),
    },
  }
}

const codes = async (deps: FlowDeps) => (await differences(deps)).map(({ code }) => code)

it("all agree, and the bridge has the difference where it went", async () => {
  const { sessionId, collectionId } = harness.cart()
  await start(sessionId)
  const plain = await harness.shown(collectionId)
  harness.simulator.handset.approve(plain.reference ?? "")
  expect((await checkAfter(plain, 3 * SECOND)).recordedAt).not.toBeNull()
  await overpaid("refund_rest")
  await overpaid("accept_asked")
  expect(await differences()).toEqual([])
  const [kept] = await harness.ledger.sql("select totals from mp_reconciliation")
  expect(kept?.["totals"]).toMatchObject([
    {
      gateway: { paid: { count: 3, amount: "61.97" } },
      bridge: {
        recorded: { count: 3, amount: "59.97" },
        given_back: { count: 0, amount: "1.00" },
        dismissed: { count: 0, amount: "1.00" },
        remainder: { count: 0, amount: "0.00" },
      },
    },
  ])
})

it("what was noted has not gone back: Medusa has to show all that went back", async () => {
  const operation = await overpaid("accept_asked")
  await sendRefund(quick(), {
    operationId: operation.id,
    medusaAmount: "19.99",
    capturedAmount: "19.99",
    medusaRefundId: null,
    askedBy: "user_ada",
    code: "refund_by_medusa",
    isWaitedFor: false,
  })
  await settled()
  expect(await reread(operation)).toMatchObject({ refundedMinor: 1_999n })
  expect(await codes(showing("19.00", operation))).toEqual(["returned_not_in_medusa"])
  expect(await codes(showing("19.99", operation))).toEqual([])
})

it("what was given back explains no refund in Medusa: it was never there", async () => {
  const operation = await overpaid("refund_rest")
  expect(await codes(showing("1.00", operation))).toContain("refund_unknown")
  expect(await codes(showing("0", operation))).not.toContain("refund_unknown")
})
