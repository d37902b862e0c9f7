/**
 * Asks again, with the daily comparison, about operations that read COMPLETED. About a refund,
 * payout or transfer it asks once: no source of the gateway says anything about it. About a payment
 * it asks each day for as long as the comparison looks back: an operator may take the money back
 * while the source is listed as paid, and only the execution or the receipt would show that.
 */
import type { Findings } from "../core/decide/decision"
import { LIMITS } from "../core/limits"
import type { Operation } from "../core/operation"
import type { Account } from "../ledger/accounts/find-accounts"
import { spendChecks } from "../ledger/limits/check-budget"
import { askAgain, noteAskedAgain, receiptReads } from "../engine/ask-completed"
import type { FlowDeps } from "../engine/deps"
import { gatewayFor } from "../engine/gateway-for"
import { isReceiptGivenUp } from "../worker/sql/receipts"
import { sourceKey, type GatewaySource } from "./rules/reconciliation"
import type { Keep } from "./run-task"
import {
  findCompletedUnasked,
  findPaymentsToAskAgain,
  noteAsked,
} from "./sql/find-completed-unasked"
import { logUnreadable } from "./sql/find-for-period"

/**
 * An operation that gets no answer now is asked about by the next comparison, for as long as a
 * watch lasts.
 *
 * @param sources the sources as the account's comparison has just read them
 */
export async function askCompletedAgain(
  deps: FlowDeps,
  account: Account,
  sources: readonly GatewaySource[],
  keep: Keep,
): Promise<void> {
  const listed = new Map(sources.map((source) => [sourceKey(source), source.status]))
  const unasked = await findCompletedUnasked(
    deps.database,
    account.id,
    { withinMs: LIMITS.watchForMs, atMost: LIMITS.reconcileQuestionsMax },
    logUnreadable(deps),
  )
  const payments = await findPaymentsToAskAgain(
    deps.database,
    account.id,
    { withinMs: LIMITS.reconcileDaysMs, atMost: LIMITS.completedAskedMax },
    logUnreadable(deps),
  )
  let silent = 0
  for (const operation of [...unasked, ...payments]) {
    await keep()
    const isAnswered = await askOne(deps, operation, listed.get(sourceKey(operation)))
    silent = isAnswered ? 0 : silent + 1
    if (silent >= LIMITS.completedSilentMax) return
  }
}

/** @returns false where the gateway gave no answer */
async function askOne(
  deps: FlowDeps,
  operation: Operation,
  listed: string | undefined,
): Promise<boolean> {
  const { id, type, accountId } = operation
  const gateway = await gatewayFor(deps, operation)
  if (!gateway) return true
  const take = async () => {
    await spendChecks(deps.database, accountId, 1)
    await deps.budget.take(accountId)
  }
  if (type !== "COLLECTION") {
    const findings = await askAgain(gateway, operation, { take })
    await noteAskedAgain(deps, operation, findings)
    return isAnswered(findings)
  }
  const isInDoubt = operation.contradictedAt !== null
  // Only the agreement of all answers ends a doubt, and here the source's status is missing.
  if (isInDoubt && listed === undefined) return true
  // A receipt that the gateway has answered with 404 to the end is not asked for each night.
  const isAsked = !(await isReceiptGivenUp(deps.database, operation.id))
  if (isAsked) await take()
  const beside = [isAsked ? await receiptReads(deps, gateway, operation) : undefined, listed]
  // The lists have said what the source reads. In doubt it is asked too, to end the doubt.
  const about = isInDoubt ? operation : { ...operation, sourceId: null }
  const findings = await askAgain(gateway, about, { beside, take })
  await noteAskedAgain(deps, operation, findings)
  // A page has no execution, and without a receipt its source in the lists is all there is.
  const wasAnswered = isAnswered(findings) || (findings.execution ?? findings.source) === undefined
  if (wasAnswered) await noteAsked(deps.database, id)
  return wasAnswered
}

function isAnswered({ execution, source }: Findings): boolean {
  return [execution, source].some((one) => one?.kind === "seen" || one?.kind === "absent")
}
