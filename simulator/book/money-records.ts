/**
 * What the gateway knows of money beside collections: wallets, money that left them, and what a
 * merchant set in the portal. A balance is not stored: `rules/wallets` computes it from these
 * records and from the collections.
 */
import type { Currency } from "../money"
import type { Step } from "../rules/timeline"
import type { OperationType, Owned, Provider } from "./basics"

export const WALLET_STATES = ["ACTIVE", "RESTRICTED", "FROZEN", "CLOSED"] as const
export type WalletState = (typeof WALLET_STATES)[number]

/** A balance in one currency, of a merchant or of a party that was sent a transfer. */
export type Wallet = {
  id: number
  createdAtMs: number
  holder: { ownerId: number } | { partyId: number }
  currency: Currency
  state: WalletState
  /** Money from before the book, and what a control put in or took out; may be negative. */
  otherMinor: number
}

export type MoneyOutType = Exclude<OperationType, "COLLECTION">

/** An executed payout, transfer or refund. `payer` is the wallet, `payee` who gets the money. */
export type MoneyOut = Owned & {
  /** The caller's UUID v4. */
  reference: string
  operationType: MoneyOutType
  /** Its own; a refund's is not the one of the collection that it gives back. */
  paymentIntentId: number
  sessionId: number
  walletId: number
  /** Whose money it was: the collection's reference; null unless it is a refund. */
  originalReference: string | null
  /** The amount of the session, in the currency that the session is in. */
  askedMinor: number
  askedCurrency: Currency
  /** Payouts only. */
  accountId: number | null
  /** Transfers only. */
  toWalletId: number | null
  phone: string | null
  provider: Provider
  method: string
  payerMinor: number
  payerCurrency: Currency
  payeeMinor: number
  payeeCurrency: Currency
  providerTransactionId: string
  /** `scenario 91`, `plan`. */
  origin: string
  steps: Step[]
  /** How often an execution call with this reference was accepted, repeats included. */
  timesCalled: number
}

/** What changed for a merchant since the start options. */
export type MerchantRecord = { ownerId: number; isVerified: boolean }

/** A key that was rotated. The secret itself is shown once and kept nowhere. */
export type RotatedKey = { clientId: string; secretHash: string; timesRotated: number }

export type MoneyData = {
  wallets: Wallet[]
  moneyOut: MoneyOut[]
  merchants: MerchantRecord[]
  rotatedKeys: RotatedKey[]
}
