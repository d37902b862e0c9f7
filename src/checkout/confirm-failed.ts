/**
 * The gateway has said FAILED of a prompt once, which frees nothing, and its shopper goes on: with
 * another try, or with the cart. The second question is asked for them here, at its own time and
 * under the lease that each check needs, so that they wait for no schedule.
 */
import { failedLeftMs } from "../core/decide/decision"
import { LIMITS } from "../core/limits"
import type { Operation } from "../core/operation"
import { check } from "../engine/check"
import type { FlowDeps } from "../engine/deps"
import { gatewayFor } from "../engine/gateway-for"
import type { ShopperTime } from "../engine/shopper-time"
import { claimOperation } from "../ledger/claim-due-operations"
import { findById } from "../ledger/find-operations"
import { releaseOperation } from "../ledger/postpone-operation"

/**
 * Waits out the rest of the time between the two questions, and asks the second one. Where that
 * brings no end, the schedule says when the next may be asked, however often a shopper comes back:
 * a stranger's loop over a cart must not use up the account's questions.
 *
 * @returns the operation as it is then; the one that was given where FAILED was not said of it
 */
export async function confirmFailed(
  deps: FlowDeps,
  given: Operation,
  shopper: ShopperTime,
): Promise<Operation> {
  const leftMs = askableInMs(given)
  if (leftMs === undefined || leftMs > LIMITS.failedSecondCheckMs) return given
  // The process's timer may end a moment before the database's clock says so.
  await deps.clock.sleep(leftMs + LIMITS.tickSlackMs)
  const held = await claimOperation(deps.database, given.id, LIMITS.leaseMs)
  // A worker asks just now, or another tab: its check takes moments.
  if (!held) await deps.clock.sleep(LIMITS.startHeldMs)
  else await askAgain(deps, held, shopper)
  return (await findById(deps.database, given.id)) ?? given
}

/** Milliseconds until the gateway may be asked again; undefined: there is no second question. */
function askableInMs(operation: Operation): number | undefined {
  const { nextCheckAt, readAt } = operation
  const failedMs = failedLeftMs(operation)
  const dueMs = (nextCheckAt ?? readAt).getTime() - readAt.getTime()
  return failedMs === undefined ? undefined : Math.max(failedMs, dueMs)
}

async function askAgain(deps: FlowDeps, held: Operation, shopper: ShopperTime): Promise<void> {
  const isStill = askableInMs(held) === 0
  const gateway = isStill ? await gatewayFor(deps, held) : undefined
  if (gateway) await check(deps, gateway, held, { medusa: deps.medusa, shopper })
  else await releaseOperation(deps.database, held)
}
