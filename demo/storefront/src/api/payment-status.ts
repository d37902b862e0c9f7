/**
 * What the store's payment routes answer, and the one place that reads it. State, flow and reason
 * are open: a value this page does not know is kept as text and treated as "still going on".
 */
import { numberOf, recordOf, textOf, type WireRecord } from "./wire"

export type PaymentState =
  | "ready"
  | "waiting_for_payer"
  | "action_required"
  | "processing"
  | "paid"
  | "failed"
  | "expired"
  | "under_review"

export type PaymentStatus = {
  /** Medusa's payment session now; it can differ from the one that was asked for. */
  id: string
  state: PaymentState
  /** `push`, `hosted` or `card`. */
  flow: string | null
  providerId: string | null
  /** Major units of `currency`. */
  amount: number | null
  currency: string | null
  url: string | null
  /** `sending` until the gateway has answered for the request to the phone, then `sent`. */
  prompt: string | null
  operatorName: string | null
  /** Last three digits of the number that was asked to pay. */
  phoneHint: string | null
  reason: string | null
  canRetry: boolean
  /** ISO 8601, UTC. */
  expiresAt: string | null
  orderId: string | null
}

const STATES: readonly PaymentState[] = [
  "ready",
  "waiting_for_payer",
  "action_required",
  "processing",
  "paid",
  "failed",
  "expired",
  "under_review",
]

/**
 * Whether asking again can show nothing new without an act of the shopper or a person. A payment
 * that failed is asked after until it may be tried again: the store first makes sure that it stays
 * failed.
 */
export function hasEnded(status: PaymentStatus): boolean {
  switch (status.state) {
    case "paid":
    case "under_review":
      return true
    case "failed":
    case "expired":
      return status.canRetry
    default:
      return false
  }
}

/** Whether the shopper should see the payment instead of the cart it belongs to. */
export function isInFlight(status: PaymentStatus): boolean {
  return status.state !== "ready" && status.state !== "failed" && status.state !== "expired"
}

/** Null when the value is not a STATUS at all. */
export function readPaymentStatus(value: unknown): PaymentStatus | null {
  const wire = recordOf(value)
  const id = textOf(wire.id)
  if (id === null) return null
  return {
    id,
    // Never read an unknown state as an end: the page would invite to pay twice.
    state: STATES.find((state) => state === wire.state) ?? "processing",
    flow: textOf(wire.flow),
    providerId: textOf(wire.provider_id),
    amount: numberOf(wire.amount),
    currency: textOf(wire.currency),
    url: textOf(wire.url),
    prompt: textOf(wire.prompt),
    operatorName: operatorName(recordOf(wire.operator)),
    phoneHint: textOf(wire.phone_hint),
    reason: textOf(wire.reason),
    canRetry: wire.can_retry === true,
    expiresAt: textOf(wire.expires_at),
    orderId: textOf(wire.order_id),
  }
}

function operatorName(operator: WireRecord): string | null {
  return textOf(operator.carrier) ?? textOf(operator.payment_method)
}
