import { fitConfirmations, PRIOR, type Confirmations } from "../../core/confirmations"
import { LIMITS } from "../../core/limits"
import type { Clock } from "../../core/ports"
import { readConfirmationHistory, type PaymentMethodUsed } from "../../ledger/confirmation-history"
import type { Database } from "../../ledger/database"

/**
 * How long payers take to confirm, from the ledger, read once in a while per payment method. It
 * only decides how often to ask, so the former value is used if the read fails.
 */
export function knownConfirmations(
  database: Database,
  clock: Pick<Clock, "monotonicMs">,
): (way: PaymentMethodUsed) => Promise<Confirmations> {
  const known = new Map<string, { confirmations: Confirmations; untilMs: number }>()
  return async (way) => {
    const key = JSON.stringify([way.accountId, way.flow, way.paymentMethod])
    const now = clock.monotonicMs()
    const found = known.get(key)
    if (found && found.untilMs > now) return found.confirmations
    const before = found?.confirmations ?? PRIOR
    // Checks that run meanwhile use the former value, so that one statement is enough.
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
