/**
 * A second admin approves a payout or transfer: it goes as it was asked for, under its asker's key.
 * Approving names the request, so a second click finds the payout that the first one made.
 */
import { requestToApprove, type RequestAnswer } from "../ledger/ask-another-admin"
import { endedRefusal, sealedForRequest, type TwoAdminRequest } from "../ledger/requests"
import type { MoneyDeps } from "../engine/deps"
import { keptNote } from "../ledger/kept-note"
import { payoutOf } from "./known-payout"
import { requestPayout, type SealedPayout } from "./request-payout"
import { requestTransfer } from "./request-transfer"
import type { Payout } from "./sql/find-payouts"

/**
 * @returns the payout, made now or by an earlier click
 * @throws Refusal `request_not_found`, `request_ended`, `request_needs_person`, `request_is_own`,
 *   and as `requestPayout`
 */
export async function approvePayout(deps: MoneyDeps, answer: RequestAnswer): Promise<Payout> {
  const kinds = ["PAYOUT", "TRANSFER"] as const
  const request = await requestToApprove(deps.database, deps.people, kinds, answer)
  const type = request.kind === "TRANSFER" ? "TRANSFER" : "PAYOUT"
  if (request.state !== "waiting") return payoutOf(deps, type, request)
  return type === "TRANSFER"
    ? requestTransfer(deps, transferIn(request, answer))
    : requestPayout(deps, payoutIn(deps, request, answer))
}

function moneyIn(request: TwoAdminRequest, { adminId, note }: RequestAnswer) {
  const { details, keys, operationId } = request
  const [key = request.id] = keys
  // Kept with each request; without it no account could be the right one.
  if (details.account_id === undefined) throw endedRefusal({ ...request, state: "closed" })
  return {
    idempotencyKey: key,
    amount: details.amount ?? "",
    currency: details.currency ?? "",
    note: request.note ?? undefined,
    askedBy: request.askedBy,
    request: {
      id: request.id,
      approvedBy: adminId,
      answer: note === undefined ? null : keptNote(note),
      accountId: details.account_id,
      // The key of a draft that ended unsent is in its row for good.
      rowKey: operationId === null ? key : `${request.id}.${operationId}`,
    },
  }
}

function payoutIn({ box }: MoneyDeps, request: TwoAdminRequest, answer: RequestAnswer) {
  const opened = request.sealed && box.open(request.sealed, sealedForRequest(request.id))
  const name = request.details.recipient_name
  // Its encryption key is gone, or another click has just used it.
  if (!opened || !name) throw endedRefusal({ ...request, state: "closed" })
  const { phone, passcode } = JSON.parse(opened) as SealedPayout
  return { ...moneyIn(request, answer), name, phone, countryCode: undefined, passcode }
}

function transferIn(request: TwoAdminRequest, answer: RequestAnswer) {
  const { from_wallet_id: fromWalletId, to_counterparty_id: toCounterpartyId } = request.details
  if (!fromWalletId || !toCounterpartyId) throw endedRefusal({ ...request, state: "closed" })
  return { ...moneyIn(request, answer), fromWalletId, toCounterpartyId }
}
