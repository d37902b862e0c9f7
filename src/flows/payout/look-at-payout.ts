/**
 * One look at one payout or transfer that the caller holds by lease: ask under its reference, decide,
 * write. It never sends. If the process dies between any two lines, the lease ends and another worker
 * asks the same question.
 */
import { decidePayout } from "../../core/decide-payout"
import type { Operation } from "../../core/operation"
import type { Gateway } from "../../gateway"
import { postponeOperation } from "../../ledger/postpone-operation"
import { alertReview } from "../alert-review"
import { askMoneyOut } from "../ask-gateway"
import { verdictOn } from "../look-at-money-out"
import { pauseAccount } from "../pause-checks"
import { persist } from "../persist"
import type { PayoutDeps } from "./payout-deps"
import { payoutChanges } from "./send-once"

/** The caller holds it, and it has a reference; the lease is given back. */
export async function lookAtPayout(
  deps: PayoutDeps,
  gateway: Gateway,
  operation: Operation,
): Promise<void> {
  const { reference, type, accountId } = operation
  if (reference === null) throw new Error(`${operation.id} was sent without a reference`)
  await deps.budget.take(accountId)
  deps.failpoints.at("payout_look.before_call")
  const { look, answer } = await askMoneyOut(gateway, type, reference)
  deps.failpoints.at("payout_look.answered")
  if (look.kind === "later") {
    await pauseAccount(deps, accountId, {
      forMs: look.afterMs,
      isTooMany: look.isTooMany === true,
    })
  }
  const decision = decidePayout(operation, look)
  const learned = answer && payoutChanges(operation, answer)
  const verdict = verdictOn(operation, decision, { look, learned }, deps.random)
  deps.failpoints.at("payout_verdict.before_commit")
  if (verdict.kind === "postpone") {
    await postponeOperation(deps.database, operation, verdict.postponement)
  } else {
    const written = await persist(deps.database, operation, verdict.advance)
    alertReview(deps, operation, written, decision.why)
    tell(deps, operation, written, decision.why)
  }
  deps.failpoints.at("payout_verdict.committed")
}

/** Said once: whoever asked for it may have left the page. */
function tell(
  deps: Pick<PayoutDeps, "logger">,
  before: Operation,
  after: Operation | undefined,
  why: string,
): void {
  if (!after || after.state === before.state) return
  if (after.state !== "failed" && after.state !== "expired") return
  const what = after.type === "PAYOUT" ? "payout" : "transfer"
  deps.logger.error(
    `merchant payments: the ${what} ${after.id} did not go through (${after.reason ?? "unknown"}): ${why}`,
  )
}
