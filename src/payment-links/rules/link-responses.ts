/**
 * The payment link of an order, for the admin. Amounts are in major units, times in ISO 8601 UTC,
 * and absent values are null.
 */
import type { Operation } from "../../core/operation"
import { isReturnedUnrecorded, wasRecorded } from "../../core/recorded"
import type { LinkState } from "../schemas/payment-link"

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
