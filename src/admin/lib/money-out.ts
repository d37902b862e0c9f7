/** Sends money, and reads fees. */
import { useMutation, useQuery } from "@tanstack/react-query"
import { ApiError, call, type Query } from "./api"
import type {
  AdminPayoutResponse,
  AdminTransferResponse,
  FeePredictionResponse,
  FeesResponse,
} from "./responses"
import { BASE, OURS } from "./queries"

export type PayoutForm = {
  readonly amount: string
  readonly currency: string
  readonly name: string
  readonly phone: string
  readonly note: string
  readonly passcode: string
  readonly passcode_phone: string
}

/** A key always returns the same payout, however often it is sent. */
export function sendPayout(form: PayoutForm, idempotencyKey: string): Promise<AdminPayoutResponse> {
  return call<AdminPayoutResponse>(`${BASE}/payouts`, {
    method: "POST",
    body: {
      idempotency_key: idempotencyKey,
      amount: form.amount.trim(),
      currency: form.currency,
      name: form.name.trim(),
      phone: form.phone.trim(),
      passcode: form.passcode,
      ...(form.note.trim() && { note: form.note.trim() }),
      ...(form.passcode_phone.trim() && { passcode_phone: form.passcode_phone.trim() }),
    },
  })
}

export type TransferForm = {
  readonly amount: string
  readonly currency: string
  /** The gateway's numbers of the wallet and the counterparty. */
  readonly from: string
  readonly to: string
  readonly note: string
}

/** Like {@link sendPayout}. */
export function sendTransfer(form: TransferForm, idempotencyKey: string) {
  return call<AdminTransferResponse>(`${BASE}/transfers`, {
    method: "POST",
    body: {
      idempotency_key: idempotencyKey,
      amount: form.amount.trim(),
      currency: form.currency,
      from_wallet_id: Number(form.from.trim()),
      to_counterparty_id: Number(form.to.trim()),
      ...(form.note.trim() && { note: form.note.trim() }),
    },
  })
}

/** `crypto.randomUUID` exists only over https; this works everywhere. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")
}

/**
 * Whether the payout of this key ended without money, so that the next try needs a new key: the
 * response names the payout. After any other refusal the key stays, because an unanswered try may
 * still be carried out; at most one of all tries is.
 */
export function hasEnded(error: unknown): boolean {
  return error instanceof ApiError && typeof error.details["id"] === "string"
}

/** The store said what is wrong. Without such an answer the try may have succeeded. */
export function isAnswered(error: unknown): boolean {
  return error instanceof ApiError && error.code !== "" && error.status >= 400 && error.status < 500
}

/** The key belongs to another payout: an earlier unanswered try whose form was changed. */
export function isOtherKey(error: unknown): boolean {
  return error instanceof ApiError && error.code === "idempotency_key_reused"
}

export function useFees() {
  return useQuery({
    queryKey: [OURS, "fees"],
    queryFn: ({ signal }) => call<FeesResponse>(`${BASE}/fees`, { signal }),
    retry: false,
    staleTime: Infinity,
  })
}

/** Sent by a button, not while typing: each one asks the gateway. */
export function usePrediction() {
  return useMutation<FeePredictionResponse, Error, Query>({
    mutationFn: (query) => call<FeePredictionResponse>(`${BASE}/fees/prediction`, { query }),
  })
}
