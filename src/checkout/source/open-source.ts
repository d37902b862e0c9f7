/**
 * Makes the cart a source that can be paid: by one call, or document first where the operation says
 * who bears the fees, which that call can't carry. Nothing here moves money: the shopper is charged
 * by the later execution, or pays on the page.
 */
import { checkoutLines } from "../../core/cart-lines"
import { sourceReference } from "../../core/source-reference"
import { LIMITS } from "../../core/limits"
import { sameMoney } from "../../core/money"
import { isPage, type Operation } from "../../core/operation"
import { refusal } from "../../core/refusal"
import { brokenRule } from "../../ledger/database"
import type { FlowDeps } from "../../engine/deps"
import { persist } from "../../engine/persist"
import type { StartContext } from "../context"
import type { Instructions } from "../offer/read-instructions"
import { openSourceWithLines } from "./open-source-with-lines"
import { publishSource } from "./publish-source"
import { lost, startRefusalOf, type StartRefusal } from "../start-refusal"

/** @returns the draft with a payable source; or why there is none */
export async function openSource(
  deps: FlowDeps,
  context: StartContext,
  draft: Operation,
  instructions: Instructions,
): Promise<Operation | StartRefusal> {
  try {
    return draft.feeBearer === null
      ? await openCheckout(deps, context, draft, instructions)
      : await openSourceWithLines(deps, context, draft, draft.feeBearer, instructions)
  } catch (error) {
    if (!brokenRule(error)?.startsWith("a_source_proves_one_")) throw error
    deps.logger.error(
      `merchant payments: ${draft.id}: the gateway gave its source a number that another payment ` +
        "of this merchant has; nobody is asked to pay it",
    )
    // No shopper has the source's address, and the next `start` makes another source.
    return { refusal: refusal("gateway_refused.source"), isFinal: true }
  }
}

/**
 * Makes the source in one call, which makes or matches party and counterparty by itself. If its
 * answer is lost, no shopper has the source's address.
 */
async function openCheckout(
  deps: FlowDeps,
  context: StartContext,
  draft: Operation,
  instructions: Instructions,
): Promise<Operation | StartRefusal> {
  if (draft.sourceId !== null) {
    // An earlier `start` that stopped on the way may have left the source idle.
    return draft.sourceStatus === "ACTIVE" ? draft : publishSource(deps, context, draft)
  }
  const outcome = await context.gateway.checkouts.create(
    {
      mode: "HOSTED",
      sourceType: draft.sourceType,
      partyPhone: instructions.phone.digits,
      partyName: instructions.name ?? undefined,
      partyEmail: instructions.email ?? undefined,
      partyRelationship: "CUSTOMER",
      currency: context.amount.currency,
      items: checkoutLines(draft.lines),
      note: instructions.note,
      referenceId: sourceReference(draft.id),
      expiresAt: draft.expiresAt,
      ...(draft.sourceType === "INVOICE" ? { dueDate: draft.expiresAt } : {}),
      ...returnAddresses(deps, draft),
    },
    context.callOptions(),
  )
  if (outcome.kind !== "done") return startRefusalOf(outcome)
  const source = outcome.value
  const isForAmount = sameMoney(source.total, draft.amount)
  const opened = await persist(deps.database, draft, {
    event: { note: "source_opened" },
    code: "source_made",
    facts: { source_id: source.sourceId, status: source.status },
    changes: {
      sourceId: source.sourceId,
      sourceNumber: source.sourceNumber,
      sourceStatus: source.status,
      partyId: source.partyId,
      // A push never shows its source's page: the shopper could pay there a second time.
      ...(source.url && isPage(draft) ? { hostedUrl: source.url } : {}),
      // No shopper may be asked to pay another amount, even if the source can't be closed just now.
      ...(isForAmount ? {} : { closing: "unknown" }),
    },
    lease: { forMs: LIMITS.startLeaseMs },
  })
  if (!opened) return lost()
  if (!isForAmount) {
    deps.logger.error(
      `merchant payments: ${draft.id}: the gateway made a source for another amount; it is closed`,
    )
    return { refusal: refusal("gateway_unavailable"), isFinal: true }
  }
  return source.status === "ACTIVE" ? opened : publishSource(deps, context, opened)
}

/** The gateway's page sends the shopper to us first; we bring a check forward and send them on. */
function returnAddresses(
  deps: FlowDeps,
  draft: Operation,
): { successUrl?: string; cancelUrl?: string } {
  const { publicUrl } = deps.settings
  if (!publicUrl || !draft.returnToken) return {}
  const base = `${publicUrl}/merchant-payments/return/${draft.returnToken}`
  return { successUrl: `${base}?result=success`, cancelUrl: `${base}?result=cancel` }
}
