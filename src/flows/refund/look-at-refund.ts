/**
 * One look at one refund that the caller holds by lease: ask under its reference, decide, write. If the
 * process dies between any two lines, the lease ends and another worker asks the same question.
 */
import { decideRefund } from "../../core/decide-refund"
import type { Operation } from "../../core/operation"
import type { Gateway } from "../../gateway"
import type { Advance } from "../../ledger/advance-operation"
import { advanceRefund, type AdvancedRefund } from "../../ledger/advance-refund"
import type { Database } from "../../ledger/database"
import { findById } from "../../ledger/find-operations"
import { postponeOperation } from "../../ledger/postpone-operation"
import { alertReview } from "../alert-review"
import { askRefund } from "../ask-gateway"
import { otherFacts } from "../execution-changes"
import { verdictOn } from "../look-at-money-out"
import { pauseAccount } from "../pause-checks"
import { amountFacts, withAmounts } from "./moved-amounts"
import type { RefundDeps } from "./refund-deps"
import { refundChanges, resendRefund } from "./send-refund"

/**
 * The caller holds the refund, which has a reference; the lease is given back.
 *
 * @returns what was written; undefined where nothing was, or somebody else has moved it meanwhile
 */
export async function lookAtRefund(
  deps: RefundDeps,
  gateway: Gateway,
  refund: Operation,
): Promise<AdvancedRefund | undefined> {
  if (refund.reference === null) throw new Error(`${refund.id} was sent without a reference`)
  await deps.budget.take(refund.accountId)
  deps.failpoints.at("refund_look.before_call")
  const { look: seen, answer } = await askRefund(gateway, refund.reference)
  deps.failpoints.at("refund_look.answered")
  const look = await withAmounts(deps.database, refund, seen, answer)
  if (look.kind === "later") {
    const isTooMany = look.isTooMany === true
    await pauseAccount(deps, refund.accountId, { forMs: look.afterMs, isTooMany })
  }
  const decision = decideRefund(refund, look)
  if (decision.action === "resend") {
    await resendRefund(deps, gateway, refund)
    return undefined
  }
  const learned = answer && refundChanges(refund, answer)
  const verdict = verdictOn(refund, decision, { look, learned }, deps.random)
  deps.failpoints.at("refund_verdict.before_commit")
  let written: AdvancedRefund | undefined
  if (verdict.kind === "postpone") {
    await postponeOperation(deps.database, refund, verdict.postponement)
  } else {
    const facts = {
      ...verdict.advance.facts,
      ...amountFacts(look, answer),
      ...otherFacts(refund, answer, decision.event),
    }
    written = await persistRefund(deps.database, refund, { ...verdict.advance, facts })
    tell(deps, refund, written, decision.why)
  }
  deps.failpoints.at("refund_verdict.committed")
  return written
}

/**
 * Medusa may have been answered in the meantime, which raises the version and changes nothing of what was
 * learned: written onto the row as it is now, as long as it still stands in the same state and is ours.
 */
async function persistRefund(
  database: Database,
  refund: Operation,
  advance: Advance,
): Promise<AdvancedRefund | undefined> {
  const written = await advanceRefund(database, refund, advance)
  if (written) return written
  const fresh = await findById(database, refund.id)
  const isOurs = fresh?.state === refund.state && fresh.leaseToken === refund.leaseToken
  return fresh && isOurs ? advanceRefund(database, fresh, advance) : undefined
}

/** Said once: a refund that did not go through may have been shown as done, and one that needs a person. */
function tell(
  deps: RefundDeps,
  before: Operation,
  written: AdvancedRefund | undefined,
  why: string,
): void {
  if (!written) return
  alertReview(deps, before, written.refund, why)
  const { refund } = written
  if (refund.state !== "failed" && refund.state !== "expired") return
  if (refund.state === before.state) return
  deps.logger.error(
    `merchant payments: the refund ${refund.id} of ${refund.parentId ?? "?"} did not go through ` +
      `(${refund.reason ?? "unknown"}): ${why}`,
  )
}
