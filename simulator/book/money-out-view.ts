/**
 * Payouts, transfers, refunds and wallets as others read them, and the sums that an oracle compares
 * with: what was paid under a payment intent, what went back, what is on its way.
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
  /** Refunds only: the collection that is given back. */
  originalReference: string | null
  originalPaymentIntentId: number | null
  phone: string | null
  method: string
  /** `scenario 97`, `plan`. */
  origin: string
  status: ExecutionStatus
  /** The status once the plan has run out. */
  settlesAs: ExecutionStatus
  createdAtMs: number
  /** The planned moment, not that of a reading; null until it has come. */
  completedAtMs: number | null
  failedAtMs: number | null
  /** 1 once the money has moved. */
  moves: number
  /** Execution calls accepted under this reference, repeats included. */
  timesCalled: number
  /** What the session asked for. */
  amount: string
  currency: string
  /** What leaves the wallet. */
  payerAmount: string
  payerCurrency: string
  /** What arrives. */
  payeeAmount: string
  payeeCurrency: string
}

export type WalletView = {
  id: number
  /** Null for the wallet of a party that was sent a transfer. */
  ownerId: number | null
  partyId: number | null
  currency: string
  state: WalletState
  /** All that is there, with what is on its way out. */
  balance: string
  reserved: string
  /** `balance` less `reserved`. */
  available: string
}

/**
 * What refunds of one collection add up to, in whole numbers of the smallest unit of the currency
 * that refunds are asked in.
 */
export type RefundedView = {
  currency: string
  /** What may be given back in all; 0 until the collection is completed. */
  paidMinor: number
  completedMinor: number
  /** Under way. A failed refund counts nothing, until it turns out completed. */
  pendingMinor: number
  /** Never below 0 unless more went back than came. */
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
