/**
 * What a caller's key stands for. It stands for one movement of money from the first click to the
 * last: the same again is answered with the payout, or with the request for it, whatever became of
 * them. It ends only with a proven end; another payout under it is refused.
 *
 * Of the recipient's number the ledger has three digits, so without a request two numbers that end
 * alike count as the same.
 */
import type { Money } from "../core/money"
import { hasEnded } from "../core/operation"
import { amountFact, refusal } from "../core/refusal"
import {
  endedRefusal,
  findRequest,
  findRequestByKey,
  type TwoAdminRequest,
} from "../ledger/requests"
import { storable } from "../core/storable"
import type { MoneyDeps } from "../engine/deps"
import type { MoneyAsked } from "./money-asked"
import { readPayout } from "./payout-view"
import { findByIdempotencyKey, findInDoubt, type Payout } from "./sql/find-payouts"
import type { PayoutDraft } from "./sql/insert-payout"

/** What is asked for, as the admin wrote it. */
export type Asked = Pick<
  PayoutDraft,
  "type" | "recipientName" | "phoneHint" | "walletId" | "counterpartyId"
> & {
  readonly amount: Money
  /** The recipient's whole number. Null for a transfer. */
  readonly to: string | null
  /** All of it in one text, without the number itself: equal for equal requests. */
  readonly subject: string
  /** What only a request keeps, encrypted, until another admin approves it. Null: nothing. */
  readonly toSeal: string | null
}

/** The digest is keyed: a plain one of a phone number could be guessed by trying all numbers. */
export function subjectOf(
  { digest }: Pick<MoneyDeps, "digest">,
  asked: Omit<Asked, "subject" | "toSeal">,
): string {
  const { type, amount, recipientName, walletId, counterpartyId, to } = asked
  const { minor, currency } = amount
  const parts = [type, minor.toString(), currency, recipientName, to, walletId, counterpartyId]
  return `request ${type} ${digest(JSON.stringify(parts))}`
}

/**
 * @returns undefined where nothing was made under the key, and nothing asked for
 * @throws Refusal `idempotency_key_reused`, `money_out_needs_second_admin`, `request_ended`
 */
export async function knownUnder(
  deps: Pick<MoneyDeps, "database">,
  { idempotencyKey, request }: Pick<MoneyAsked, "idempotencyKey" | "request">,
  asked: Asked,
): Promise<Payout | undefined> {
  const { database } = deps
  const known = await findByIdempotencyKey(database, idempotencyKey)
  if (known && !isSame(known, asked)) {
    throw refusal("idempotency_key_reused", {}, { id: known.operation.id })
  }
  // A draft that ended unsent leaves its request waiting.
  if (known && !isUnsent(known)) return known
  const found = request
    ? await findRequest(database, request.id)
    : await findRequestByKey(database, idempotencyKey)
  if (!found) return known
  if (found.subject !== asked.subject) {
    throw refusal("idempotency_key_reused", {}, { request_id: found.id })
  }
  if (found.state !== "waiting") return payoutOf(deps, asked.type, found)
  if (request) return undefined
  throw needsSecondAdmin(asked.amount, found)
}

/** @throws Refusal `request_ended` where the request became no payout */
export function payoutOf(
  deps: Pick<MoneyDeps, "database">,
  type: Asked["type"],
  request: TwoAdminRequest,
): Promise<Payout> {
  if (request.state !== "approved" || request.operationId === null) throw endedRefusal(request)
  return readPayout(deps, type, request.operationId)
}

/**
 * Names the key under which the money will go. Where a restored database has lost that another key
 * stands for the same request, only this one still means the payout that went.
 */
export function needsSecondAdmin(
  amount: Money,
  { id, keys: [key] }: Pick<TwoAdminRequest, "id" | "keys">,
) {
  const facts = { amount: amountFact(amount) }
  const details = { request_id: id, idempotency_key: key ?? null }
  return refusal("money_out_needs_second_admin", facts, details)
}

const isUnsent = ({ operation }: Payout) =>
  operation.state === "expired" && operation.reference === null

function isSame(known: Payout, asked: Asked): boolean {
  const { operation } = known
  const name = asked.recipientName === null ? null : storable(asked.recipientName)
  const isSameWallet = asked.type === "PAYOUT" || known.walletId === asked.walletId
  return (
    operation.type === asked.type &&
    operation.amount.minor === asked.amount.minor &&
    operation.amount.currency === asked.amount.currency &&
    operation.phoneHint === asked.phoneHint &&
    known.recipientName === name &&
    known.counterpartyId === asked.counterpartyId &&
    isSameWallet
  )
}

/**
 * Refuses to send the same under a new key while it is not certain that an earlier try sent nothing:
 * the gateway may have carried out what it answered with a refusal.
 *
 * @throws Refusal `money_out_in_doubt`
 */
export async function assertNoneInDoubt(
  { database }: Pick<MoneyDeps, "database">,
  { idempotencyKey }: Pick<MoneyAsked, "idempotencyKey">,
  asked: Asked,
): Promise<void> {
  const inDoubt = await findInDoubt(database, asked, idempotencyKey)
  if (!inDoubt || hasEnded(inDoubt.operation)) return
  const { id, state } = inDoubt.operation
  const details = { id, state, ended: false, idempotency_key: inDoubt.idempotencyKey }
  throw refusal("money_out_in_doubt", { id }, details)
}
