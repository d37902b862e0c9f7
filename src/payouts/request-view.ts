/** A request of two admins as the admin API answers it. Absent values are null. */
import type { AccountProposal } from "../core/schemas/stored-account"
import type { TwoAdminRequest } from "../ledger/requests"
import type { RequestResponse, RequestedChange } from "./schemas/requests"

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
