import { fitConfirmations, PRIOR, type Confirmations } from "../../../core/confirmations"
import { LIMITS } from "../../../core/limits"
import type { Clock } from "../../../core/ports"
import { readConfirmationHistory, type WayToPay } from "../../../ledger/confirmation-history"
import type { Database } from "../../../ledger/database"

/**
 * What the ledger knows of how long payers take, read once in a while for each way to pay. It only says
 * how often to ask, so where it can't be read, what was known before serves.
 */
export function knownConfirmations(
  database: Database,
  clock: Pick<Clock, "monotonicMs">,
): (way: WayToPay) => Promise<Confirmations> {
  const known = new Map<string, { confirmations: Confirmations; untilMs: number }>()
  return async (way) => {
    const key = JSON.stringify([way.accountId, way.flow, way.paymentMethod])
    const now = clock.monotonicMs()
    const found = known.get(key)
    if (found && found.untilMs > now) return found.confirmations
    const before = found?.confirmations ?? PRIOR
    // Whoever looks meanwhile takes the last ones: one statement, not one for each look.
    known.set(key, { confirmations: before, untilMs: now + LIMITS.historyCacheMs })
    try {
      const confirmations = fitConfirmations(await readConfirmationHistory(database, way))
      known.set(key, { confirmations, untilMs: now + LIMITS.historyCacheMs })
      return confirmations
    } catch {
      return before
    }
  }
}
