import type { ExecutionFinding, SourceFinding } from "../core/decide/decision"
import { errorText } from "../core/error-text"
import type { AccountId } from "../core/ids"
import { LIMITS } from "../core/limits"
import { RateLimited, type Failure } from "../gateway"
import { pauseChecks } from "../ledger/limits/check-budget"
import { databaseFault, isAway } from "../ledger/database-error"
import { add } from "../telemetry/metrics"
import type { FlowDeps } from "./deps"

/**
 * Pauses an account's questions because the gateway asked for it: in this process at once, in all
 * others at their next claim. Never throws: what was learned about the payment is worth more, and a
 * worker that missed the pause meets the gateway's next 429.
 */
async function pauseAccount(
  deps: Pick<FlowDeps, "budget" | "database" | "logger">,
  accountId: AccountId,
  /** Milliseconds of `Retry-After`; undefined: there was none. */
  askedMs: number | undefined,
): Promise<void> {
  const forMs = Math.min(askedMs ?? LIMITS.backoffCapMs, LIMITS.retryAfterCapMs)
  deps.budget.pause(accountId, forMs)
  add("merchant_payments.pauses", 1)
  try {
    await pauseChecks(deps.database, accountId, forMs)
  } catch (error) {
    // The caller that can do nothing without the database reports that it is away.
    if (isAway(databaseFault(error))) return
    deps.logger.error(
      `merchant payments: the pause of ${accountId} could not be kept: ` + errorText(error),
    )
  }
}

/** Pauses the account if one of the checks was answered with "come back later". */
export async function pauseIfAsked(
  deps: Pick<FlowDeps, "budget" | "database" | "logger">,
  accountId: AccountId,
  ...findings: readonly (ExecutionFinding | SourceFinding | undefined)[]
): Promise<void> {
  for (const finding of findings) {
    if (finding?.kind === "later") await pauseAccount(deps, accountId, finding.afterMs)
  }
}

/** As {@link pauseIfAsked}, for a call that failed. */
export async function pauseAfter(
  deps: Pick<FlowDeps, "budget" | "database" | "logger">,
  accountId: AccountId,
  { error }: Pick<Failure, "error">,
): Promise<void> {
  if (!(error instanceof RateLimited) && error.retryAfterMs === undefined) return
  await pauseAccount(deps, accountId, error.retryAfterMs)
}
