/**
 * Asks the gateway something small for each account that no shopper uses just now, so that a wrong
 * or rotated secret is noticed before a shopper meets it, and so that a refused client is noticed
 * when the gateway takes it again. What the answers mean is noted where every call is noted
 * (`clients/client-watch.ts`).
 */
import { LIMITS } from "../core/limits"
import type { FlowDeps } from "../engine/deps"
import { listCalledAccounts, listRefusedAccounts } from "../ledger/accounts/refused-clients"

export async function askQuietAccounts(
  { database, budget, accounts, gatewayOf }: FlowDeps,
  signal?: AbortSignal,
): Promise<void> {
  const called = await listCalledAccounts(database, LIMITS.quietAccountMs)
  const refused = await listRefusedAccounts(database)
  for (const account of await accounts()) {
    const { id } = account
    if (signal?.aborted) return
    if ((called.has(id) && !refused.has(id)) || budget.isPaused(id)) continue
    const gateway = gatewayOf(account)
    if (!gateway) continue
    await budget.take(id, signal)
    await gateway.fees.tiers({ patience: "job", deadlineMs: LIMITS.readDeadlineMs, signal })
  }
}
