/** What becomes of a draft whose `start` was refused, and what its shopper is told. */
import { FLOWS } from "../core/flows"
import { fieldsOf } from "../core/log-fields"
import type { Operation } from "../core/operation"
import { refusal, type Refusal } from "../core/refusal"
import { phoneWord } from "../core/search-words"
import { findById } from "../ledger/find-operations"
import { releaseOperation } from "../ledger/postpone-operation"
import type { FlowDeps } from "../engine/deps"
import { endDraft } from "../engine/end-draft"
import type { StartContext } from "./context"
import type { Instructions } from "./offer/read-instructions"
import { inProgress } from "./existing-payment"
import { forgiveStart, queueStart } from "./limit-start"
import { hasOtherPrompt } from "./sql/other-prompt"
import type { StartRefusal } from "./start-refusal"

/** Ends a draft that is not worth continuing, or gives it back for the next try. */
export async function endStart(
  deps: FlowDeps,
  context: StartContext,
  instructions: Instructions,
  draft: Operation,
  given: StartRefusal,
): Promise<Refusal> {
  const refused = await withOtherPrompt(deps, context, instructions, draft, given)
  const fresh = await findById(deps.database, draft.id)
  // This request holds the draft no more: the worker that took it decides what becomes of it.
  if (!fresh || fresh.state !== "drafted" || fresh.leaseToken !== draft.leaseToken) {
    return refused.refusal
  }
  if (!refused.isFinal) {
    await releaseOperation(deps.database, fresh)
    const { asksToWait } = refused
    const later = asksToWait && (await queueStart(deps, context, instructions, asksToWait))
    return later ?? refused.refusal
  }
  await forgiveStart(deps, context, instructions)
  const reason = refused.refusal.code === "not_configured" ? "not_configured" : "unknown"
  const { said } = refused
  if (said) {
    deps.logger.warn(
      `merchant payments: ${fresh.id}: the gateway refused ${said.operation}: ` +
        (said.said ?? said.message),
      fieldsOf(fresh, refused.refusal.code),
    )
  }
  const ended = await endDraft(deps, context.gateway, fresh, reason, context, said)
  // The source was paid in another way: a shopper who hears "nothing was charged" would pay again.
  return ended?.sourceStatus === "PAID" ? inProgress(ended) : refused.refusal
}

/**
 * Many operators take no second prompt beside one that waits, and refuse it in words that tell us
 * nothing. If the ledger knows another prompt on the same phone, that is a likelier reason than a
 * bad number.
 */
async function withOtherPrompt(
  deps: FlowDeps,
  { flow }: StartContext,
  { phone }: Instructions,
  { id }: Operation,
  refused: StartRefusal,
): Promise<StartRefusal> {
  const { key } = refused.refusal
  const isOpen = key === "gateway_refused.shopper" || key === "gateway_unavailable"
  if (FLOWS[flow].asks !== "phone" || !refused.said || !isOpen) return refused
  const isWaiting = await hasOtherPrompt(deps.database, phoneWord(phone.digits, deps.digest), id)
  return isWaiting
    ? { ...refused, refusal: refusal("payment_in_progress.phone"), isFinal: true }
    : refused
}
