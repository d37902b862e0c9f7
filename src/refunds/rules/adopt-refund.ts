/**
 * What a refund that the ledger knows means for one that Medusa asks for now. Pure.
 *
 * Medusa deletes its row of a refused refund and makes a new one at the next click (H10). So a
 * refund of the same payment and amount that no row stands for any more is the one asked for again.
 * A refund that Medusa shows is another one: two equal refunds in a row are legitimate.
 */
import { idFrom, type MedusaRefundId, type OperationId } from "../../core/ids"
import { compareDecimals } from "../../core/money"
import type { Operation } from "../../core/operation"

type RefundClick = {
  /** Medusa's row of the refund that it asks for now. Absent: cancelling an order makes it later. */
  readonly rowId: MedusaRefundId | undefined
  /** The amount that Medusa asks for, in major units, not rounded. */
  readonly amount: string
  /** How long ago Medusa made the row. */
  readonly ageMs: number
}

export type Existing =
  /** The money is on its way or has arrived: Medusa gets a yes, and nothing is sent. */
  | "adopt"
  /** The refund's end is not known yet, or another request is being answered just now. */
  | "in_progress"
  /** The refund is in review, where an admin decides about it. */
  | "under_review"
  /** The refund has nothing to do with the one that is asked for. */
  | "another"

/** @param isShown Medusa has the row that the refund is bound to, not deleted */
export function existingOf(refund: Operation, click: RefundClick, isShown: boolean): Existing {
  const { state, isDuplicate, medusaRefundId, answeredAt } = refund
  const isEnded = state === "failed" || state === "expired" || isDuplicate
  if (isEnded || compareDecimals(refund.medusaAmount, click.amount) !== 0) return "another"
  const isOther = medusaRefundId !== click.rowId
  // The admin could not see that refund when clicking, and may ask for the same money.
  if (isOther && isAnsweredSince(refund, click)) return "in_progress"
  if (isShown && isOther) return answeredAt ? "another" : "in_progress"
  if (isOnItsWay(refund)) return "adopt"
  return state === "review" ? "under_review" : "in_progress"
}

/** Compares the clocks of two machines: where they differ, one click too many may be refused. */
function isAnsweredSince({ answeredAt, readAt }: Operation, { ageMs }: RefundClick): boolean {
  return answeredAt !== null && answeredAt.getTime() >= readAt.getTime() - ageMs
}

/** The gateway accepted or completed the refund, and has not called it failed since. */
export function isOnItsWay({ type, state, isDuplicate, failedAt }: Operation): boolean {
  if (type !== "REFUND" || isDuplicate) return false
  return state === "completed" || (state === "in_flight" && failedAt === null)
}

const APPROVAL = "mp_approval:"

/** The maker of Medusa's row for a refund that one admin has asked for and another approves. */
export function approvalMark(requestId: string): string {
  return `${APPROVAL}${requestId}`
}

/** The id of the approved request that Medusa's row was made for. */
export function markedApproval(createdBy: string | null): string | undefined {
  return createdBy?.startsWith(APPROVAL) ? createdBy.slice(APPROVAL.length) : undefined
}

const MARK = "mp_operation:"

/** The job writes this mark as the maker of Medusa's row, so that the provider knows the refund. */
export function refundMark(operationId: OperationId): string {
  return `${MARK}${operationId}`
}

/** The operation that the job made Medusa's row for; undefined for any other maker. */
export function markedRefund(createdBy: string | null): OperationId | undefined {
  return createdBy?.startsWith(MARK) ? idFrom<OperationId>(createdBy.slice(MARK.length)) : undefined
}
