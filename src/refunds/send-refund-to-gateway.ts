/**
 * Sends money of a collected payment back, in whole or in part: reserve, open a gateway session,
 * commit the reference, send, check. The part stays reserved until it is certain that no money
 * went: a refund whose fate is unknown counts as one that went through.
 *
 * If the process dies before the reference is committed, nothing was sent: the draft ends and its
 * part is free. If it dies later, the job asks the gateway, sends the same reference again or
 * follows the refund to its end.
 */
import { wasRefused } from "../core/decide/decision"
import { nextRefundReference } from "../core/derived-reference"
import type { AdminId, OperationId } from "../core/ids"
import { LIMITS } from "../core/limits"
import { hasEnded, type Operation, isUnderWay } from "../core/operation"
import { refusal } from "../core/refusal"
import type { Gateway } from "../gateway"
import { findById } from "../ledger/find-operations"
import { checkUnheld } from "../engine/check"
import type { RefundAskedFor } from "../ledger/schemas/stored-request"
import type { MoneyDeps } from "../engine/deps"
import { refundNotOpened } from "../engine/gateway-refusal"
import { callOf, carryOut } from "../engine/send"
import { moneyOutSpan } from "../telemetry/spans"
import { assertEndedStayed, assertSecondAdmin, readyToSend } from "./may-refund"
import type { RefundAsked } from "./rules/refund-amount"
import { findByMedusaRefund, findRefundsOf } from "./sql/find-refunds"
import { findRefundBasis, reserveRefund, type RefundReserve } from "./sql/reserve-refund"

type Wanted = Omit<RefundReserve, "id" | "draftReference" | "amount"> & Pick<RefundAsked, "isRest">

export type RefundRequest = Wanted & {
  /** The collection whose money goes back. */
  readonly operationId: OperationId
  /** What Medusa captured, in major units; where Medusa holds nothing, what was collected. */
  readonly capturedAmount: string
  /**
   * The admin who asks: above the account's limit a second one has to approve before anything new
   * is sent. Left out, a machine asks.
   */
  readonly adminId?: AdminId | undefined
  /** Must hold for the collection when its part is taken; else nothing is sent. */
  readonly onlyIf?: (collection: Operation) => boolean
  /**
   * Called at each try with the collection as it was read. It returns an existing refund that
   * serves for this one, or "again" where that refund moved meanwhile. A reserve made in between
   * makes ours fail, and this is called again.
   */
  readonly standIn?: (collection: Operation) => Promise<Operation | "again" | undefined>
  /** Whether the caller waits for the first checks; else the job makes them. */
  readonly isWaitedFor: boolean
}

export type RefundOutcome =
  /** The gateway accepted or completed the refund; the job follows it to its end. */
  | { readonly kind: "accepted"; readonly refund: Operation }
  /** All that was collected was sent before; rounding covers what is still asked for. */
  | { readonly kind: "nothing_to_send" }
  /** The gateway said no. The refund's part is free, or will be once the gateway said so twice. */
  | { readonly kind: "refused"; readonly refund: Operation }
  /** The refund was sent and its fate is unknown; its part stays reserved. */
  | { readonly kind: "in_progress"; readonly refund: Operation }

/**
 * @throws Refusal when nothing was sent: `refund_unavailable`, `refund_in_progress`,
 *   `refund_needs_second_admin`, `request_ended`, `request_needs_right`, `refund_too_much`,
 *   `refund_unclear`, `amount_not_payable`,
 *   `payment_intent_unknown`, `payment_intent_taken`, `payment_in_progress`, `not_configured`,
 *   `not_verified`, `wallet_too_low`, `gateway_unavailable`, `gateway_refused`
 */
export function sendRefund(deps: MoneyDeps, request: RefundRequest): Promise<RefundOutcome> {
  return moneyOutSpan("REFUND", () => sendInSpan(deps, request))
}

async function sendInSpan(deps: MoneyDeps, request: RefundRequest): Promise<RefundOutcome> {
  const { medusaRefundId } = request
  const known = medusaRefundId && (await findByMedusaRefund(deps.database, medusaRefundId))
  if (known) return follow(deps, request, known)
  const reserved = await reserve(deps, request)
  if (reserved.kind !== "reserved") return reserved
  const { refund, gateway } = reserved
  return follow(deps, request, gateway ? await open(deps, gateway, refund) : refund)
}

type Reserved = {
  readonly kind: "reserved"
  readonly refund: Operation
  /** Undefined: another request has made the refund meanwhile, and sends it. */
  readonly gateway: Gateway | undefined
}

async function reserve(deps: MoneyDeps, request: RefundRequest): Promise<Reserved | RefundOutcome> {
  for (let attempt = 0; attempt < LIMITS.refundReserveTries; attempt++) {
    const basis = await findRefundBasis(deps.database, request.operationId)
    if (!basis) throw refusal("refund_unavailable")
    const { parent } = basis
    if (request.onlyIf?.(parent) === false) throw refusal("refund_unavailable.changed")
    const standIn = await request.standIn?.(parent)
    if (standIn === "again") continue
    if (standIn) return { kind: "accepted", refund: standIn }
    const ready = await readyToSend(deps, basis, request)
    if (ready === "nothing_to_send") return { kind: ready }
    const { amount, gateway } = ready
    await assertEndedStayed(deps, parent.id)
    const { adminId, note = null, use } = request
    if (adminId !== undefined) {
      const asker = { adminId, note, use }
      await assertSecondAdmin(deps, parent, amount, askedForIn(request), asker)
    }
    const id = deps.ids.operationId()
    // Read after the payment: a refund made in between makes the reserve fail.
    const refunds = await findRefundsOf(deps.database, parent.id)
    const draftReference = nextRefundReference(parent, refunds)
    const reserve = { ...request, id, draftReference, amount }
    const refund = await reserveRefund(deps.database, parent, reserve, deps.people)
    if (refund === "taken") {
      const other = await findByMedusaRefund(deps.database, request.medusaRefundId ?? "")
      if (other) return { kind: "reserved", refund: other, gateway: undefined }
    } else if (refund) return { kind: "reserved", refund, gateway }
    // Another writer has reserved, freed or returned something in between: read again.
  }
  throw refusal("refund_unavailable.busy")
}

/** What is kept of it for the admin who approves it. */
function askedForIn(request: RefundRequest): RefundAskedFor {
  const { operationId, medusaAmount, capturedAmount, medusaRefundId, isRest } = request
  const straight = isRest ? "rest" : "gateway"
  return {
    payment_id: operationId,
    medusa_amount: medusaAmount,
    captured_amount: capturedAmount,
    way: medusaRefundId === null ? straight : "medusa",
  }
}

/**
 * Opens a gateway session for a reserved draft and sends the refund. The caller holds the draft by
 * lease; the lease is given back.
 *
 * @returns the refund as sent, or as another writer has left it
 */
function open(deps: MoneyDeps, gateway: Gateway, draft: Operation): Promise<Operation> {
  const { accountId, amount, expiresAt, paymentIntentId } = draft
  const openSession = async () => {
    await deps.budget.take(accountId)
    const opened = await gateway.sessions.refund(
      // `expiresAt` is by the database's clock, as is every later comparison with it.
      { originalPaymentIntentId: paymentIntentId ?? 0, amount, expiresAt },
      { patience: "shopper" },
    )
    if (opened.kind !== "done") return opened
    const call = async (submitted: Operation) => {
      await deps.budget.take(accountId)
      return callOf(gateway, submitted, "shopper")()
    }
    return { kind: "opened" as const, sessionId: opened.value.id, call }
  }
  return carryOut(deps, gateway, draft, openSession, refundNotOpened)
}

/** Checks the refund as long as the caller waits for it. */
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
    // If the job holds the refund just now, what the job finds is read.
    if (isUnderWay(current)) await checkUnheld(deps, current.id, isUnderWay)
    current = (await findById(deps.database, current.id)) ?? current
  }
  return outcomeOf(current)
}

/** An accepted refund is checked twice before it is called on its way. */
function isAnswered(refund: Operation, waitedMs: number): boolean {
  const [first, second] = LIMITS.refundChecksMs
  if (!isUnderWay(refund)) return refund.state !== "drafted"
  const isCheckedTwice = refund.state === "in_flight" && waitedMs >= first + second
  return isSaidNo(refund) || isCheckedTwice
}

/**
 * The gateway said FAILED, or refused the refund and knows no such reference. Said once, this frees
 * nothing.
 */
function isSaidNo(refund: Operation): boolean {
  return refund.failedAt !== null || (wasRefused(refund) && refund.absentAt !== null)
}

function outcomeOf(refund: Operation): RefundOutcome {
  const { state } = refund
  if (state === "completed") return { kind: "accepted", refund }
  if (hasEnded(refund) || isSaidNo(refund)) return { kind: "refused", refund }
  return { kind: state === "in_flight" ? "accepted" : "in_progress", refund }
}
