import type { EndReason, Operation } from "../../core/operation"
import type { Failure } from "../../gateway"
import { persist } from "../persist"
import type { PayoutDeps } from "./payout-deps"

/**
 * A draft that was never sent ends. The caller holds it by lease, or finds it due: whoever made it has
 * stopped, and the recipient's number went with them. A session that was opened is never executed.
 */
export async function abandonPayout(
  deps: Pick<PayoutDeps, "database" | "failpoints">,
  draft: Operation,
  end: { readonly why: string; readonly reason: EndReason; readonly failure?: Failure },
): Promise<void> {
  const { error } = end.failure ?? {}
  deps.failpoints.at("payout_abandon.before_commit")
  await persist(deps.database, draft, {
    event: "expire",
    why: end.why,
    facts: error ? { code: error.code, detail: error.detail ?? null } : {},
    changes: { reason: end.reason },
    next: "never",
    lease: "release",
  })
  deps.failpoints.at("payout_abandon.committed")
}
