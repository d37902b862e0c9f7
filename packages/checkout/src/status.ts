/** STATUS as the store's routes answer it; `docs/storefront.md` of the plugin explains each key. */

export const PAYMENT_STATES = [
  "ready",
  "waiting_for_payer",
  "action_required",
  "processing",
  "paid",
  "failed",
  "expired",
  "under_review",
] as const
export type PaymentState = (typeof PAYMENT_STATES)[number]

export const END_REASONS = [
  "declined",
  "insufficient_funds",
  "wrong_pin",
  "limit",
  "operator_unavailable",
  "no_wallet",
  "other_payment_waits",
  "not_configured",
  "canceled",
  "never_landed",
  "window_closed",
  "returned",
  "unknown",
] as const
export type EndReason = (typeof END_REASONS)[number]

/** Amounts in major units, currencies upper case, times ISO 8601 in UTC. */
export type Status = {
  /** The payment session now; another than was asked for if Medusa has replaced it. */
  readonly id: string
  readonly state: PaymentState
  /** `push`, `hosted` or `card`. */
  readonly flow: string | null
  readonly provider_id: string | null
  readonly amount: number | null
  /** What of a paid amount was given back; null: nothing, or the store is an older version. */
  readonly returned_amount: number | null
  /** What the shop accepted beyond a paid amount; null: nothing, or an older store. */
  readonly beyond_amount: number | null
  readonly currency: string | null
  readonly payer_amount: number | null
  readonly payer_currency: string | null
  readonly reference: string | null
  /** The payment page, while it can be paid. */
  readonly url: string | null
  readonly client_secret: string | null
  /** `sending` until the gateway has said anything of the request to the phone. */
  readonly prompt: "sending" | "sent" | null
  readonly operator: { readonly payment_method: string; readonly carrier: string | null } | null
  /** The last three digits of the number. */
  readonly phone_hint: string | null
  /** One of `END_REASONS`, or one that this version does not know. */
  readonly reason: string | null
  readonly can_retry: boolean
  /** Whether a button that cancels is worth showing; the gateway decides. */
  readonly can_cancel: boolean
  readonly expires_at: string | null
  /** From the answer until then by the store's clock; 0: over; null: none, or an older store. */
  readonly expires_in_seconds: number | null
  readonly order_id: string | null
  readonly checked_at: string | null
}

const PROMPTS = ["sending", "sent"] as const

type Wire = { readonly [key: string]: unknown }

/**
 * A state that this version does not know counts as `processing`: read as an end it would invite
 * the shopper to pay twice.
 * @returns null for what is no STATUS
 */
export function readStatus(value: unknown): Status | null {
  const wire = recordOf(value)
  const id = textOf(wire["id"])
  if (id === null) return null
  const operator = recordOf(wire["operator"])
  const method = textOf(operator["payment_method"])
  return {
    id,
    state: PAYMENT_STATES.find((state) => state === wire["state"]) ?? "processing",
    flow: textOf(wire["flow"]),
    provider_id: textOf(wire["provider_id"]),
    amount: numberOf(wire["amount"]),
    returned_amount: numberOf(wire["returned_amount"]),
    beyond_amount: numberOf(wire["beyond_amount"]),
    currency: textOf(wire["currency"]),
    payer_amount: numberOf(wire["payer_amount"]),
    payer_currency: textOf(wire["payer_currency"]),
    reference: textOf(wire["reference"]),
    url: textOf(wire["url"]),
    client_secret: textOf(wire["client_secret"]),
    prompt: PROMPTS.find((prompt) => prompt === wire["prompt"]) ?? null,
    operator:
      method === null ? null : { payment_method: method, carrier: textOf(operator["carrier"]) },
    phone_hint: textOf(wire["phone_hint"]),
    reason: textOf(wire["reason"]),
    can_retry: wire["can_retry"] === true,
    can_cancel: wire["can_cancel"] === true,
    expires_at: textOf(wire["expires_at"]),
    expires_in_seconds: numberOf(wire["expires_in_seconds"]),
    order_id: textOf(wire["order_id"]),
    checked_at: textOf(wire["checked_at"]),
  }
}

/** A prompt that failed or was cancelled may still be on the phone, and be approved there. */
export function canComeLate({ flow, state, reason }: Status): boolean {
  return state === "failed" || (flow === "push" && state === "expired" && reason === "canceled")
}

/**
 * Nothing new comes by itself any more, but what can come late. A payment under review has not
 * ended: the shop decides about it.
 */
export function hasEnded({ state, can_retry }: Status): boolean {
  if (state === "failed" || state === "expired") return can_retry
  return state === "paid"
}

/** The shopper can do something to pay it, until its time is over. */
export function isPayable({ state }: Status): boolean {
  return state === "waiting_for_payer" || state === "action_required"
}

/** The shopper should see this payment, and not the form for a new one. */
export function isUnderWay({ state }: Status): boolean {
  return state !== "ready" && state !== "failed" && state !== "expired"
}

export function recordOf(value: unknown): Wire {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Wire) : {}
}

export function recordsOf(value: unknown): Wire[] {
  return Array.isArray(value) ? value.map(recordOf) : []
}

export function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null
}

export function numberOf(value: unknown): number | null {
  return Number.isFinite(value) ? (value as number) : null
}

export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : []
}
