/**
 * Money of a collected payment goes back, in whole or in part: reserve, open a session, commit the
 * reference, send, check. What is reserved stays so until it is certain that no money went: a
 * refund of which nothing is known counts as one that went through.
 *
 * If the process dies before the reference is committed, nothing was sent: the draft ends and its
 * part is free. After it the job asks, sends the same reference again or follows it to its end.
 */
import { LIMITS } from "../core/limits"
import type { EventCode } from "../core/messages"
import type { Money } from "../core/money"
import type { Operation } from "../core/operation"
import { amountFact, Refusal, refusal } from "../core/refusal"
import type { Gateway } from "../gateway"
import { accountById, type Account } from "../ledger/accounts/find-accounts"
import { reopenApproval, type Approval } from "../ledger/approvals"
import { findById } from "../ledger/find-operations"
import { checkUnheld } from "../engine/check"
import type { MoneyDeps } from "../engine/deps"
import { gatewayFor } from "../engine/gateway-for"
import { assertEndedStayed } from "./ask-ended"
import { openRefund } from "./open-refund"
import {
  isClear,
  ownShare,
  refundToSend,
  restToSend,
  type RefundAsked,
} from "./rules/refund-amount"
import { assertSecondAdmin } from "./second-admin"
import { findByHostRefund, findOfIntent } from "./sql/find-refunds"
import { findRefundBasis, reserveRefund, type RefundBasis } from "./sql/reserve-refund"

export type RefundRequest = {
  /** The collection whose money goes back. */
  readonly operationId: string
  /** In major units, as Medusa has it, not rounded. */
  readonly hostAmount: string
  /** What Medusa captured of it, in major units; where Medusa holds nothing, what was collected. */
  readonly capturedAmount: string
  /** Medusa's own id of the refund; the same id gets the same refund. */
  readonly hostRefundId: string | null
  /** `medusa`, `policy refund_orphans`, or the id of an admin. */
  readonly askedBy: string
  /**
   * The admin who asks: above the account's limit a second one has to agree before anything new is
   * sent. Left out, a machine asks, or two admins have agreed before.
   */
  readonly adminId?: string | undefined
  /** Kept with the events. */
  readonly code: EventCode
  /** An admin's own words, where `code` is `note`. */
  readonly note?: string
  /** Must hold for the collection when its part is taken; else nothing is sent. */
  readonly onlyIf?: (collection: Operation) => boolean
  /**
   * Called at each try with the collection as it was read: an existing refund that stands for this
   * one, or "again" where it moved meanwhile. A reserve made beside the question makes ours fail,
   * and the question is asked again.
   */
  readonly standIn?: (collection: Operation) => Promise<Operation | "again" | undefined>
  /** Whether the caller waits for the first checks; else the job makes them. */
  readonly isWaitedFor: boolean
}

export type RefundOutcome =
  /** The gateway took it or has done it; followed to its end by the job. */
  | { readonly kind: "accepted"; readonly refund: Operation }
  /** All that was collected has been sent before; what is asked for was rounded away. */
  | { readonly kind: "nothing_to_send" }
  /** The gateway said no. Its part is free, or will be once it said so twice. */
  | { readonly kind: "refused"; readonly refund: Operation }
  /** Sent, and what became of it is not known; its part stays reserved. */
  | { readonly kind: "in_progress"; readonly refund: Operation }

/**
 * @throws Refusal when nothing was sent: `refund_unavailable`, `refund_in_progress`,
 *   `refund_too_much`, `refund_unclear`, `amount_not_payable`, `payment_intent_unknown`,
 *   `payment_intent_taken`, `payment_in_progress`, `not_configured`, `not_verified`,
 *   `wallet_too_low`, `gateway_unavailable`, `gateway_refused`
 */
export async function requestRefund(
  deps: MoneyDeps,
  request: RefundRequest,
): Promise<RefundOutcome> {
  const known = request.hostRefundId
    ? await findByHostRefund(deps.database, request.hostRefundId)
    : undefined
  if (known) return follow(deps, request, known)
  const agreed: { approval?: Approval | undefined } = {}
  const agree: Agree = async (payment, amount) => {
    const { adminId } = request
    // Asked for once, however often the reserve is tried.
    if (adminId === undefined || agreed.approval) return
    agreed.approval = await assertSecondAdmin(deps.database, { payment, amount, adminId })
  }
  try {
    return await requestNew(deps, request, agree)
  } catch (error) {
    // Nothing was sent, and the two admins still agree.
    const { approval } = agreed
    if (error instanceof Refusal && approval) await reopenApproval(deps.database, approval.id)
    throw error
  }
}

async function requestNew(
  deps: MoneyDeps,
  request: RefundRequest,
  agree: Agree,
): Promise<RefundOutcome> {
  const reserved = await reserve(deps, request, agree)
  if (reserved === "nothing_to_send") return { kind: "nothing_to_send" }
  if ("standIn" in reserved) return { kind: "accepted", refund: reserved.standIn }
  if (reserved.gateway === undefined) return follow(deps, request, reserved.refund)
  const refund = await openRefund(deps, reserved.gateway, reserved.refund)
  return follow(deps, request, refund)
}

/** @throws Refusal while a second admin has to agree */
type Agree = (payment: Operation, amount: Money) => Promise<void>

type Reserved = { readonly refund: Operation; readonly gateway: Gateway | undefined }

/** Without the gateway where another request has made the refund meanwhile. */
async function reserve(
  deps: MoneyDeps,
  request: RefundRequest,
  agree: Agree,
): Promise<Reserved | { readonly standIn: Operation } | "nothing_to_send"> {
  for (let attempt = 0; attempt < LIMITS.refundReserveTries; attempt++) {
    const basis = await findRefundBasis(deps.database, request.operationId)
    if (!basis) throw refusal("refund_unavailable")
    if (request.onlyIf?.(basis.parent) === false) throw refusal("refund_unavailable.changed")
    const standIn = await request.standIn?.(basis.parent)
    if (standIn === "again") continue
    if (standIn) return { standIn }
    const ready = await readyToSend(deps, basis, request)
    if (ready === "nothing_to_send") return ready
    const { amount, gateway } = ready
    if (attempt === 0) await assertEndedStayed(deps, basis.parent.id)
    await agree(basis.parent, amount)
    const refund = await reserveRefund(deps.database, basis.parent, {
      ...request,
      id: deps.ids.operationId(),
      amount,
      sessionMs: LIMITS.refundSessionMs,
      leaseMs: LIMITS.refundDraftLeaseMs,
    })
    if (refund === "taken") {
      const other = await findByHostRefund(deps.database, request.hostRefundId ?? "")
      if (other) return { refund: other, gateway: undefined }
    } else if (refund) return { refund, gateway }
    // Another writer has reserved, freed or returned something in between: read again.
  }
  throw refusal("refund_unavailable.busy")
}

/**
 * What would be sent for this refund now, and through which client. Writes and sends nothing.
 *
 * @throws Refusal where nothing can be sent
 */
export async function readyToSend(
  deps: MoneyDeps,
  basis: RefundBasis,
  asked: RefundAsked,
): Promise<{ readonly amount: Money; readonly gateway: Gateway } | "nothing_to_send"> {
  const account = accountById(await deps.accounts(), basis.parent.accountId)
  const amount = amountOf(basis, asked, account)
  if (amount === "nothing_to_send") return amount
  await assertOwnIntent(deps, basis.parent)
  const gateway = await gatewayFor(deps, basis.parent)
  if (!gateway) throw refusal("not_configured")
  return { amount, gateway }
}

/** By an id that two payments have, the gateway could give the wrong customer's money back. */
async function assertOwnIntent({ database }: MoneyDeps, payment: Operation): Promise<void> {
  const { paymentIntentId } = payment
  if (paymentIntentId === null) throw refusal("payment_intent_unknown")
  const other = await findOfIntent(database, payment, paymentIntentId)
  if (!other) return
  throw refusal("payment_intent_taken", {}, { operation_id: other.id })
}

function amountOf(
  { parent, before, restMinor }: RefundBasis,
  asked: RefundAsked,
  account?: Account,
) {
  const { collected } = parent
  const holdsMoney = parent.state === "completed" || parent.state === "review"
  if (!holdsMoney || !collected) throw refusal("refund_unavailable")
  const own = ownShare({ ...parent, collected }, before, restMinor)
  const toSend = asked.isRest
    ? restToSend(parent, before)
    : refundToSend(own.collected, own.before, asked)
  switch (toSend.kind) {
    case "nothing":
      return "nothing_to_send"
    case "too_small":
      throw refusal("amount_not_payable.refund")
    case "too_much":
      throw tooMuch(toSend.left)
    case "send":
  }
  const isAll = toSend.amount.minor === own.collected.minor
  if (parent.state === "completed" && parent.recordedAt === null && !isAll) {
    throw refusal("payment_in_progress")
  }
  const isSaid = account?.policies.refund_currency === "SOURCE"
  if (!isSaid && !isClear(collected, toSend.amount, parent.payerCurrency)) {
    throw refusal("refund_unclear")
  }
  return toSend.amount
}

/** Checks it as long as the caller waits. */
async function follow(
  deps: MoneyDeps,
  request: RefundRequest,
  refund: Operation,
): Promise<RefundOutcome> {
  let current = refund
  let waitedMs = 0
  for (const gapMs of LIMITS.refundChecksMs) {
    const isLong = waitedMs + gapMs > LIMITS.refundResponseMs
    if (!request.isWaitedFor || isLong || isAnswered(current, waitedMs)) break
    await deps.clock.sleep(gapMs)
    waitedMs += gapMs
    current = await checkNow(deps, current)
  }
  return answerOf(current)
}

/** An accepted refund is checked twice before it is called given back. */
function isAnswered(refund: Operation, waitedMs: number): boolean {
  const [first, second] = LIMITS.refundChecksMs
  switch (refund.state) {
    case "in_flight":
      return refund.failedAt !== null || waitedMs >= first + second
    case "submitted":
      return refund.failedAt !== null
    case "drafted":
      return false
    default:
      return true
  }
}

/** If the job holds it just now, what the job finds is read. */
async function checkNow(deps: MoneyDeps, refund: Operation): Promise<Operation> {
  if (isOpen(refund)) await checkUnheld(deps, refund.id, isOpen)
  return (await findById(deps.database, refund.id)) ?? refund
}

const isOpen = ({ state }: Operation) => state === "submitted" || state === "in_flight"

function answerOf(refund: Operation): RefundOutcome {
  if (refund.state === "completed") return { kind: "accepted", refund }
  if (refund.state === "failed" || refund.state === "expired" || refund.failedAt !== null) {
    return { kind: "refused", refund }
  }
  return refund.state === "in_flight"
    ? { kind: "accepted", refund }
    : { kind: "in_progress", refund }
}

function tooMuch(money: Money): Refusal {
  const left = amountFact(money)
  return refusal("refund_too_much", { left }, { left: left.amount })
}
