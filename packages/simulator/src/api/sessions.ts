/**
 * Gateway sessions of the four types. An unknown or foreign source or payment intent answers 404,
 * as reading it would; wallets, counterparties and payout accounts answer 422.
 */
import type { Session, SourceType } from "../book/records"
import { iso } from "../clock"
import { wireAmount } from "../money"
import { ownDocument } from "../rules/documents"
import { openPayout, type PayoutSessionRequest } from "../rules/payouts"
import { openRefund, type RefundSessionRequest } from "../rules/refunds"
import { openSession, sessionStatusOf } from "../rules/sessions"
import { openTransfer, type TransferSessionRequest } from "../rules/transfers"
import { merchantWallet } from "../rules/wallets"
import type { World } from "../world"
import { operation, type Operation } from "./operation"

type CheckoutSessionRequest = { source_id: number; source_type: SourceType }

const createCheckoutSession = operation<CheckoutSessionRequest>(
  "createCheckoutSession",
  ({ world, ownerId, body }) => {
    const document = ownDocument(world, ownerId, body.source_type, body.source_id)
    const session = openSession(world, document)
    return {
      ...common(world, session),
      source_id: document.id,
      source_type: document.type,
      payment_account_id: null,
    }
  },
)

const createPayoutSession = operation<PayoutSessionRequest>(
  "createPayoutSession",
  ({ world, ownerId, body }) => {
    const session = openPayout(world, ownerId, body)
    return {
      ...common(world, session),
      ...amountOf(session),
      wallet_id: merchantWallet(world, ownerId, session.currency).id,
      payout_account_id: session.accountId,
    }
  },
)

const createTransferSession = operation<TransferSessionRequest>(
  "createTransferSession",
  ({ world, ownerId, body }) => {
    const session = openTransfer(world, ownerId, body)
    return {
      ...common(world, session),
      ...amountOf(session),
      from_wallet_id: session.fromWalletId,
      to_counterparty_id: session.counterpartyId,
    }
  },
)

const createRefundSession = operation<RefundSessionRequest>(
  "createRefundSession",
  ({ world, ownerId, body }) => {
    const session = openRefund(world, ownerId, body)
    if (!world.settings.showsRefundSession) return common(world, session)
    return {
      ...common(world, session),
      ...amountOf(session),
      original_payment_intent_id: session.originalPaymentIntentId,
      reason: session.reason,
    }
  },
)

function common(world: World, session: Session) {
  return {
    id: session.id,
    status: sessionStatusOf(world, session),
    expires_at: iso(session.expiresAtMs),
    created_at: iso(session.createdAtMs),
    updated_at: iso(session.createdAtMs),
  }
}

const amountOf = ({ amountMinor: minor, currency }: Exclude<Session, { type: "CHECKOUT" }>) => ({
  amount: wireAmount({ minor, currency }),
  currency,
})

export const sessionOperations: readonly Operation[] = [
  createCheckoutSession,
  createPayoutSession,
  createTransferSession,
  createRefundSession,
]
