/**
 * The three sides and what compares them, for its suites: a real ledger, the simulator, and Medusa's
 * records in memory. Each test leaves records that agree, except for the last of a file.
 */
import type { SimulatorOptions } from "../../packages/simulator/src"
import { ofMedusa, type Operation } from "../../src/core/operation"
import { startPayment } from "../../src/checkout/start-payment"
import { reconcile } from "../../src/reconciliation/reconcile"
import type { KeptDifference } from "../../src/reconciliation/schemas/reconciliation"
import type { FlowDeps } from "../../src/engine/deps"
import { lastPeriod } from "../../src/reconciliation/sql/reconciliations"
import { checkDueOperations } from "../../src/worker/check-due-operations"
import { DAY, money, SECOND } from "./an-operation"
import { PUSH } from "./flows-harness"
import { actsIn, breachesIn, forgetPlans, useFlowsHarness } from "./use-flows-harness"

/** The gateway takes 1.00 too much from this number. */
const OVERSTATED = "+231770000009"

/** Registers the suite's hooks; the harness is there inside tests only. */
export function useReconcileHarness(
  options: SimulatorOptions = {},
  /** Where refunds go on from test to test, the gateway's clock is never set back. */
  { isClockKept = false } = {},
) {
  const harness = useFlowsHarness(options)
  const { start, reread, checkAfter } = actsIn(harness)

  beforeEach(() => harness.ledger.sql("truncate mp_task, mp_reconciliation"))

  afterEach(async () => {
    forgetPlans(harness)
    if (!isClockKept) harness.presently()
    expect(await breachesIn(harness)).toEqual([])
    expect(harness.simulator.contractViolations).toEqual([])
  })

  const reports = async (deps: FlowDeps = harness.deps) =>
    reconcile(deps, await lastPeriod(deps.database, 7 * DAY))

  const differences = async (deps?: FlowDeps): Promise<readonly KeptDifference[]> =>
    (await reports(deps)).flatMap((report) => report.differences)

  /** Under way: the prompt is out, or the page open. */
  async function underWay(providerId = PUSH) {
    const cart = harness.cart(providerId)
    await start(cart.sessionId)
    return { ...cart, operation: await harness.shown(cart.collectionId) }
  }

  function pay({ flow, reference, sourceId }: Operation): void {
    if (flow === "hosted") harness.simulator.hosted.pay(sourceId ?? 0, { method: "card" })
    else harness.simulator.handset.approve(reference ?? "")
  }

  async function paid(providerId = PUSH) {
    const { operation, ...cart } = await underWay(providerId)
    pay(operation)
    const recorded = await checkAfter(operation, 3 * SECOND)
    expect(recorded.recordedAt).not.toBeNull()
    return { ...cart, operation: ofMedusa(recorded) }
  }

  /** 20.99 came in for 19.99. */
  async function overpaid(): Promise<Operation> {
    const { sessionId, collectionId } = harness.cart()
    await startPayment(harness.deps, { sessionId, phone: OVERSTATED })
    harness.later(5 * SECOND)
    const operation = await checkAfter(await harness.shown(collectionId), 5 * SECOND)
    expect(operation).toMatchObject({ reason: "amount_mismatch", collected: money(2_099) })
    const { book } = harness.simulator
    const execution = book.executions().find((one) => one.sourceId === operation.sourceId)
    await harness.ledger.sql("update mp_operation set payment_intent_id = $2 where id = $1", [
      operation.id,
      execution?.paymentIntentId,
    ])
    return reread(operation)
  }

  /** Waits for no refund: `settled` sees each to its end. */
  const quick = (): FlowDeps => ({
    ...harness.deps,
    clock: { ...harness.deps.clock, sleep: () => Promise.resolve() },
  })

  async function settled(): Promise<void> {
    for (let checks = 0; checks < 4; checks++) {
      harness.later(5 * SECOND)
      const refunds = await harness.ledger.sql(
        "select id from mp_operation where type = 'REFUND' and state in ('submitted', 'in_flight')",
      )
      for (const { id } of refunds) await harness.pass(String(id), 6 * SECOND)
      await checkDueOperations(harness.deps, { atMost: 50 })
    }
  }

  const acts = { start, reread, checkAfter, underWay, pay, paid, overpaid, quick, settled }
  return { harness, reports, differences, ...acts }
}
