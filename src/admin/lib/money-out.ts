/** Sends money, and reads fees. */
import { useMutation } from "@tanstack/react-query"
import { ApiError } from "./api"
import { ask, type Sent } from "./endpoints"
import type {
  AdminPayoutResponse,
  AdminTransferResponse,
  FeePredictionResponse,
  GatewayRatesResponse,
} from "./responses"
import { useRead } from "./queries"
import type { Say } from "./words"

/** The payout's form as it is opened. */
export const NO_PAYOUT = {
  amount: "",
  currency: "LRD",
  name: "",
  phone: "",
  note: "",
  passcode: "",
  passcode_phone: "",
}
/** The transfer's form. `from` and `to`: the gateway's ids of the wallet and the counterparty. */
export const NO_TRANSFER = { amount: "", currency: "LRD", from: "", to: "", note: "" }

export type PayoutForm = Readonly<typeof NO_PAYOUT>
export type TransferForm = Readonly<typeof NO_TRANSFER>

/** A key always returns the same payout or transfer, however often it is sent. */
export function sendPayout(form: PayoutForm, key: string): Promise<AdminPayoutResponse> {
  const body = {
    ...sharedBody(form, key),
    name: form.name.trim(),
    phone: form.phone.trim(),
    passcode: form.passcode,
    ...(form.passcode_phone.trim() && { passcode_phone: form.passcode_phone.trim() }),
  }
  return ask("POST payouts", { body })
}

export function sendTransfer(form: TransferForm, key: string): Promise<AdminTransferResponse> {
  const body = {
    ...sharedBody(form, key),
    from_wallet_id: Number(form.from.trim()),
    to_counterparty_id: Number(form.to.trim()),
  }
  return ask("POST transfers", { body })
}

function sharedBody(form: PayoutForm | TransferForm, key: string) {
  return {
    idempotency_key: key,
    amount: form.amount.trim(),
    currency: form.currency,
    ...(form.note.trim() && { note: form.note.trim() }),
  }
}

/** `crypto.randomUUID` exists only over https; this works everywhere. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")
}

/**
 * Whether it is certain that nothing was sent under this key, and nothing will be, so that the next
 * try needs a new one. After any other refusal the key stays, because a try may still be carried
 * out; at most one of all tries is.
 */
export function hasEnded(error: unknown): boolean {
  return error instanceof ApiError && error.details["ended"] === true
}

/** Whether the payout now waits for another admin, as a request of its own. */
export function isAskedFor(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    error.code === "money_out_needs_second_admin" &&
    typeof error.details["request_id"] === "string"
  )
}

/** The store said what is wrong. Without such an answer the try may have succeeded. */
export function isAnswered(error: unknown): boolean {
  return error instanceof ApiError && error.code !== "" && error.status >= 400 && error.status < 500
}

/** Whether something may have been sent under the key, which then stays. */
export function mayHaveGone(error: unknown): boolean {
  return !isAnswered(error) || (error instanceof ApiError && error.details["ended"] === false)
}

/** An operator has its own name; "card" is translated. */
export function methodName(say: Say, { payment_method, label }: GatewayRatesResponse): string {
  return payment_method === "CREDIT_CARD" ? say("flow.card") : label
}

export function useFees() {
  return useRead("GET fees", { query: {} }, { retry: false, staleTime: Infinity })
}

/** Sent by a button, not while typing: each one asks the gateway. */
export function usePrediction() {
  return useMutation<FeePredictionResponse, Error, Sent<"GET fees/prediction">["query"]>({
    mutationFn: (query) => ask("GET fees/prediction", { query }),
  })
}
