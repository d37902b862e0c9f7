/**
 * The budget as one pass of the job sees it. Its claim has paid for one question an operation; what is
 * asked beyond that, or not asked after all, is settled when the pass is over.
 */
import type { Operation } from "../core/operation"
import type { CheckBudget } from "./deps"

export type PassBudget = CheckBudget & {
  /** The gateway asked, in this pass, for this account to be left alone. */
  isPaused(accountId: string): boolean
  /** Questions that nobody has paid for yet, by account; below nothing: paid for and not asked. */
  unpaid(): readonly (readonly [accountId: string, questions: number])[]
}

export function passBudget(budget: CheckBudget, claimed: readonly Operation[]): PassBudget {
  const paused = new Set<string>()
  const unpaid = new Map<string, number>()
  const add = (accountId: string, questions: number) =>
    void unpaid.set(accountId, (unpaid.get(accountId) ?? 0) + questions)
  for (const operation of claimed) if (isAsked(operation)) add(operation.accountId, -1)
  return {
    take(accountId, signal) {
      add(accountId, 1)
      return budget.take(accountId, signal)
    },
    pause(accountId, ms) {
      paused.add(accountId)
      budget.pause(accountId, ms)
    },
    allow: (accountId, perSecond) => budget.allow(accountId, perSecond),
    isPaused: (accountId) => paused.has(accountId),
    unpaid: () => [...unpaid].filter(([, questions]) => questions !== 0),
  }
}

/** A look at it asks the gateway; otherwise only Medusa is told, which no budget and no pause holds up. */
export function isAsked(operation: Pick<Operation, "state">): boolean {
  return operation.state !== "completed" && operation.state !== "review"
}
