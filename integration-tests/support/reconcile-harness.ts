/**
 * The three sides and what compares them, for its suites: a real ledger, the simulator, Medusa's
 * books in memory. Each test leaves books that agree, but for the very last one of a file.
 */
import type { Operation } from "../../src/core/operation"
import { reconcile } from "../../src/reconciliation/reconcile"
import type { KeptDifference } from "../../src/reconciliation/rules/reconciliation-responses"
import type { FlowDeps } from "../../src/engine/deps"
import { lastPeriod } from "../../src/reconciliation/sql/reconciliations"
import { DAY, SECOND } from "./an-operation"
import { PUSH } from "./flows-harness"
import { actsIn, breachesIn, forgetPlans, useFlowsHarness } from "./use-flows-harness"

/** Registers the suite's hooks; the harness is there inside tests only. */
export function useReconcileHarness() {
  const harness = useFlowsHarness()
  const { start, reread, checkAfter } = actsIn(harness)

  beforeEach(() => harness.ledger.sql("truncate mp_task, mp_reconciliation"))

  afterEach(async () => {
    forgetPlans(harness)
    harness.presently()
    expect(await breachesIn(harness)).toEqual([])
    expect(harness.simulator.contractViolations).toEqual([])
  })

  async function differences(deps: FlowDeps = harness.deps): Promise<readonly KeptDifference[]> {
    const reports = await reconcile(deps, await lastPeriod(deps.database, 7 * DAY))
    return reports.flatMap((report) => report.differences)
  }

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
    return { ...cart, operation: recorded }
  }

  return { harness, start, reread, checkAfter, differences, underWay, pay, paid }
}
