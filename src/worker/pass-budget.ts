/**
 * The budget as one pass of the job sees it. Each claim has paid for one question for each
 * operation. Questions beyond that, or not asked after all, are settled when the check is over.
 */
import type { Operation } from "../core/operation"
import type { Clock } from "../core/ports"
import { spendChecks } from "../ledger/check-budget"
import type { CheckBudget, FlowDeps } from "../engine/deps"

export type PassBudget = {
  /** Whether the gateway asked in this pass for a pause of the account that has not ended. */
  isPaused(accountId: string): boolean
  /** The budget of one check. @param isPaid whether the claim has paid for its first question */
  ofCheck(
    operation: Operation,
    isPaid?: boolean,
  ): CheckBudget & {
    /** Called when the check is over, or was never begun. */
    end(): void
  }
  /**
   * Questions that are not paid for yet, by account; below zero: paid for and not asked. The caller
   * settles them: a later call does not return them again.
   */
  takeUnpaid(): readonly (readonly [accountId: string, questions: number])[]
}

/** @param signal ends the waiting of checks that wait for their turn to ask */
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
 * Whether a check of the operation asks the gateway. Other operations are only recorded in Medusa,
 * which needs no budget; a refund by policy takes a turn for each of its calls.
 */
export function isAsked(operation: Pick<Operation, "state">): boolean {
  return operation.state !== "completed" && operation.state !== "review"
}

/** Pays from the budget for one question that no claim has paid for, and waits for its turn. */
export async function payQuestion(
  { budget, database }: Pick<FlowDeps, "budget" | "database">,
  accountId: string,
  signal?: AbortSignal,
): Promise<void> {
  await budget.take(accountId, signal)
  await spendChecks(database, accountId, 1)
}
