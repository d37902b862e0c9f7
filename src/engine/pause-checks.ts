import type { ExecutionFinding, SourceFinding } from "../core/decide/decision"
import { errorText } from "../core/error-text"
import { LIMITS } from "../core/limits"
import { RateLimited, type Failure } from "../gateway"
import { pauseChecks } from "../ledger/check-budget"
import { databaseFault, isAway } from "../ledger/database-error"
import type { FlowDeps } from "./deps"

/**
 * Pauses an account's questions because the gateway asked for it: in this process at once, in all
 * others at their next claim. Never throws: what was learned about the payment is worth more, and a
 * worker that missed the pause meets the gateway's next 429.
 */
async function pauseAccount(
  deps: Pick<FlowDeps, "budget" | "database" | "logger">,
  accountId: string,
  asked: {
    /** Milliseconds of `Retry-After`, cut to what a job obeys; undefined: there was none. */
    readonly forMs: number | undefined
    /** The gateway answered 429, not 503: fewer questions a second from now on. */
    readonly isTooMany: boolean
  },
): Promise<void> {
  const forMs = Math.min(asked.forMs ?? LIMITS.backoffCapMs, LIMITS.retryAfterCapMs)
  deps.budget.pause(accountId, forMs)
  try {
    await pauseChecks(deps.database, accountId, { forMs, isTooMany: asked.isTooMany })
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
  accountId: string,
  ...findings: readonly (ExecutionFinding | SourceFinding | undefined)[]
): Promise<void> {
  for (const finding of findings) {
    if (finding?.kind !== "later") continue
    await pauseAccount(deps, accountId, {
      forMs: finding.afterMs,
      isTooMany: finding.isTooMany === true,
    })
  }
}

/** As {@link pauseIfAsked}, for a call that failed. */
export async function pauseAfter(
  deps: Pick<FlowDeps, "budget" | "database" | "logger">,
  accountId: string,
  { error }: Pick<Failure, "error">,
): Promise<void> {
  const isTooMany = error instanceof RateLimited
  if (!isTooMany && error.retryAfterMs === undefined) return
  await pauseAccount(deps, accountId, { forMs: error.retryAfterMs, isTooMany })
}
