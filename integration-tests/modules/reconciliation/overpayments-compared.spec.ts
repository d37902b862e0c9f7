/**
 * The gateway took more than was requested, and an admin has decided about it: then the three sides
 * agree, and what came in above it stays with its payment.
 */
import type { Operation } from "../../../src/core/operation"
import type { FlowDeps } from "../../../src/engine/deps"
import { sendRefund } from "../../../src/refunds/send-refund-to-gateway"
import { resolveOperation } from "../../../src/review/resolve"
import { useReconcileHarness } from "../../support/reconcile-harness"

const { harness, differences, reread, paid, overpaid, quick, settled } = useReconcileHarness(
  { partialRefunds: "UNCAPPED" },
  { isClockKept: true },
)

/** Recorded with the requested amount, and 1.00 more refunded or noted. */
async function decided(action: "refund_rest" | "accept_asked"): Promise<Operation> {
  const operation = await overpaid()
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

it("overpayments that were decided agree on all sides, and count with all that came in", async () => {
  await paid()
  await decided("refund_rest")
  await decided("accept_asked")
  expect(await differences()).toEqual([])
  const [kept] = await harness.ledger.sql("select totals from mp_reconciliation")
  expect(kept?.["totals"]).toMatchObject([
    {
      gateway: { paid: { count: 3, amount: "61.97" } },
      bridge: {
        recorded: { count: 3, amount: "61.97" },
        given_back: { count: 0, amount: "0.00" },
        dismissed: { count: 0, amount: "0.00" },
        remainder: { count: 0, amount: "0.00" },
      },
    },
  ])
})

it("a noted difference counts as not refunded: Medusa has to show all that went back", async () => {
  const operation = await decided("accept_asked")
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

it("a refunded difference explains no refund in Medusa, which never had it", async () => {
  const operation = await decided("refund_rest")
  expect(await codes(showing("1.00", operation))).toContain("refund_unknown")
  expect(await codes(showing("0", operation))).not.toContain("refund_unknown")
})
