/**
 * Money that went back or out and read COMPLETED is asked about once more, with the daily
 * comparison: no document of the gateway's says anything about it, so nothing else would show that
 * the gateway took it back. Completed is final: an answer that contradicts moves no state, and an
 * admin decides.
 */
import { LIMITS } from "../core/limits"
import { sentence } from "../core/messages"
import type { Operation } from "../core/operation"
import type { Account } from "../ledger/accounts/find-accounts"
import { spendChecks } from "../ledger/check-budget"
import type { FlowDeps } from "../engine/deps"
import { gatewayFor } from "../engine/gateway-for"
import { KINDS } from "../engine/kinds"
import { pauseIfAsked } from "../engine/pause-checks"
import { persist } from "../engine/persist"
import type { Keep } from "./run-task"
import { CONFIRMED, CONTRADICTED, findCompletedUnasked } from "./sql/find-completed-unasked"

/** One that gets no answer now is asked about by the next comparison, for as long as a watch lasts. */
export async function askCompletedAgain(
  deps: FlowDeps,
  account: Account,
  keep: Keep,
): Promise<void> {
  const unasked = await findCompletedUnasked(
    deps.database,
    account.id,
    { withinMs: LIMITS.watchForMs, atMost: LIMITS.reconcileQuestionsMax },
    ({ message }) => deps.logger.error(`merchant payments: ${message}`),
  )
  for (const operation of unasked) {
    await keep()
    await askAgain(deps, operation)
  }
}

async function askAgain(deps: FlowDeps, operation: Operation): Promise<void> {
  const { id, type, accountId, reference } = operation
  const gateway = await gatewayFor(deps, operation)
  if (!gateway || reference === null) return
  await spendChecks(deps.database, accountId, 1)
  await deps.budget.take(accountId)
  const { finding } = await KINDS[type].ask(gateway, reference)
  await pauseIfAsked(deps, accountId, finding)
  const { marks, code } = KINDS[type].decide(operation, { execution: finding })
  if (marks?.contradicted === undefined) return
  const isContradicted = marks.contradicted
  const facts = { execution: finding.kind === "seen" ? finding.status : finding.kind }
  const noted = await persist(deps.database, operation, {
    event: { note: isContradicted ? CONTRADICTED : CONFIRMED },
    code,
    facts,
    ...(isContradicted ? { changes: { contradictedAt: true } } : {}),
  })
  if (!noted || !isContradicted) return
  deps.logger.error(
    `merchant payments: the gateway contradicts the ${KINDS[type].word} ${id}, which stays ` +
      `completed: ${sentence("event", code, facts)}`,
  )
}
