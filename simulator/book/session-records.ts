/**
 * Gateway sessions of the four types: a short-lived intent to move money once. All share one
 * counter, so a session of one type sent to the execution of another is found, and refused for its
 * type.
 */
import type { Currency } from "../money"
import type { Owned } from "./basics"

type AnySession = Owned & {
  id: number
  expiresAtMs: number
  /** Set when it was executed; it is not `ACTIVE` from then on. */
  executedAtMs: number | null
}

export type CheckoutSession = AnySession & { type: "CHECKOUT"; sourceId: number }

/** What every session that takes money out of a wallet says. */
type Asked = { amountMinor: number; currency: Currency }

export type PayoutSession = AnySession & Asked & { type: "PAYOUT"; accountId: number }

export type TransferSession = AnySession &
  Asked & { type: "TRANSFER"; fromWalletId: number; counterpartyId: number }

export type RefundSession = AnySession &
  Asked & { type: "REFUND"; originalPaymentIntentId: number; reason: string | null }

export type Session = CheckoutSession | PayoutSession | TransferSession | RefundSession
export type SessionType = Session["type"]
