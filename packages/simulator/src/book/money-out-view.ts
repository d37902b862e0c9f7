/**
 * Payouts, transfers, refunds and wallets as readers see them, and sums per payment intent: what
 * was paid, what was refunded, what is on its way.
 */
import { decimalText } from "../money"
import { collectionOf, refundableOf, refundedOf } from "../rules/refunds"
import { reachedMs, stepAt, type ExecutionStatus } from "../rules/timeline"
import { balanceOf } from "../rules/wallets"
import type { World } from "../world"
import type { MoneyOut, MoneyOutType, Wallet, WalletState } from "./money-records"

/** Moments are milliseconds since the epoch by the simulator's clock; amounts are decimal texts. */
export type MoneyOutView = {
  reference: string
  operationType: MoneyOutType
  ownerId: number
  paymentIntentId: number
  sessionId: number
  /** The wallet that is debited. */
  walletId: number
  toWalletId: number | null
  accountId: number | null
  /** Refunds only: the collection that is refunded. */
  originalReference: string | null
  originalPaymentIntentId: number | null
  phone: string | null
  method: string
  /** Where the outcome comes from: `scenario 97`, `plan`. */
  origin: string
  status: ExecutionStatus
  /** The final status, after all planned steps. */
  settlesAs: ExecutionStatus
  createdAtMs: number
  /** The planned moment, not that of a reading; null until it is reached. */
  completedAtMs: number | null
  failedAtMs: number | null
  /** 1 once the money has moved. */
  moves: number
  /** How many execution calls under this reference were accepted, repeats included. */
  timesCalled: number
  /** The amount of the session. */
  amount: string
  currency: string
  /** The amount that leaves the wallet. */
  payerAmount: string
  payerCurrency: string
  /** The amount that arrives. */
  payeeAmount: string
  payeeCurrency: string
}

export type WalletView = {
  id: number
  /** Null for the wallet of a party that received a transfer. */
  ownerId: number | null
  partyId: number | null
  currency: string
  state: WalletState
  /** All money in the wallet, including what is on its way out. */
  balance: string
  reserved: string
  /** `balance` less `reserved`. */
  available: string
}

/**
 * Sums of the refunds of one collection, in the smallest unit of the currency that refunds are
 * asked in.
 */
export type RefundedView = {
  currency: string
  /** The most that may be refunded; 0 until the collection is completed. */
  paidMinor: number
  completedMinor: number
  /** Refunds under way. A failed refund does not count, unless it turns out completed. */
  pendingMinor: number
  /** Never below 0 unless more was refunded than paid. */
  leftMinor: number
}

export type MoneyOutBook = {
  refunds(): MoneyOutView[]
  payouts(): MoneyOutView[]
  transfers(): MoneyOutView[]
  /** A payout, transfer or refund by its reference. */
  moneyOut(reference: string): MoneyOutView | undefined
  /** Refunds of the collection under a payment intent, oldest first. */
  refundsOf(paymentIntentId: number): MoneyOutView[]
  /** Undefined when there is no collection under this payment intent. */
  refunded(paymentIntentId: number): RefundedView | undefined
  wallets(): WalletView[]
}

export function moneyOutBookOf(world: World): MoneyOutBook {
  const { money } = world.book
  const ofType = (type: MoneyOutType) => money.ofType(type).map((one) => viewOf(world, one))
  return {
    refunds: () => ofType("REFUND"),
    payouts: () => ofType("PAYOUT"),
    transfers: () => ofType("TRANSFER"),
    moneyOut(reference) {
      const found = money.moneyOut.get(reference)
      return found && viewOf(world, found)
    },
    refundsOf(paymentIntentId) {
      const original = collectionOf(world, paymentIntentId)
      return original ? money.refundsOf(original.reference).map((one) => viewOf(world, one)) : []
    },
    refunded: (paymentIntentId) => refundedView(world, paymentIntentId),
    wallets: () => [...money.wallets.values()].map((wallet) => viewOfWallet(world, wallet)),
  }
}

function viewOf(world: World, moneyOut: MoneyOut): MoneyOutView {
  const nowMs = world.time.nowMs()
  const { steps, originalReference } = moneyOut
  const { status } = stepAt(steps, nowMs)
  const original =
    originalReference === null ? undefined : world.book.executions.get(originalReference)
  const completedAtMs = reachedMs(steps, "COMPLETED", nowMs)
  const { payerCurrency, payeeCurrency, askedCurrency } = moneyOut
  return {
    reference: moneyOut.reference,
    operationType: moneyOut.operationType,
    ownerId: moneyOut.ownerId,
    paymentIntentId: moneyOut.paymentIntentId,
    sessionId: moneyOut.sessionId,
    walletId: moneyOut.walletId,
    toWalletId: moneyOut.toWalletId,
    accountId: moneyOut.accountId,
    originalReference,
    originalPaymentIntentId: original?.paymentIntentId ?? null,
    phone: moneyOut.phone,
    method: moneyOut.method,
    origin: moneyOut.origin,
    status,
    settlesAs: steps.at(-1)?.status ?? status,
    createdAtMs: moneyOut.createdAtMs,
    completedAtMs,
    failedAtMs: reachedMs(steps, "FAILED", nowMs),
    moves: completedAtMs === null ? 0 : 1,
    timesCalled: moneyOut.timesCalled,
    amount: decimalText({ minor: moneyOut.askedMinor, currency: askedCurrency }),
    currency: askedCurrency,
    payerAmount: decimalText({ minor: moneyOut.payerMinor, currency: payerCurrency }),
    payerCurrency,
    payeeAmount: decimalText({ minor: moneyOut.payeeMinor, currency: payeeCurrency }),
    payeeCurrency,
  }
}

function viewOfWallet(world: World, wallet: Wallet): WalletView {
  const { id, holder, currency, state } = wallet
  const { totalMinor, reservedMinor, availableMinor } = balanceOf(world, wallet)
  return {
    id,
    ownerId: "ownerId" in holder ? holder.ownerId : null,
    partyId: "partyId" in holder ? holder.partyId : null,
    currency,
    state,
    balance: decimalText({ minor: totalMinor, currency }),
    reserved: decimalText({ minor: reservedMinor, currency }),
    available: decimalText({ minor: availableMinor, currency }),
  }
}

function refundedView(world: World, paymentIntentId: number): RefundedView | undefined {
  const original = collectionOf(world, paymentIntentId)
  if (!original) return undefined
  const { minor, currency } = refundableOf(world, original)
  const isPaid = stepAt(original.steps, world.time.nowMs()).status === "COMPLETED"
  const paidMinor = isPaid ? minor : 0
  const { completedMinor, pendingMinor } = refundedOf(world, original)
  const leftMinor = paidMinor - completedMinor - pendingMinor
  return { currency, paidMinor, completedMinor, pendingMinor, leftMinor }
}
