/** A request of two admins as the admin API answers it. Absent values are null. */
import type { AccountChanges, AccountProposal } from "../core/account"
import type { RequestKind, RequestState, TwoAdminRequest } from "../ledger/requests"
import type { AdminPayout } from "./payout-view"

export type RequestResponse = {
  readonly id: string
  /** Null: noted by the version before. */
  readonly kind: RequestKind | null
  readonly state: RequestState
  readonly amount: number | null
  readonly currency: string | null
  /** Payout: who is paid. */
  readonly recipient: { readonly name: string; readonly phone_hint: string | null } | null
  readonly from_wallet_id: number | null
  readonly to_counterparty_id: number | null
  /** Refund: the payment whose money goes back. */
  readonly payment_id: string | null
  /** Change of an account. */
  readonly change: RequestedChange | null
  readonly asked_by: string
  readonly asked_at: string
  /** Until then another admin can approve it. */
  readonly ends_at: string
  readonly note: string | null
  readonly approved_by: string | null
  readonly approved_at: string | null
  readonly refused_by: string | null
  /** What the other admin wrote with the answer. */
  readonly answer: string | null
  /** The payout, transfer or refund that it became. */
  readonly operation_id: string | null
}

/** A change of an account as it is asked for. Of a secret it says only that one was entered. */
export type RequestedChange = {
  /** For a new account, the id that it will have. */
  readonly account_id: string
  readonly label: string
  /** What the change does to the account: it is `created`, `changed` or `removed`. */
  readonly name: AccountProposal["name"]
  /** Names of the fields that two admins must change alike. */
  readonly fields: readonly string[]
  readonly changes: AccountChanges
}

export type RequestAnsweredResponse = {
  readonly request: RequestResponse | null
  /** The payout or transfer that an approval sent; a refund is `operation_id` of the request. */
  readonly payout: AdminPayout | null
}

export type RequestsResponse = { readonly requests: readonly RequestResponse[] }

export function requestView(request: TwoAdminRequest): RequestResponse {
  const { details } = request
  const { amount, recipient_name: name } = details
  return {
    id: request.id,
    kind: request.kind,
    state: request.state,
    amount: amount === undefined ? null : Number(amount),
    currency: details.currency ?? null,
    recipient: name ? { name, phone_hint: details.phone_hint ?? null } : null,
    from_wallet_id: details.from_wallet_id ?? null,
    to_counterparty_id: details.to_counterparty_id ?? null,
    payment_id: details.refund?.payment_id ?? null,
    change: request.proposal && changeIn(request.proposal),
    asked_by: request.askedBy,
    asked_at: request.askedAt.toISOString(),
    ends_at: request.endsAt.toISOString(),
    note: request.note,
    approved_by: request.approvedBy,
    approved_at: request.approvedAt?.toISOString() ?? null,
    refused_by: request.refusedBy,
    answer: request.answer,
    operation_id: request.operationId,
  }
}

function changeIn({ accountId, label, name, fields, changes }: AccountProposal): RequestedChange {
  return { account_id: accountId, label, name, fields, changes }
}
