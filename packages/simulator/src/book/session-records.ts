/**
 * Gateway sessions of the four types: a short-lived intent to move money once. All types share one
 * counter, so a session that is sent to the wrong execution is found, and refused for its type.
 */
import type { Currency } from "../money"
import type { Owned } from "./basics"

type AnySession = Owned & {
  id: number
  expiresAtMs: number
  /** When it was executed; from then on it is not `ACTIVE`. */
  executedAtMs: number | null
}

export type CheckoutSession = AnySession & { type: "CHECKOUT"; sourceId: number }

/** The amount of every session that takes money out of a wallet. */
type Asked = { amountMinor: number; currency: Currency }

export type PayoutSession = AnySession & Asked & { type: "PAYOUT"; accountId: number }

export type TransferSession = AnySession &
  Asked & { type: "TRANSFER"; fromWalletId: number; counterpartyId: number }

export type RefundSession = AnySession &
  Asked & { type: "REFUND"; originalPaymentIntentId: number; reason: string | null }

export type Session = CheckoutSession | PayoutSession | TransferSession | RefundSession
export type SessionType = Session["type"]
