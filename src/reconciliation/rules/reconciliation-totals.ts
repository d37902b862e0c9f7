/**
 * What each of the three books adds up to in a period, by currency, side by side. All three count
 * the same payments: those that began in the period, and what only one side knows of it. Sums are
 * exact, never across currencies, and Medusa's have every digit beside: it does not round.
 *
 * Equal totals prove nothing (two mistakes may cancel out); the differences do
 * (`reconciliation.ts`).
 */
import { decimalSum, majorText, moneyFromMajor, parseCurrency } from "../../core/money"
import type { CurrencyCode, Money } from "../../core/money"
import type { Operation } from "../../core/operation"
import {
  indexOf,
  moneyOf,
  operationsOf,
  type SideIndex,
  type SidesOfPeriod,
} from "./reconciliation"

/** An amount is decimal text in major units. */
export type Total = { readonly count: number; readonly amount: string }

/** `exact`: with every digit that Medusa keeps; `amount` counts each payment as it was charged. */
export type HostTotal = Total & { readonly exact: string }

export type PeriodTotals = {
  readonly currency: string
  /** Null: the gateway could not be read. */
  readonly gateway: {
    readonly paid: Total
    /** Paid there, and made by none of this store's payments. */
    readonly elsewhere: Total
  } | null
  readonly ledger: {
    readonly completed: Total
    /** Came in, and waits for a person. */
    readonly under_review: Total
  }
  readonly medusa: { readonly captured: HostTotal }
  /** Those that were asked for in the period, whenever the money had come in. */
  readonly refunds: {
    /** The gateway said of each that it went through. */
    readonly gateway: Total
    /** Sent, and not known to have failed. */
    readonly ledger: Total
    readonly medusa: HostTotal
  }
}

/** Of the ledger's refunds in one currency. */
export type RefundTotals = {
  readonly currency: CurrencyCode
  readonly confirmed: { readonly count: number; readonly minor: bigint }
  readonly sent: { readonly count: number; readonly minor: bigint }
}

/** A refund as Medusa has it, unrounded. */
export type HostRefund = { readonly currency: string; readonly amount: string }

export type TotalsOf = {
  readonly books: SidesOfPeriod
  readonly period: { readonly from: Date; readonly until: Date }
  readonly refunds: readonly RefundTotals[]
  readonly hostRefunds: readonly HostRefund[]
}

export function totalsOf(given: TotalsOf): PeriodTotals[] {
  const { books, refunds, hostRefunds } = given
  const index = indexOf(books)
  const began = books.operations.filter(({ createdAt }) => isWithin(given, createdAt))
  const paid = paidDocuments(given, index)
  const captured = capturedIn(given, index)
  const completed = began.filter(({ state }) => state === "completed").flatMap(moneyIn)
  const underReview = began.filter(({ state }) => state === "review").flatMap(moneyIn)
  const currencies = new Set<CurrencyCode>()
  for (const { currency } of [...completed, ...underReview, ...paid.ours, ...paid.elsewhere]) {
    currencies.add(currency)
  }
  for (const { currency } of [...captured, ...refunds, ...hostRefunds]) {
    const code = parseCurrency(currency)
    if (code) currencies.add(code)
  }
  return [...currencies].sort().map((currency) => {
    const own = refunds.find((one) => one.currency === currency)
    return {
      currency,
      gateway:
        books.listed.length === 2
          ? { paid: totalIn(currency, paid.ours), elsewhere: totalIn(currency, paid.elsewhere) }
          : null,
      ledger: {
        completed: totalIn(currency, completed),
        under_review: totalIn(currency, underReview),
      },
      medusa: { captured: hostTotalIn(currency, captured) },
      refunds: {
        gateway: counted(currency, own?.confirmed),
        ledger: counted(currency, own?.sent),
        medusa: hostTotalIn(currency, hostRefunds),
      },
    }
  })
}

/** Whose money came in; what it was asked for where the gateway has not said more. */
function moneyIn({ collected, amount, state }: Operation): Money[] {
  if (collected) return [collected]
  return state === "completed" ? [amount] : []
}

/** By the payment that it pays; one that pays none, by the gateway's own time. */
function paidDocuments(given: TotalsOf, index: SideIndex) {
  const ours: Money[] = []
  const elsewhere: Money[] = []
  for (const document of given.books.documents) {
    if (document.status !== "PAID") continue
    const { isLikeOurs, payers, maker } = operationsOf(index, document)
    const operation = payers[0] ?? maker
    const total = document.total ?? operation?.amount
    if (!total) continue
    const isIn = operation
      ? (payers.length > 0 ? payers : [operation]).some((one) => isWithin(given, one.createdAt))
      : !document.touchedAt || isWithin(given, document.touchedAt)
    if (isIn) (operation || isLikeOurs ? ours : elsewhere).push(total)
  }
  return { ours, elsewhere }
}

type Captured = { readonly currency: string; readonly amount: string; readonly minor: bigint }

/** Payments of the period's operations, and those that no operation stands for. */
function capturedIn(given: TotalsOf, index: SideIndex): Captured[] {
  return given.books.payments.flatMap((payment) => {
    if (!payment.isCaptured || payment.isCanceled) return []
    const own = index.operationsBySession.get(payment.sessionId) ?? []
    const isIn = own.length === 0 || own.some(({ createdAt }) => isWithin(given, createdAt))
    const money = moneyOf(payment, payment.capturedAmount)
    if (!isIn || !money) return []
    return [{ currency: money.currency, amount: payment.capturedAmount, minor: money.minor }]
  })
}

function isWithin({ period }: TotalsOf, at: Date): boolean {
  return at.getTime() >= period.from.getTime() && at.getTime() < period.until.getTime()
}

function totalIn(currency: CurrencyCode, all: readonly Money[]): Total {
  const own = all.filter((one) => one.currency === currency)
  const minor = own.reduce((sum, one) => sum + one.minor, 0n)
  return counted(currency, { count: own.length, minor })
}

function counted(
  currency: CurrencyCode,
  total: { readonly count: number; readonly minor: bigint } = { count: 0, minor: 0n },
): Total {
  return { count: total.count, amount: majorText({ minor: total.minor, currency }) }
}

/** Each as it was charged, where that is known; else the sum is rounded, once. */
function hostTotalIn(
  currency: CurrencyCode,
  all: readonly (HostRefund & { readonly minor?: bigint })[],
): HostTotal {
  const own = all.filter((one) => parseCurrency(one.currency) === currency)
  const exact = decimalSum(own.map(({ amount }) => amount)) ?? "0"
  const isCharged = own.every(({ minor }) => minor !== undefined)
  const minor = isCharged
    ? own.reduce((sum, one) => sum + (one.minor ?? 0n), 0n)
    : (moneyFromMajor(exact, currency)?.minor ?? 0n)
  return { ...counted(currency, { count: own.length, minor }), exact }
}
