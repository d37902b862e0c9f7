/** What is true of an operation, by what the ledger knows of it. */
export type { MedusaOperation, MoneyOut, Operation } from "./operation-columns"
export * from "./operation-types"
import { FLOWS } from "./flows"
import type { PaymentSessionId } from "./ids"
import { LIMITS } from "./limits"
import { isMajorOf, type Money } from "./money"
import type { MedusaOperation, Operation, OperationFields } from "./operation-columns"

/** The part of a payment session of Medusa's that says whether it is for the same payment. */
export type ShownSession = {
  readonly id: PaymentSessionId
  readonly providerId: string
  /** The session's amount: major units, unrounded. */
  readonly amount: string
  readonly currency: string
}

/** Whether provider, amount (rounded to its currency) and currency agree. */
export function isSessionFor(
  { providerId, amount }: Pick<Operation, "providerId" | "amount">,
  session: ShownSession,
): boolean {
  return session.providerId === providerId && isMajorOf(amount, session)
}

/** A refund that Medusa asked for and has a row for. All others go straight to the gateway. */
export function isMedusaRefund({ type, medusaRefundId }: Operation): boolean {
  return type === "REFUND" && medusaRefundId !== null
}

/** Money that leaves the merchant's own wallet; no cart, order or session in Medusa knows it. */
export function isMoneyOut({ type }: Pick<Operation, "type">): boolean {
  return type === "PAYOUT" || type === "TRANSFER"
}

/** A collection or a refund: Medusa has a payment session for it. */
export function isOfMedusa(operation: OperationFields): operation is MedusaOperation {
  const { providerId, paymentCollectionId, paymentSessionId } = operation
  const hasSession = providerId !== null && paymentCollectionId !== null
  return !isMoneyOut(operation) && hasSession && paymentSessionId !== null
}

/** Whether a row has what its type of operation has, as the table's constraints want it. */
export function isOperation(operation: OperationFields): operation is Operation {
  return isOfMedusa(operation) || isMoneyOut(operation)
}

/** @throws for a payout or transfer, in which Medusa has no part */
export function ofMedusa(operation: Operation): MedusaOperation {
  if (isOfMedusa(operation)) return operation
  throw new Error(`Medusa has no part in ${operation.id}`)
}

/** It holds its payment collection, as constraint `one_live_collection_…` does: no other begins. */
export function isLive(
  operation: Pick<Operation, "state" | "isDuplicate" | "returnedAt">,
): boolean {
  return !hasEnded(operation) && !operation.isDuplicate && operation.returnedAt === null
}

/** A draft whose `start` is at work, or may still be: its lease has not ended. */
export function hasRunningStart(operation: Operation): boolean {
  return (
    operation.state === "drafted" &&
    operation.leaseUntil !== null &&
    operation.leaseUntil.getTime() > operation.readAt.getTime()
  )
}

/** Whether `one` was made later; of two of the same moment the larger id is newer. */
export function isNewer(one: Operation, other: Operation): boolean {
  const laterMs = one.createdAt.getTime() - other.createdAt.getTime()
  return laterMs === 0 ? one.id > other.id : laterMs > 0
}

/** The gateway has answered for the execution, to the call or to a check, whatever it says now. */
export function isKnownToGateway(operation: Pick<Operation, "state" | "lastSending">): boolean {
  return operation.state === "in_flight" || operation.lastSending === "accepted"
}

/** Ended without money, as far as we know; watched for a while. */
export function hasEnded({ state }: Pick<Operation, "state">): boolean {
  return state === "failed" || state === "expired"
}

/** What the gateway took of a payment: what it said, else what was asked for; null: nothing came. */
export function receivedOf({
  state,
  collected,
  amount,
}: Pick<Operation, "state" | "collected" | "amount">): Money | null {
  return collected ?? (state === "completed" ? amount : null)
}

/**
 * The payment has ended, and an admin has dismissed the money that had come by then; a source that
 * asks for no more is no news. What was dismissed as unpaid has nothing collected.
 */
export function isDismissed(
  operation: Pick<Operation, "state" | "collected">,
  total: Money | null,
): boolean {
  const { collected } = operation
  if (!hasEnded(operation) || collected === null) return false
  return total === null || total.currency !== collected.currency || total.minor <= collected.minor
}

/** The prompt goes to the shopper's phone or card; there is an execution of ours. */
export function isPush({ flow }: Pick<Operation, "flow">): boolean {
  return FLOWS[flow].asks !== null
}

/** Paid on the gateway's page: anyone with its address can pay. There is no execution of ours. */
export function isPage({ flow }: Pick<Operation, "flow">): boolean {
  return FLOWS[flow].asks === null
}

/** There is an execution of ours: money that goes back or out has one, and a page has none. */
export function hasExecution(operation: Pick<Operation, "type" | "flow" | "reference">): boolean {
  return operation.reference !== null && (operation.type !== "COLLECTION" || isPush(operation))
}

/** Milliseconds in which a new try may take over a failed push's or card's source; 0: none may. */
export function reusableForMs(operation: Operation): number {
  if (operation.state !== "failed" || !isPush(operation)) return 0
  if (operation.collected !== null || operation.closing !== null) return 0
  if (isOrderWindowOver(operation)) return 0
  const leftMs = operation.expiresAt.getTime() - operation.readAt.getTime()
  return Math.max(0, leftMs - LIMITS.sourceReuseLeftMs)
}

/** The order that waits for this money has no time left. */
export function isOrderWindowOver(operation: Pick<Operation, "windowEndsAt" | "readAt">): boolean {
  const { windowEndsAt, readAt } = operation
  return windowEndsAt !== null && windowEndsAt.getTime() <= readAt.getTime()
}

/** The time to pay is over: the operation's own, or its order's. */
export function isTimeToPayOver(
  operation: Pick<Operation, "expiresAt" | "windowEndsAt" | "readAt">,
): boolean {
  return operation.expiresAt.getTime() <= operation.readAt.getTime() || isOrderWindowOver(operation)
}

/** The payment has ended, its order's time is over, and the order's end is not dealt with yet. */
export function hasOrderToClose(operation: Operation): boolean {
  return hasEnded(operation) && operation.windowDoneAt === null && isOrderWindowOver(operation)
}

/** Completed money that Medusa has and that was not given back. */
export function isRecorded(operation: Operation): boolean {
  return isKept(operation) && operation.recordedAt !== null
}

/** Completed money that Medusa must record; only the rest above the amount may have gone back. */
export function isOwedToMedusa(operation: Operation): boolean {
  const isOthersBack = operation.reservedRefundMinor > restMinor(operation)
  return isKept(operation) && operation.recordedAt === null && !isOthersBack
}

/** The money above the asked amount, in the smallest unit: no order asks for it. */
export function restMinor({ amount, collected }: Pick<Operation, "amount" | "collected">): bigint {
  const more = collected === null ? 0n : collected.minor - amount.minor
  return more > 0n ? more : 0n
}

/** No refund is under way, and only money above the asked amount has gone back. */
export function isNoneUnderWay(operation: Operation): boolean {
  const { reservedRefundMinor: reserved, refundedMinor } = operation
  return reserved === refundedMinor && reserved <= restMinor(operation)
}

function isKept({ type, state, returnedAt }: Operation): boolean {
  return type === "COLLECTION" && state === "completed" && returnedAt === null
}

/** A refund that Medusa asked for and may not have recorded: its money went or is on its way. */
export function isUndelivered(refund: Operation): boolean {
  const isGoing = refund.state === "in_flight" && refund.failedAt === null
  return (
    isMedusaRefund(refund) &&
    refund.recordedAt === null &&
    !refund.isDuplicate &&
    (refund.state === "completed" || isGoing)
  )
}

/** A refund that Medusa asked for and may still show, although it ended without money. */
export function isToUndo(refund: Operation): boolean {
  return isMedusaRefund(refund) && hasEnded(refund) && refund.undoneAt === null
}

/** The gateway may take the shopper's money for this operation at any moment, or just has. */
export function isMoneyMoving(operation: Operation): boolean {
  if (operation.isDuplicate || operation.returnedAt !== null) return false
  if (hasRunningStart(operation)) return true
  if (operation.state === "completed") return operation.recordedAt === null
  if (operation.state === "review") return true
  const isSourceMoving = operation.sourceStatus === "PROCESSING"
  // Late money on its way counts only while checks go on: the cart must not be held for ever.
  if (hasEnded(operation)) return isSourceMoving && operation.nextCheckAt !== null
  return operation.state !== "drafted" && (isPush(operation) || isSourceMoving)
}
