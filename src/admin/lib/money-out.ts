/** Sending money out, and what everything costs. */
import { useMutation, useQuery } from "@tanstack/react-query"
import { ApiError, call, type Query } from "./api"
import type {
  AdminPayoutAnswer,
  AdminTransferAnswer,
  FeePredictionAnswer,
  FeesAnswer,
} from "./answers"
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

/** Under one key the same payout is answered, however often it is asked for. */
export function sendPayout(form: PayoutForm, idempotencyKey: string): Promise<AdminPayoutAnswer> {
  return call<AdminPayoutAnswer>(`${BASE}/payouts`, {
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
  /** Numbers of a wallet and of a counterparty at the gateway. */
  readonly from: string
  readonly to: string
  readonly note: string
}

/** As {@link sendPayout}. */
export function sendTransfer(form: TransferForm, idempotencyKey: string) {
  return call<AdminTransferAnswer>(`${BASE}/transfers`, {
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

/** The browser's own maker of such ids is there over https alone; this is there everywhere. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")
}

/**
 * Whether the payout of this key has ended without money, so that the next try is a new one: the answer
 * names the row that ended. Any other refusal has made no row under this key, or says nothing of one
 * that an unanswered try has made; the key stays, and at most one of all tries is carried out.
 */
export function hasEnded(error: unknown): boolean {
  return error instanceof ApiError && typeof error.details["id"] === "string"
}

/** The store itself said what is wrong; where it said nothing, the try may have gone through. */
export function isAnswered(error: unknown): boolean {
  return error instanceof ApiError && error.code !== "" && error.status >= 400 && error.status < 500
}

/** The key is another payout's: an earlier try that was not answered, changed since. */
export function isOtherKey(error: unknown): boolean {
  return error instanceof ApiError && error.code === "idempotency_key_reused"
}

export function useFees() {
  return useQuery({
    queryKey: [OURS, "fees"],
    queryFn: ({ signal }) => call<FeesAnswer>(`${BASE}/fees`, { signal }),
    retry: false,
    staleTime: Infinity,
  })
}

/** Asked for by a button, not by each letter: every question is one to the gateway. */
export function usePrediction() {
  return useMutation<FeePredictionAnswer, Error, Query>({
    mutationFn: (query) => call<FeePredictionAnswer>(`${BASE}/fees/prediction`, { query }),
  })
}
