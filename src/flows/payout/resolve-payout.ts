/**
 * A payout or a transfer of which nobody knows what became of it, or that went out after it had been
 * called ended. Accepting says that it went out, dismissing that it did not; neither is believed against
 * the gateway's word. One that is dismissed without that word is watched as any that failed.
 */
import { LIMITS } from "../../core/limits"
import type { Operation } from "../../core/operation"
import { Refusal } from "../../core/refusal"
import { advanceOperation, type Advance } from "../../ledger/advance-operation"
import { askNow, factsOf, readNow, type GatewayNow } from "../desk/ask-now"
import type { Resolution, Resolved } from "../desk/resolve"
import type { FlowDeps } from "../deps"

/** @throws Refusal `not_paid`, `action_not_possible`, `gateway_unavailable`, `not_configured` */
export async function acceptPayout(
  deps: FlowDeps,
  operation: Operation,
  { note, adminId }: Resolution,
): Promise<Resolved> {
  const now = await readNow(deps, operation)
  if (!now.isPaid) {
    throw new Refusal(
      "not_paid",
      `The gateway does not say that the money went out: it reads ${now.execution ?? "nothing"}. ` +
        "Nothing was changed.",
      { reads: factsOf(now) },
    )
  }
  const accepted = await commit(deps, operation, {
    event: "accept",
    why: note,
    facts: { by: adminId, ...factsOf(now), reason: operation.reason },
    changes: { checks: 0, checkedAt: true, failedAt: false, absentAt: false, reason: null },
    next: "never",
    lease: "release",
  })
  return accepted ? now : "moved"
}

/** @throws Refusal `action_not_possible`, `gateway_unavailable`, `not_configured` */
export async function dismissPayout(
  deps: FlowDeps,
  operation: Operation,
  { note, adminId }: Resolution,
): Promise<Resolved> {
  const { reason } = operation
  const isUnanswerable = reason === "no_answer" || reason === "credentials"
  const now = isUnanswerable ? await askNow(deps, operation) : await readNow(deps, operation)
  if (now.kind === "reads" && (now.isPaid || now.isMoving)) {
    throw new Refusal(
      "action_not_possible",
      now.isPaid
        ? "The gateway says that this money went out: accept it instead. Nothing was changed."
        : "The gateway still works on it. Wait for its end. Nothing was changed.",
      { reads: factsOf(now) },
    )
  }
  const dismissed = await commit(deps, operation, {
    event: "dismiss",
    why: note,
    facts: { by: adminId, ...factsOf(now), reason },
    changes: { checks: 0, dismissedAt: true, reason: "unknown" },
    next: nextAfterDismissal(now),
    lease: "release",
  })
  return dismissed ? now : "moved"
}

/** That the gateway does not know it is not its word: what it accepted once may come back. */
const nextAfterDismissal = (now: GatewayNow): { inMs: number } | "never" =>
  now.kind === "reads" && now.execution === "FAILED" ? "never" : { inMs: LIMITS.failedWatchMs[0] }

async function commit(
  deps: FlowDeps,
  operation: Operation,
  decision: Advance,
): Promise<Operation | undefined> {
  deps.failpoints.at("resolve_payout.before_commit")
  const written = await advanceOperation(deps.database, operation, decision)
  deps.failpoints.at("resolve_payout.committed")
  return written
}
