/**
 * Writes the draft of a new payment, or goes on with a draft that is there. The draft is held by
 * lease from here on; `pay-draft.ts` makes of it what the shopper can pay.
 */
import { FLOWS } from "../core/flows"
import { LIMITS } from "../core/limits"
import { isOrderWindowOver, type Operation } from "../core/operation"
import { unpaidOrderWindowMs } from "../core/unpaid-order-window"
import { findByCollection, findById, findLiveOfCollection } from "../ledger/find-operations"
import type { FlowDeps } from "../engine/deps"
import { isSpentStatus } from "../engine/medusa-port"
import { clearEnded } from "./clear-ended"
import type { StartContext } from "./context"
import { askAboutDraft, refreshDraft } from "./continue-draft"
import {
  inProgressNow,
  isSamePayment,
  orderClosed,
  readyOf,
  resume,
  underReview,
} from "./existing-payment"
import { uncountStart } from "./limit-start"
import { holding, payDraft } from "./pay-draft"
import type { Instructions } from "./offer/read-instructions"
import { statusFor } from "./read-status"
import { statusOf } from "./rules/status"
import type { Status } from "./schemas/status"
import { insertDraft } from "./sql/insert-draft"

/** Begins a new payment, or answers with the one that another request has made meanwhile. */
export async function beginPayment(
  deps: FlowDeps,
  context: StartContext,
  instructions: Instructions,
): Promise<Status> {
  const takenOver = await clearEnded(deps, context, instructions.lines)
  const { payable, flow, amount, account, feeBearer, request } = context
  if (isSpentStatus(payable.status)) {
    const status = payable.orderId ? "pending_authorization" : "pending"
    await deps.medusa.showOnSession(payable, { status })
  }
  const draft = await insertDraft(deps.database, {
    id: deps.ids.operationId(),
    draftReference: deps.ids.reference(),
    flow,
    accountId: account.id,
    credentialId: context.credentialId,
    providerId: payable.providerId,
    paymentCollectionId: payable.paymentCollectionId,
    paymentSessionId: payable.id,
    cartId: payable.cartId,
    orderId: payable.orderId,
    amount,
    lines: instructions.lines,
    sourceType: account.sourceKind,
    feeBearer,
    askedBy: request.adminId ?? null,
    returnToken: FLOWS[flow].comesBack ? deps.ids.returnToken() : null,
    successUrl: instructions.successUrl,
    cancelUrl: instructions.cancelUrl,
    ...instructions.payer,
    windowMs: unpaidOrderWindowMs(account, flow),
    orderWindowMs: null,
    leaseMs: LIMITS.startLeaseMs,
  })
  if (draft) {
    return holding(deps, draft, () => payDraft(deps, context, draft, instructions, takenOver))
  }
  await uncountStart(deps, context, instructions)
  return answerOther(deps, context, instructions)
}

/**
 * Goes on with an existing draft, which the caller holds by lease.
 *
 * @param read reads the instructions; what it throws leaves the draft free for the next try
 */
export function continuePayment(
  deps: FlowDeps,
  context: StartContext,
  draft: Operation,
  read: () => Promise<Instructions>,
): Promise<Status> {
  return holding(deps, draft, async () => {
    const instructions = await read()
    const reads = await askAboutDraft(deps, context, draft)
    if (reads === "sent") return statusFor(deps, (await findById(deps.database, draft.id)) ?? draft)
    if (reads === "closed") return beginPayment(deps, context, instructions)
    // The draft of a placed order was made without a check of earlier tries.
    const takenOver =
      draft.sourceId === null ? await clearEnded(deps, context, instructions.lines) : undefined
    const fresh = await refreshDraft(deps, context, draft, instructions)
    return payDraft(deps, context, fresh, instructions, takenOver)
  })
}

/** Another request was faster: its payment is given back, or its idle draft is continued here. */
async function answerOther(
  deps: FlowDeps,
  context: StartContext,
  instructions: Instructions,
): Promise<Status> {
  const live = await findLiveOfCollection(deps.database, context.payable.paymentCollectionId)
  if (live?.state === "review") throw underReview(live)
  if (live && !isSamePayment(live, context)) throw await inProgressNow(deps, live)
  if (live) {
    const existing = await resume(deps, context, live)
    if (existing.kind === "continue") {
      return continuePayment(deps, context, existing.draft, async () => instructions)
    }
    if (existing.kind === "answer") return existing.status
  }
  const newest = await findByCollection(deps.database, context.payable.paymentCollectionId)
  if (newest && isOrderWindowOver(newest)) throw orderClosed(statusOf(newest))
  return readyOf(context)
}
