/** The `data` of the events that the shop's own code gets on Medusa's bus. Every key is always there. */
import { z } from "zod"
import { ACCOUNT_EVENTS } from "../../core/account"
import { OPERATION_TYPES } from "../../core/operation"
import { count, text, time, type Output } from "../../core/schemas/shapes"

/** Ids and codes only, of a payment, a refund, a payout or a transfer. */
export const announcementData = z.strictObject({
  /** The operation's id. */
  id: text,
  /** The same in each delivery of an event, so that a subscriber can tell a repeat. */
  event_id: text,
  type: z.enum(OPERATION_TYPES),
  payment_collection_id: text.nullable(),
  cart_id: text.nullable(),
  /** Null also while the order is still being made. */
  order_id: text.nullable(),
  /** For a refund, the id of the payment whose money goes back. */
  parent_id: text.nullable(),
  /**
   * A code: why the operation ended, why an admin must decide, or what the admin decided. Null also
   * if the operation moved on to another state before the announcement.
   */
  reason: text.nullable(),
  /** When the event was written to the ledger. */
  occurred_at: time,
})
export type AnnouncementData = Output<typeof announcementData>

/** A change of an account: names and ids, no values. */
export const accountEventData = z.strictObject({
  /** The account's id. */
  id: text,
  event_id: text,
  type: z.literal("ACCOUNT"),
  event: z.enum(ACCOUNT_EVENTS),
  /** An admin's id, an API key's id, or `environment`. */
  by: text,
  /** The names of what was changed. */
  fields: z.array(text),
  occurred_at: time,
})
export type AccountEventData = Output<typeof accountEventData>

/** A payment method whose payments mostly fail, or no longer: codes and counts. */
export const methodEventData = z.strictObject({
  /** The payment method, as the methods' route names it. */
  id: text,
  event_id: text,
  type: z.literal("METHOD"),
  /** `failures`; of the end `payments` (they go through) or `quiet` (none failed lately). */
  reason: text,
  /** When it began: of the end the same as of the beginning. */
  since: time,
  /** Its payments of the last half hour that ended. */
  ended: count,
  /** Those of them that failed for its own reason. */
  failed: count,
  occurred_at: time,
})
export type MethodEventData = Output<typeof methodEventData>
