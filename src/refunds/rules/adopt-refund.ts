/**
 * What a refund that the ledger knows means for one that Medusa asks for now. Pure.
 *
 * Medusa deletes its own row of a refund that was refused, and makes a new one at the next click
 * (H10). So its id says nothing about whether the money is on its way already: a refund of the same
 * payment and the same amount that no row of Medusa's stands for any more is the one that is asked
 * for again. One that Medusa shows is another: two equal refunds in a row are legitimate.
 */
import { compareDecimals } from "../../core/money"
import type { Operation } from "../../core/operation"

export type RefundClick = {
  /** Medusa's row of the refund that it asks for now. */
  readonly rowId: string
  /** In major units, not rounded. */
  readonly amount: string
  /** How long ago Medusa made the row. */
  readonly ageMs: number
}

export type Existing =
  /** The money is on its way, or there: Medusa is told so, and nothing is sent. */
  | "adopt"
  /** Nobody knows yet what becomes of it, or somebody is being told just now. */
  | "in_progress"
  /** A person checks it. */
  | "under_review"
  /** It has nothing to do with what is asked for. */
  | "another"

/** @param isShown Medusa has the row that the refund is bound to, not deleted */
export function existingOf(refund: Operation, click: RefundClick, isShown: boolean): Existing {
  const { state, surplus, hostRefundId, answeredAt } = refund
  const isEnded = state === "failed" || state === "expired" || surplus
  if (isEnded || compareDecimals(refund.hostAmount, click.amount) !== 0) return "another"
  const isOther = hostRefundId !== click.rowId
  // Whoever clicked could not see it yet: it may be the same money that they ask for.
  if (isOther && isAnsweredSince(refund, click)) return "in_progress"
  if (isShown && isOther) return answeredAt ? "another" : "in_progress"
  if (isOnItsWay(refund)) return "adopt"
  return state === "review" ? "under_review" : "in_progress"
}

/** By two machines' clocks: where they differ, a click is at most refused once too often. */
function isAnsweredSince({ answeredAt, readAt }: Operation, { ageMs }: RefundClick): boolean {
  return answeredAt !== null && answeredAt.getTime() >= readAt.getTime() - ageMs
}

/** The gateway took it or has done it, and has not called it failed since. */
export function isOnItsWay({ type, state, surplus, failedAt }: Operation): boolean {
  if (type !== "REFUND" || surplus) return false
  return state === "completed" || (state === "in_flight" && failedAt === null)
}

const MARK = "mp_operation:"

/** Written by the job as the maker of Medusa's row, so that the provider knows its refund by it. */
export function refundMark(operationId: string): string {
  return `${MARK}${operationId}`
}

/** The operation that a row of Medusa's was made for by the job; undefined for anybody else's. */
export function markedRefund(createdBy: string | null): string | undefined {
  return createdBy?.startsWith(MARK) ? createdBy.slice(MARK.length) : undefined
}
