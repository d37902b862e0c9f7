/**
 * A payment that completed is asked about once more. Completed is final: whatever the answer,
 * nothing moves. One that says something else than before is noted, once, and told to the merchant.
 */
import { decide, type Findings } from "../core/decide"
import { sentence } from "../core/messages"
import { isPush, type Operation } from "../core/operation"
import type { Gateway } from "../gateway"
import { askExecution, askSource } from "../engine/ask-gateway"
import type { FlowDeps } from "../engine/deps"
import { pauseIfAsked } from "../engine/pause-checks"
import { persist } from "../engine/persist"

/** `unknown`: no trustworthy answer just now. */
export type Reasked = "agrees" | "contradicted" | "unknown"

/** @param operation `completed`, read a moment ago; its lease and its schedule stay as they are */
export async function reaskCompleted(
  deps: FlowDeps,
  gateway: Gateway,
  operation: Operation,
): Promise<Reasked> {
  const findings = await looksAt(deps, gateway, operation)
  await pauseIfAsked(deps, operation.accountId, findings.execution, findings.source)
  const { marks, code } = decide(operation, findings)
  if (marks?.contradicted === undefined) return "unknown"
  const wasContradicted = operation.contradictedAt !== null
  if (marks.contradicted !== wasContradicted) {
    const facts = {
      execution: findings.execution?.kind === "seen" ? findings.execution.status : null,
      source: findings.source?.kind === "seen" ? findings.source.status : null,
    }
    const noted = await persist(deps.database, operation, {
      event: { note: marks.contradicted ? "contradicted" : "agrees_again" },
      code,
      facts,
      changes: { contradictedAt: marks.contradicted },
    })
    if (noted && marks.contradicted) {
      deps.logger.error(
        `merchant payments: the gateway contradicts ${operation.id}, which stays completed: ` +
          sentence("event", code, facts),
      )
    }
  }
  return marks.contradicted ? "contradicted" : "agrees"
}

async function looksAt(deps: FlowDeps, gateway: Gateway, operation: Operation): Promise<Findings> {
  const { accountId, reference, sourceId } = operation
  const findings: { -readonly [Name in keyof Findings]: Findings[Name] } = {}
  if (isPush(operation) && reference !== null) {
    await deps.budget.take(accountId)
    findings.execution = (await askExecution(gateway, reference)).finding
  }
  if (sourceId !== null) {
    await deps.budget.take(accountId)
    findings.source = (await askSource(gateway, operation)).finding
  }
  return findings
}
