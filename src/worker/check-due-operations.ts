/**
 * What the job does at each run: it claims operations that are due and checks them, and goes on
 * while more are due. A payment that completes is settled in the same run. A failed check does not
 * stop the others, and its operation is due again. If the database is away, the pass ends.
 *
 * A pass with `leave` leaves slow checks behind, with their places and leases.
 */
import type { OperationId } from "../core/ids"
import { setMaxListeners } from "node:events"
import { LIMITS } from "../core/limits"
import { claimOperation } from "../ledger/claim-due-operations"
import type { FlowDeps } from "../engine/deps"
import { act } from "./act"
import { claimWork } from "./claim-work"
import type { MedusaWork } from "./due-steps"
import { heldBackWrites } from "./held-back-writes"
import { passBudget } from "./pass-budget"
import { PassWork } from "./pass-work"

type Pass = {
  /**
   * Operations of one account at most in one claim. A claim that took all that it had room for is
   * followed by another, for {@link LIMITS.passMs} at most.
   */
  readonly atMost: number
  /** When aborted, nothing more begins; what waits to ask is given back, and the rest ends. */
  readonly signal?: AbortSignal
  /**
   * Takes the work that is still under way {@link LIMITS.passLeavesAfterMs} after the last claim.
   * It never rejects. Left out: the pass waits for all of it.
   */
  readonly leave?: (rest: Promise<void>) => void
}

/**
 * @returns how many operations were claimed
 * @throws the database's error, when it is away: once, however many checks met it
 */
export async function checkDueOperations(deps: FlowDeps, pass: Pass): Promise<number> {
  const { clock, underWay, database } = deps
  const { signal, leave } = pass
  // Each check that waits for its turn adds a listener, so Node must not warn about their number.
  if (signal) setMaxListeners(0, signal)
  const endsAtMs = clock.monotonicMs() + LIMITS.passMs
  const writes = heldBackWrites(deps)
  const budget = passBudget(deps.budget, signal)
  const work = new PassWork({ ...deps, writes, budget, signal, isLeft: leave !== undefined })
  const atMost = Math.min(pass.atMost, LIMITS.checksInFlight)
  let claimed = 0
  const claim = async () => {
    await budget.settle(database)
    const due = await claimWork(deps, atMost)
    underWay.passed()
    claimed += due.operations.length
    work.begin(due)
  }
  do {
    if (signal?.aborted || clock.monotonicMs() >= endsAtMs) work.claimNoMore()
    else await claim().catch((error: unknown) => work.fail(error))
  } while (await work.hasRoomForMore())
  const end = async () => {
    await writes.end()
    await budget.settle(database)
  }
  // If a write fails, its leases end by themselves, and the next pass reports the database.
  leave?.(
    work
      .rest()
      .then(end)
      .catch(() => undefined),
  )
  if (work.failure) {
    // The first error is thrown; the last writes may meet the same one, which is no news.
    await writes.end().catch(() => undefined)
    throw work.failure.error
  }
  await end()
  return claimed
}

/** Checks one operation now, whatever its schedule says, unless another worker holds it. */
export async function checkNow(
  deps: FlowDeps,
  operationId: OperationId,
  { isForPerson = false } = {},
): Promise<void> {
  const held = await claimOperation(deps.database, operationId, LIMITS.leaseMs, deps.worker)
  if (!held) return
  const writes = heldBackWrites(deps)
  const rest: MedusaWork[] = []
  const thenInMedusa = (work: MedusaWork) => void rest.push(work)
  const own = { ...deps, writes, thenInMedusa, isForPerson }
  try {
    await act(own, { operation: held })
    for (const work of rest) await act(own, work)
  } finally {
    await writes.end()
  }
}
