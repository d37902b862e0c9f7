/**
 * STATUS: what a shopper's page shows of a payment. Customer-safe by construction: it is built
 * field by field from the operation, and holds no phone number, no gateway message and no secret.
 * The secret that a card needs in the browser is added for its shopper alone (`read-status.ts`).
 */
import { z } from "zod"
import { END_REASONS, FLOW_NAMES } from "../../core/operation"
import { number, type Output, text, time } from "../../core/schemas/shapes"

export const statusState = z.enum([
  "ready",
  "waiting_for_payer",
  "action_required",
  "processing",
  "paid",
  "failed",
  "expired",
  "under_review",
])
export type StatusState = Output<typeof statusState>

/**
 * How far the prompt is: `sending` until the gateway has said anything about the execution, then
 * `sent`. Null where no prompt goes to a phone.
 */
const prompt = z.enum(["sending", "sent"])

/**
 * All keys are always there, and absent values are null. Amounts are in major units, times in ISO
 * 8601 UTC.
 */
export const status = z.strictObject({
  /** The payment session. */
  id: text,
  state: statusState,
  flow: z.enum(FLOW_NAMES),
  provider_id: text,
  /** What is to be paid, in the currency's digits; null once Medusa asks for another amount. */
  amount: number.nullable(),
  /** What of a paid amount was refunded, as far as it has arrived, or taken back; null: nothing. */
  returned_amount: number.nullable(),
  /** What an admin accepted beyond a paid amount; null: nothing. */
  beyond_amount: number.nullable(),
  currency: text,
  /** What the payer's wallet is charged, once known; before that, what `start` expected. */
  payer_amount: number.nullable(),
  payer_currency: text.nullable(),
  /** The gateway's reference of a `push` or `card`; null for `hosted`. */
  reference: text.nullable(),
  /** The payment page, while it can be paid; `hosted` only. */
  url: text.nullable(),
  /** For the card processor's SDK while the state is `action_required`. Never log it. */
  client_secret: text.nullable(),
  prompt: prompt.nullable(),
  /** Once known; the `carrier` of a card is its brand. */
  operator: z
    .strictObject({
      payment_method: text,
      carrier: text.nullable(),
    })
    .nullable(),
  /** The last three digits of the phone that was asked. */
  phone_hint: text.nullable(),
  /** Why it failed or ended. */
  reason: z.enum(END_REASONS).nullable(),
  /** Whether `start` can be called again. */
  can_retry: z.boolean(),
  /** Whether a button that calls `cancel` is worth showing. The gateway decides. */
  can_cancel: z.boolean(),
  /** Until when this try can be paid. */
  expires_at: time.nullable(),
  /** Whole seconds until then by the database's clock; 0: its time is over. */
  expires_in_seconds: number.nullable(),
  /** As `receipt_url`, for the shopper who may open the order. */
  order_id: text.nullable(),
  /** When the gateway last answered a question about it. */
  checked_at: time.nullable(),
  /** The customer's receipt; null until it is paid, and in a refusal's `payment`. */
  receipt_url: text.nullable(),
})
export type Status = Output<typeof status>

/** `{ payment }`, of each route of a payment session. */
export const statusResponse = z.strictObject({ payment: status })
