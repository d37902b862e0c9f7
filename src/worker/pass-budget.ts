/**
 * The budget as one pass of the job sees it. The grant has paid for one question for each operation
 * that was claimed at the gateway. Questions beyond that, or not asked after all, are settled when
 * the check is over.
 */
import type { AccountId } from "../core/ids"
import type { Operation } from "../core/operation"
import { spendChecks } from "../ledger/limits/check-budget"
import type { CheckBudget, FlowDeps } from "../engine/deps"

export type PassBudget = Pick<CheckBudget, "isPaused"> & {
  /** The budget of one check. @param isPaid whether the grant has paid for its first question */
  ofCheck(
    operation: Operation,
    isPaid?: boolean,
  ): CheckBudget & {
    /** Called when the check is over, or was never begun. */
    end(): void
  }
  /** Pays for what was asked beyond the grants, and gives back what was not asked. */
  settle(database: FlowDeps["database"]): Promise<void>
}

/** @param signal ends the waiting of checks that wait for their turn to ask */
export function passBudget(budget: CheckBudget, signal?: AbortSignal): PassBudget {
  let unpaid = new Map<AccountId, number>()
  return {
    isPaused: (accountId) => budget.isPaused(accountId),
    ofCheck({ accountId, ...operation }, isPaid = isAsked(operation)) {
      let asked = isPaid ? -1 : 0
      return {
        ...budget,
        take(ofAccount, own) {
          asked += 1
          return budget.take(ofAccount, own ?? signal)
        },
        end() {
          if (asked !== 0) unpaid.set(accountId, (unpaid.get(accountId) ?? 0) + asked)
        },
      }
    },
    async settle(database) {
      const questions = [...unpaid].filter(([, count]) => count !== 0)
      unpaid = new Map()
      for (const [accountId, count] of questions) await spendChecks(database, accountId, count)
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

/** Pays from the budget for one question that no grant has paid for, and waits for its turn. */
export async function payQuestion(
  { budget, database }: Pick<FlowDeps, "budget" | "database">,
  accountId: AccountId,
  signal?: AbortSignal,
): Promise<void> {
  await budget.take(accountId, signal)
  await spendChecks(database, accountId, 1)
}
