import { LIMITS } from "../../core/limits"
import type { Operation } from "../../core/operation"
import type { Failure } from "../../gateway"
import { advanceRefund } from "../../ledger/advance-refund"
import type { RefundDeps } from "./refund-deps"

/** Who asks where the account's policy `refund_orphans` does. */
export const BY_POLICY = "policy refund_orphans"

/**
 * A draft that was never sent ends, and its part is free. The caller holds it by lease, or finds it due:
 * whoever made it has stopped. A session that it may have opened is never executed.
 */
export async function abandonRefund(
  deps: RefundDeps,
  draft: Operation,
  why: string,
  failure?: Failure,
): Promise<void> {
  deps.failpoints.at("refund_abandon.before_commit")
  await advanceRefund(deps.database, draft, {
    event: "expire",
    why,
    facts: failure ? { code: failure.error.code, detail: failure.error.detail ?? null } : {},
    changes: { reason: "never_landed" },
    next: "never",
    lease: "release",
    // What a policy could not send it tries again.
    ...(draft.askedBy === BY_POLICY ? { parentInMs: LIMITS.policyRefundRetryMs[0] } : {}),
  })
  deps.failpoints.at("refund_abandon.committed")
}
