import { readCheckHealth as readHealth, type CheckHealth } from "../ledger/read-check-health"
import type { LedgerDeps } from "../engine/deps"

export type { AccountHealth, CheckHealth } from "../ledger/read-check-health"

/**
 * Whether payments are being checked: the last pass and by whom, the age of the oldest due row, and
 * each account's rate and pause. Reads only; throws when the database is away.
 */
export function readCheckHealth(deps: Pick<LedgerDeps, "database">): Promise<CheckHealth> {
  return readHealth(deps.database)
}
