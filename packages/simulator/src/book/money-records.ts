/**
 * Money besides collections: wallets, outgoing money, and what a merchant set in the portal. A
 * balance is not stored: `rules/wallets` computes it from these records and the collections.
 */
import type { Currency } from "../money"
import type { Step } from "../rules/timeline"
import type { OperationType, Owned, Provider } from "./basics"

export const WALLET_STATES = ["ACTIVE", "RESTRICTED", "FROZEN", "CLOSED"] as const
export type WalletState = (typeof WALLET_STATES)[number]

/** A balance in one currency, of a merchant or of a party that received a transfer. */
export type Wallet = {
  id: number
  createdAtMs: number
  holder: { ownerId: number } | { partyId: number }
  currency: Currency
  state: WalletState
  /** Money from before the book, and what a control added or took out; may be negative. */
  otherMinor: number
}

export type MoneyOutType = Exclude<OperationType, "COLLECTION">

/** An executed payout, transfer or refund. `payer` is the wallet, `payee` the recipient. */
export type MoneyOut = Owned & {
  /** The caller's UUID v4. */
  reference: string
  operationType: MoneyOutType
  /** The execution's own intent; a refund also names the collection that it refunds. */
  paymentIntentId: number
  sessionId: number
  walletId: number
  /** The reference of the refunded collection; null unless it is a refund. */
  originalReference: string | null
  /** The amount of the session, in the session's currency. */
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
  /** Where the outcome comes from: `scenario 91`, `plan`. */
  origin: string
  steps: Step[]
  /** How many execution calls under this reference were accepted, repeats included. */
  timesCalled: number
}

/** What a merchant's settings became after the start options. */
export type MerchantRecord = { ownerId: number; isVerified: boolean }

/** A rotated key. The secret itself is displayed once and never stored. */
export type RotatedKey = { clientId: string; secretHash: string; timesRotated: number }

export type MoneyData = {
  wallets: Wallet[]
  moneyOut: MoneyOut[]
  merchants: MerchantRecord[]
  rotatedKeys: RotatedKey[]
}
