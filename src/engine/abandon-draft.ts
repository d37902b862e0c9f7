import { LIMITS } from "../core/limits"
import type { EventCode } from "../core/messages"
import type { EndReason, Operation } from "../core/operation"
import type { Failure } from "../gateway"
import type { MoneyDeps } from "../flows/deps"
import { persist } from "./persist"

/** Who asks where the account's policy `refund_orphans` does. */
export const BY_POLICY = "policy refund_orphans"

/**
 * The draft of money that goes back or out, and was never sent, ends. The caller holds it by lease,
 * or finds it due: its maker has stopped. A session that the maker may have opened is never
 * executed.
 */
export async function abandonDraft(
  deps: Pick<MoneyDeps, "database">,
  draft: Operation,
  end: { readonly code: EventCode; readonly reason?: EndReason; readonly failure?: Failure },
): Promise<void> {
  const { code, reason = "never_landed", failure } = end
  await persist(deps.database, draft, {
    event: "expire",
    code,
    facts: failure ? { code: failure.error.code, detail: failure.error.detail ?? null } : {},
    changes: { reason },
    next: "never",
    lease: "release",
    // What a policy could not send it tries again.
    ...(draft.askedBy === BY_POLICY ? { parentInMs: LIMITS.policyRefundRetryMs[0] } : {}),
  })
}
