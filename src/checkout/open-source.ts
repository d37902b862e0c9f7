/**
 * The cart becomes a source that can be paid: by one call, or document first where the operation
 * says who bears the fees, which that call can't carry. Nothing here moves money: the execution, or
 * the address of the page, comes later.
 */
import { checkoutLines } from "../core/cart-lines"
import { documentReference } from "../core/document-reference"
import { LIMITS } from "../core/limits"
import { sameMoney } from "../core/money"
import type { Operation } from "../core/operation"
import { refusal } from "../core/refusal"
import { brokenRule } from "../ledger/database"
import type { FlowDeps } from "../engine/deps"
import { persist } from "../engine/persist"
import type { Instructions, StartContext } from "./context"
import { openDocument } from "./open-document"
import { publishSource } from "./publish-source"
import { lost, startRefusalOf, type StartRefusal } from "./start-refusal"

/** @returns the draft with its source, payable; or why there is none */
export async function openSource(
  deps: FlowDeps,
  context: StartContext,
  draft: Operation,
  instructions: Instructions,
): Promise<Operation | StartRefusal> {
  try {
    return draft.feeBearer === null
      ? await openCheckout(deps, context, draft, instructions)
      : await openDocument(deps, context, draft, draft.feeBearer, instructions)
  } catch (error) {
    if (brokenRule(error) !== "a_source_proves_one_hosted_operation") throw error
    deps.logger.error(
      `merchant payments: ${draft.id}: the gateway gave its source a number that another payment ` +
        "of this merchant has; nobody is asked to pay it",
    )
    // Nobody has its address, and the next start makes another one.
    return { refusal: refusal("gateway_refused.source"), isFinal: true }
  }
}

/**
 * The source in one call, which makes or matches party and counterparty by itself. If its answer is
 * lost, no shopper has the source's address.
 */
async function openCheckout(
  deps: FlowDeps,
  context: StartContext,
  draft: Operation,
  instructions: Instructions,
): Promise<Operation | StartRefusal> {
  if (draft.sourceId !== null) {
    // A `start` that stopped in between may have left it idle.
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
      referenceId: documentReference(draft.id),
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
    code: "document_made",
    facts: { source_id: source.sourceId, status: source.status },
    changes: {
      sourceId: source.sourceId,
      sourceNumber: source.sourceNumber,
      sourceStatus: source.status,
      partyId: source.partyId,
      // A push never shows its source's page: the shopper could pay there a second time.
      ...(source.url && draft.flow === "hosted" ? { hostedUrl: source.url } : {}),
      // No shopper may be asked to pay it, even if it can't be closed just now.
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

/** Where the gateway's page sends the shopper: to us first; we check and send them on. */
function returnAddresses(
  deps: FlowDeps,
  draft: Operation,
): { successUrl?: string; cancelUrl?: string } {
  const { publicUrl } = deps.settings
  if (draft.flow !== "hosted" || !publicUrl || !draft.returnToken) return {}
  const base = `${publicUrl}/merchant-payments/return/${draft.returnToken}`
  return { successUrl: `${base}?result=success`, cancelUrl: `${base}?result=cancel` }
}
