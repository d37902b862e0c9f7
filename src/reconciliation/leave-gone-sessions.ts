/**
 * Payments whose payment session Medusa has deleted. Medusa tells nobody: its `deletePayment` knows
 * no id of ours (it gets the session's public data only), so the ledger is compared with Medusa's
 * table.
 *
 * A session that was replaced by an equal one is followed. Else a draft ends, and a payment page is
 * closed, by the check that this makes due; a prompt on a phone can't be taken back and goes on
 * being watched. Money that comes all the same is held for a person.
 */
import { LIMITS } from "../core/limits"
import { isPage, isSessionFor, type Operation } from "../core/operation"
import { advanceOperation } from "../ledger/advance-operation"
import type { FlowDeps } from "../engine/deps"
import { rebindOperation } from "../checkout/sql/rebind-operation"
import type { Keep } from "./run-task"
import { findInState } from "./sql/find-for-period"
import { wakeOperations } from "./sql/wake-operations"

/** @returns how many payments have lost their session, of those under way */
export async function leaveGoneSessions(deps: FlowDeps, keep: Keep): Promise<number> {
  let gone = 0
  for (const state of ["drafted", "submitted", "in_flight"] as const) {
    let after: string | undefined
    do {
      const limit = LIMITS.upkeepRowsMax
      const page = await findInState(deps.database, state, after, limit, (error) =>
        deps.logger.error(`merchant payments: ${error.message}`),
      )
      const sessionIds = page.operations.map(({ paymentSessionId }) => paymentSessionId)
      const lost = new Set(await deps.host.goneSessions(sessionIds, LIMITS.sessionGoneAfterMs))
      for (const operation of page.operations) {
        if (!lost.has(operation.paymentSessionId)) continue
        gone += 1
        await leave(deps, operation)
      }
      after = page.next
      await keep()
    } while (after !== undefined)
  }
  return gone
}

async function leave(deps: FlowDeps, operation: Operation): Promise<void> {
  const { paymentCollectionId, providerId } = operation
  const record = await deps.host.record(paymentCollectionId, providerId)
  const heir = record.sessions.find((session) => isSessionFor(operation, session))
  if (heir) {
    await rebindOperation(deps.database, operation, heir.id)
    return
  }
  if (operation.state === "drafted") {
    // A `start` that is at work holds its lease; the check comes after it.
    await wakeOperations(deps.database, [operation.id])
    return
  }
  if (!isPage(operation) || operation.closing !== null || operation.leaseToken !== null) return
  await advanceOperation(deps.database, operation, {
    event: { note: "session_gone" },
    code: "session_deleted",
    changes: { closing: "canceled" },
    next: { inMs: 0 },
  })
}
