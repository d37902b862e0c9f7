/**
 * The payment link of an order, for the admin. Amounts are in major units, times in ISO 8601 UTC,
 * and absent values are null.
 */
import { type Operation } from "../../core/operation"
import { isReturnedUnrecorded, wasRecorded } from "../../core/recorded"
import type { RefusalResponse } from "../../core/refusal"

/**
 * `being_made`: it can't be paid yet · `open`: it can be paid · `being_paid`: a payer is paying ·
 * `closing`: it is being closed · `processing`: paid, not yet recorded in Medusa · `paid`: recorded
 * · `closed`: it ended without money · `under_review`: an admin decides about its money
 */
export type LinkState =
  | "being_made"
  | "open"
  | "being_paid"
  | "closing"
  | "processing"
  | "paid"
  | "closed"
  | "under_review"

export type PaymentLink = {
  readonly operation_id: string
  readonly state: LinkState
  /** The address of the payment page, only while it can be paid. */
  readonly url: string | null
  readonly amount: number
  readonly currency: string
  readonly expires_at: string
  /** Why the link ended: the same code as in STATUS. */
  readonly reason: string | null
  readonly made_by: string | null
  readonly created_at: string
}

export type PaymentLinkResponse = {
  /** The order's live link, else the last one; null: none was ever made. */
  readonly payment_link: PaymentLink | null
  /** What the order still asks for; null: nothing. */
  readonly open_amount: number | null
  readonly currency: string
  /** Why no link can be made just now; null: one can, or the live one is given back. */
  readonly why_not: RefusalResponse | null
}

export function linkStateOf(operation: Operation): LinkState {
  const { state, closing } = operation
  switch (state) {
    case "drafted":
      return closing === null ? "being_made" : "closing"
    case "submitted":
      return closing === null ? "open" : "closing"
    case "in_flight":
      return "being_paid"
    case "completed":
      if (isReturnedUnrecorded(operation)) return "closed"
      return wasRecorded(operation) ? "paid" : "processing"
    case "review":
      return "under_review"
    case "failed":
    case "expired":
      return "closed"
  }
}
