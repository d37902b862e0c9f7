/**
 * Keeps a payout or transfer that needs a second admin as a request. What it needs to be sent, the
 * whole number and the passcode, is kept encrypted until it is sent or has ended, so that the second
 * admin types nothing.
 */
import { isPerson } from "../core/account-policies"
import { majorText } from "../core/money"
import { amountFact, refusal } from "../core/refusal"
import { assertMayAsk } from "../ledger/ask-another-admin"
import { joinWaiting, newRequestId, sealedForRequest } from "../ledger/requests"
import type { MoneyDeps } from "../engine/deps"
import { keptNote } from "../ledger/kept-note"
import { needsSecondAdmin, type Asked } from "./known-payout"
import type { MoneyAsked } from "./money-asked"
import { askForPayout } from "./sql/ask-payout"
import type { PayoutDraft } from "./sql/insert-payout"
import type { MoneyOutPlace } from "./sql/money-out-room"

/**
 * @returns only if another request came between: the caller reads all again
 * @throws Refusal `money_out_needs_second_admin`, once the request is noted, with its id;
 *   `encryption_key_missing`, `request_needs_right`
 */
export async function askSecondAdmin(
  { database, people, box }: MoneyDeps,
  room: MoneyOutPlace & { readonly turn: number },
  request: MoneyAsked,
  asked: Asked & Partial<Pick<PayoutDraft, "paymentMethod" | "carrier">>,
): Promise<void> {
  const { askedBy, idempotencyKey: key, note } = request
  const { amount, subject, toSeal } = asked
  if (!isPerson(askedBy)) {
    throw refusal("money_out_needs_second_admin.person", { amount: amountFact(amount) })
  }
  await assertMayAsk(database, people, asked.type, askedBy)
  const waiting = await joinWaiting(database, subject, key)
  if (waiting) throw needsSecondAdmin(amount, waiting)
  const id = newRequestId()
  const sealed = toSeal === null ? null : box.seal(toSeal, sealedForRequest(id))
  if (sealed === undefined) throw refusal("encryption_key_missing")
  const details = {
    account_id: room.accountId,
    amount: majorText(amount),
    currency: amount.currency,
    recipient_name: asked.recipientName,
    phone_hint: asked.phoneHint,
    payment_method: asked.paymentMethod ?? null,
    carrier: asked.carrier ?? null,
    from_wallet_id: asked.walletId,
    to_counterparty_id: asked.counterpartyId,
  }
  const kept = { id, kind: asked.type, subject, askedBy, key, details, sealed }
  const noted = { ...kept, note: note === undefined ? null : keptNote(note) }
  if (await askForPayout(database, people, noted, room))
    throw needsSecondAdmin(amount, { id, keys: [key] })
}
