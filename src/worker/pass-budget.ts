/**
 * The budget as one pass of the job sees it. Each claim has paid for one question an operation;
 * what is asked beyond that, or not asked after all, is settled when the check is over.
 */
import type { Operation } from "../core/operation"
import type { Clock } from "../core/ports"
import { spendChecks } from "../ledger/check-budget"
import type { CheckBudget, FlowDeps } from "../engine/deps"

export type PassBudget = {
  /** The gateway asked in this pass for a pause of this account, and the pause has not ended. */
  isPaused(accountId: string): boolean
  /** The budget of one check. @param isPaid the claim has paid for its first question */
  ofCheck(
    operation: Operation,
    isPaid?: boolean,
  ): CheckBudget & {
    /** The check is over, or was never begun. */
    end(): void
  }
  /**
   * Questions that are not paid for yet, by account; below zero: paid for and not asked. They
   * count as settled from then on.
   */
  takeUnpaid(): readonly (readonly [accountId: string, questions: number])[]
}

/** @param signal ends the waiting of those that wait for their turn to ask */
export function passBudget(
  budget: CheckBudget,
  clock: Pick<Clock, "monotonicMs">,
  signal?: AbortSignal,
): PassBudget {
  const pausedUntilMs = new Map<string, number>()
  let unpaid = new Map<string, number>()
  return {
    isPaused: (accountId) => (pausedUntilMs.get(accountId) ?? -Infinity) > clock.monotonicMs(),
    ofCheck(operation, isPaid = isAsked(operation)) {
      let asked = isPaid ? -1 : 0
      return {
        take(accountId, own) {
          asked += 1
          return budget.take(accountId, own ?? signal)
        },
        pause(accountId, ms) {
          const untilMs = clock.monotonicMs() + ms
          pausedUntilMs.set(accountId, Math.max(pausedUntilMs.get(accountId) ?? untilMs, untilMs))
          budget.pause(accountId, ms)
        },
        allow: (accountId, perSecond) => budget.allow(accountId, perSecond),
        end() {
          const { accountId } = operation
          if (asked !== 0) unpaid.set(accountId, (unpaid.get(accountId) ?? 0) + asked)
        },
      }
    },
    takeUnpaid() {
      const taken = [...unpaid].filter(([, questions]) => questions !== 0)
      unpaid = new Map()
      return taken
    },
  }
}

/**
 * A check of it asks the gateway. Anything else is only recorded, which needs no budget; a refund
 * by policy takes its turn for each of its calls.
 */
export function isAsked(operation: Pick<Operation, "state">): boolean {
  return operation.state !== "completed" && operation.state !== "review"
}

/** One question beside those that the claims have paid for, from the same budget. */
export async function payQuestion(
  { budget, database }: Pick<FlowDeps, "budget" | "database">,
  accountId: string,
  signal?: AbortSignal,
): Promise<void> {
  await budget.take(accountId, signal)
  await spendChecks(database, accountId, 1)
}
