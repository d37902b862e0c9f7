/**
 * The three books and what compares them, for its suites: a real ledger, the simulator, Medusa's
 * books in memory. Each test leaves books that agree, but for the very last one of a file.
 */
import type { Operation } from "../../src/core/operation"
import { reconcile } from "../../src/reconciliation/reconcile"
import type { ReportedDifference } from "../../src/reconciliation/report"
import type { FlowDeps } from "../../src/engine/deps"
import { lastPeriod } from "../../src/reconciliation/sql/reconciliations"
import { DAY, SECOND } from "./an-operation"
import { PUSH } from "./flows-world"
import { actsIn, breachesIn, forgetPlans, useFlowsWorld } from "./use-flows-world"

/** Registers the suite's hooks; the world is there inside tests only. */
export function useReconcileWorld() {
  const world = useFlowsWorld()
  const { start, reread, finding } = actsIn(world)

  beforeEach(() => world.ledger.sql("truncate mp_task, mp_reconciliation"))

  afterEach(async () => {
    forgetPlans(world)
    world.presently()
    expect(await breachesIn(world)).toEqual([])
    expect(world.simulator.contractViolations).toEqual([])
  })

  async function differences(deps: FlowDeps = world.deps): Promise<readonly ReportedDifference[]> {
    const reports = await reconcile(deps, await lastPeriod(deps.database, 7 * DAY))
    return reports.flatMap((report) => report.differences)
  }

  /** Under way: the prompt is out, or the page open. */
  async function underWay(providerId = PUSH) {
    const cart = world.cart(providerId)
    await start(cart.sessionId)
    return { ...cart, operation: await world.shown(cart.collectionId) }
  }

  function pay({ flow, reference, sourceId }: Operation): void {
    if (flow === "hosted") world.simulator.hosted.pay(sourceId ?? 0, { method: "card" })
    else world.simulator.handset.approve(reference ?? "")
  }

  async function paid(providerId = PUSH) {
    const { operation, ...cart } = await underWay(providerId)
    pay(operation)
    const recorded = await finding(operation, 3 * SECOND)
    expect(recorded.recordedAt).not.toBeNull()
    return { ...cart, operation: recorded }
  }

  return { world, start, reread, finding, differences, underWay, pay, paid }
}
