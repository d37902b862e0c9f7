/**
 * An admin decides about an operation in review: accept, refund or dismiss. The gateway is asked
 * first. The event keeps who, why, and what the gateway said.
 *
 * The decision is a compare-and-set on the version that was decided about. Of two admins who decide
 * at once, one writes, and the other learns what was decided.
 *
 * If the process dies before the write, nothing was decided; after it, the job goes on.
 */
import { LIMITS } from "../core/limits"
import { ofMedusa, type Operation } from "../core/operation"
import { whyNotResolved } from "../core/possibilities"
import { refusal, type Refusal } from "../core/refusal"
import { brokenRule } from "../ledger/database"
import { findDecision } from "../ledger/find-events"
import { findById, findLiveOfCollection } from "../ledger/find-operations"
import { askNow, factsOf, readNow, type GatewayNow, type Reads } from "../engine/ask-now"
import { DOUBT_CLOSED } from "../engine/ask-completed"
import type { FlowDeps } from "../engine/deps"
import { KINDS, type Written } from "../engine/kinds"
import { persist } from "../engine/persist"
import { keepStrayOrders } from "../orders/sql/stray-orders"
import { showOutcome } from "../checkout/show-outcome"
import { keptNote } from "../ledger/kept-note"
import {
  acceptCollection,
  anotherLive,
  dismissCollection,
  refundCollection,
  type Resolution,
  type Resolved,
  type Ruling,
} from "./resolve-collection"
import { findListed } from "./sql/list-operations"

/**
 * @returns what the gateway said when it was decided
 * @throws Refusal `operation_not_found`, `not_in_review`, `already_resolved`,
 *   `action_not_possible`, `refund_in_progress`, `payment_intent_unknown`, `not_paid`,
 *   `amount_differs`, `refund_amount_changed`, `order_closed`, `another_payment_live`,
 *   `not_its_order`, `cannot_be_settled`, `payment_in_progress`, `refund_completed`,
 *   `refund_not_completed`, `refund_needs_second_admin`, `gateway_unavailable`, `not_configured`,
 *   and the refusals of `sendRefund`
 */
export async function resolveOperation(deps: FlowDeps, given: Resolution): Promise<GatewayNow> {
  const resolution = { ...given, note: keptNote(given.note) }
  for (let attempt = 0; attempt < LIMITS.resolveTries; attempt++) {
    const operation = await findById(deps.database, resolution.operationId)
    if (!operation) throw refusal("operation_not_found")
    if (resolution.action === "dismiss" && operation.state !== "review") {
      const isPutAside = await putAside(deps, operation, resolution)
      if (isPutAside) return { kind: "not_asked", why: "nothing_to_ask" }
    }
    await refuseImpossible(deps, operation, resolution)
    const resolved = await resolve(deps, operation, resolution)
    if (resolved !== "moved") return resolved
  }
  throw refusal("payment_in_progress", {}, { payment: null })
}

async function resolve(
  deps: FlowDeps,
  operation: Operation,
  resolution: Resolution,
): Promise<Resolved> {
  const isCollection = operation.type === "COLLECTION"
  switch (resolution.action) {
    case "refund":
    case "refund_rest":
      return refundCollection(deps, operation, resolution)
    case "accept":
    case "accept_asked": {
      const now = await readNow(deps, operation)
      const ruling = isCollection
        ? await acceptCollection(deps, operation, now, resolution)
        : await acceptMoneyOut(deps, operation, now)
      return write(deps, operation, resolution, now, ruling)
    }
    case "dismiss": {
      const now = await (isUnanswerable(operation) ? askNow : readNow)(deps, operation)
      const dismiss = isCollection ? dismissCollection : dismissMoneyOut
      return write(deps, operation, resolution, now, dismiss(operation, now))
    }
  }
}

/**
 * An admin says that a failed refund, the money of a cancelled order, a completed payment that the
 * gateway contradicts, or a second order is dealt with, and it leaves the list. No money moves, and
 * the state stays.
 */
async function putAside(
  deps: FlowDeps,
  operation: Operation,
  resolution: Resolution,
): Promise<boolean> {
  const { note, adminId } = resolution
  const attention = (await findListed(deps.database, operation.id))?.attention
  if (attention === "contradicted") return closeDoubt(deps, operation, resolution)
  if (attention === "stray_order") return keepOrders(deps, operation, resolution)
  if (attention !== "refund_failed" && attention !== "order_canceled") return false
  const isRefund = operation.type === "REFUND"
  const written = await persist(deps.database, operation, {
    event: { note: "put_aside" },
    code: "note",
    facts: { by: adminId, note },
    changes: isRefund ? { dismissedAt: true } : { keptAt: true },
  })
  if (!written) throw refusal("refund_in_progress")
  return true
}

/** The admin has settled the money elsewhere. The same contradiction is not listed again. */
async function closeDoubt(
  deps: FlowDeps,
  operation: Operation,
  { note, adminId }: Resolution,
): Promise<boolean> {
  const written = await persist(deps.database, operation, {
    event: { note: DOUBT_CLOSED },
    code: "note",
    facts: { by: adminId, note },
    changes: { contradictedAt: false },
  })
  if (!written) throw refusal("payment_in_progress", {}, { payment: null })
  return true
}

/** The second orders of the payment stay as they are, and are not listed again. */
async function keepOrders(
  deps: FlowDeps,
  operation: Operation,
  { note, adminId }: Resolution,
): Promise<boolean> {
  const written = await persist(deps.database, operation, {
    event: { note: "put_aside" },
    code: "note",
    facts: { by: adminId, note },
  })
  if (!written) throw refusal("payment_in_progress", {}, { payment: null })
  await keepStrayOrders(deps.database, operation.id)
  return true
}

/** Whether no answer can come, or none has come for days: only the admin's word is left. */
function isUnanswerable({ reason, sourceId, reference }: Operation): boolean {
  return (
    reason === "no_answer" || reason === "credentials" || (sourceId === null && reference === null)
  )
}

async function write(
  deps: FlowDeps,
  operation: Operation,
  { action, note, adminId }: Resolution,
  now: GatewayNow,
  { shown, changes, facts, ...ruling }: Ruling,
): Promise<Resolved> {
  const isDismissed = action === "dismiss"
  const decision = isDismissed
    ? { dismissedAt: true }
    : { checks: 0, checkedAt: true, failedAt: false, absentAt: false, reason: null }
  let written: Written | undefined
  try {
    written = await KINDS[operation.type].advance(deps.database, operation, {
      event: isDismissed ? "dismiss" : "accept",
      code: "note",
      facts: { by: adminId, note, ...factsOf(now), reason: operation.reason, ...facts },
      changes: { ...decision, ...changes },
      ...ruling,
      lease: "release",
    })
  } catch (error) {
    // The database's rule, not an earlier read, says that another payment holds the payment
    // collection.
    if (brokenRule(error) !== "one_live_collection_per_payment_collection") throw error
    throw anotherLive(
      await findLiveOfCollection(deps.database, ofMedusa(operation).paymentCollectionId),
    )
  }
  if (!written) return "moved"
  const toShow = shown?.(written)
  if (toShow) await showOutcome(deps, toShow)
  return now
}

async function refuseImpossible(
  deps: FlowDeps,
  operation: Operation,
  { action }: Resolution,
): Promise<void> {
  const whyNot = whyNotResolved(operation, action)
  if (whyNot === null) return
  if (operation.state === "review") throw refusal(whyNot)
  const decision = await findDecision(deps.database, operation.id)
  const code = decision ? "already_resolved" : whyNot
  const decided = decision && {
    action: decision.name,
    by: decision.facts["by"] ?? decision.facts["asked_by"] ?? null,
    at: decision.at.toISOString(),
  }
  throw refusal(code, { state: operation.state }, { decided })
}

/**
 * Accepts a refund, payout or transfer whose end is not known, or that went through after it had
 * been called ended. Accepting says that it went through, dismissing that it did not. Neither is
 * believed against the gateway's word.
 */
async function acceptMoneyOut(deps: FlowDeps, operation: Operation, now: Reads): Promise<Ruling> {
  if (!now.isPaid) {
    const key = operation.type === "REFUND" ? "refund_not_completed" : "not_paid"
    throw refusal(key, { reads: now.execution }, { reads: factsOf(now) })
  }
  const isCountedLate = operation.isDuplicate && (await hasRoomFor(deps, operation))
  return {
    changes: isCountedLate ? { isDuplicate: false, undoneAt: false, recordedAt: false } : {},
    // What Medusa asked for, the job records in Medusa.
    next: isToldToMedusa(operation, isCountedLate) ? { inMs: 0 } : "never",
    isCountedLate,
    shown: ({ parent }) => (parent?.returnedAt && !parent.recordedAt ? parent : undefined),
  }
}

/**
 * Money dismissed on an admin's word alone is watched like a failed one: it may have gone through.
 * That the gateway does not know it proves nothing: what the gateway accepted once may come back.
 */
function dismissMoneyOut(operation: Operation, now: GatewayNow): Ruling {
  if (now.kind === "reads" && (now.isPaid || now.isMoving)) throw wasSent(operation, now)
  const isSaid = now.kind === "reads" && now.execution === "FAILED"
  const watched = isSaid ? "never" : { inMs: LIMITS.failedWatchMs[0] }
  const next = isToldToMedusa(operation) ? { inMs: 0 } : watched
  return { changes: { checks: 0, reason: "unknown" }, next }
}

function wasSent({ type }: Operation, now: Reads): Refusal {
  const reads = { reads: factsOf(now) }
  if (type !== "REFUND") {
    return refusal(`action_not_possible.${now.isPaid ? "sent" : "under_way"}`, {}, reads)
  }
  return now.isPaid
    ? refusal("refund_completed", {}, reads)
    : refusal("refund_in_progress", { reads: now.execution }, reads)
}

/**
 * Whether a late refund's money did not go back a second time. It then is the payment's refund
 * after all, and is recorded in Medusa. Else more went back than should, and the refund stays out
 * of Medusa's records.
 */
async function hasRoomFor(deps: FlowDeps, { parentId, amount }: Operation): Promise<boolean> {
  const parent = await findById(deps.database, parentId ?? "")
  if (!parent?.collected || parent.returnedAt) return false
  return parent.reservedRefundMinor + amount.minor <= parent.collected.minor
}

/**
 * Whether the job records the end in Medusa. A refund that went through twice is not recorded: an
 * admin has put that right.
 */
function isToldToMedusa({ medusaRefundId, isDuplicate }: Operation, isCounted = false): boolean {
  return medusaRefundId !== null && (!isDuplicate || isCounted)
}
