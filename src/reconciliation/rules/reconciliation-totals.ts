/**
 * What gateway, ledger and Medusa each add up to in a period, by currency. All three count the same
 * payments: those that began in the period, and what only one side knows of it.
 *
 * Equal totals prove nothing (two mistakes may cancel out); the differences do.
 */
import { decimalSum, majorText, moneyFromMajor, parseCurrency } from "../../core/money"
import type { CurrencyCode, Money } from "../../core/money"
import type { Operation } from "../../core/operation"
import { bridgeOf, type PaidDocument } from "./bridge"
import {
  indexOf,
  moneyOf,
  operationsOf,
  type Period,
  type SideIndex,
  type SidesOfPeriod,
} from "./reconciliation"
import type { HostTotal, PeriodTotals, Total } from "./reconciliation-responses"

type MinorTotal = { readonly count: number; readonly minor: bigint }

/** Of the ledger's refunds in one currency. */
export type RefundTotals = {
  readonly currency: CurrencyCode
  readonly confirmed: MinorTotal
  readonly sent: MinorTotal
}

/** A refund as Medusa has it, unrounded. */
export type HostRefund = { readonly currency: string; readonly amount: string }

export type TotalsOf = {
  readonly sides: SidesOfPeriod
  readonly period: Period
  /** Keys of the documents whose money has been put under review since the sides were read. */
  readonly held: ReadonlySet<string>
  readonly refunds: readonly RefundTotals[]
  readonly hostRefunds: readonly HostRefund[]
}

export function totalsOf(given: TotalsOf): PeriodTotals[] {
  const { sides, held, refunds, hostRefunds } = given
  const index = indexOf(sides)
  const began = sides.operations.filter(({ createdAt }) => isWithin(given, createdAt))
  const paid = paidDocuments(given, index)
  const captured = capturedIn(given, index)
  const completed = began.filter(({ state }) => state === "completed").flatMap(moneyIn)
  const underReview = began.filter(({ state }) => state === "review").flatMap(moneyIn)
  const ours = paid.ours.map(({ total }) => total)
  const isRead = sides.listed.length === 2
  const ledgers = [...completed, ...underReview, ...ours, ...paid.elsewhere]
  const currencies = [...ledgers, ...captured, ...refunds, ...hostRefunds].flatMap(
    ({ currency }) => parseCurrency(currency) ?? [],
  )
  return [...new Set(currencies)].sort().map((currency) => {
    const own = refunds.find((one) => one.currency === currency)
    return {
      currency,
      bridge: isRead
        ? bridgeOf({ index, held }, currency, paid.ours, captured.flatMap(chargedOf))
        : null,
      gateway: isRead
        ? { paid: totalIn(currency, ours), elsewhere: totalIn(currency, paid.elsewhere) }
        : null,
      ledger: {
        completed: totalIn(currency, completed),
        under_review: totalIn(currency, underReview),
      },
      medusa: { captured: hostTotalIn(currency, captured) },
      refunds: {
        gateway: counted(currency, own?.confirmed),
        ledger: counted(currency, own?.sent),
        under_way: counted(currency, own && underWay(own)),
        medusa: hostTotalIn(currency, hostRefunds),
      },
    }
  })
}

/** What came in, or the amount asked for where the gateway has not said more. */
function moneyIn({ collected, amount, state }: Operation): Money[] {
  if (collected) return [collected]
  return state === "completed" ? [amount] : []
}

/** In the period by the payment that it pays; one that pays none, by the gateway's time. */
function paidDocuments(given: TotalsOf, index: SideIndex) {
  const ours: PaidDocument[] = []
  const elsewhere: Money[] = []
  for (const document of given.sides.documents) {
    if (document.status !== "PAID") continue
    const { isLikeOurs, payers, maker } = operationsOf(index, document)
    const operation = payers[0] ?? maker
    const total = document.total ?? operation?.amount
    if (!total) continue
    const isIn = operation
      ? (payers.length > 0 ? payers : [operation]).some((one) => isWithin(given, one.createdAt))
      : !document.touchedAt || isWithin(given, document.touchedAt)
    if (!isIn) continue
    if (operation || isLikeOurs) ours.push({ document, total })
    else elsewhere.push(total)
  }
  return { ours, elsewhere }
}

type Captured = HostRefund & { readonly minor: bigint }

/** Payments of the period's operations, and those that no operation stands for. */
function capturedIn(given: TotalsOf, index: SideIndex): Captured[] {
  return given.sides.payments.flatMap((payment) => {
    if (!payment.isCaptured || payment.isCanceled) return []
    const own = index.operationsBySession.get(payment.sessionId) ?? []
    const isIn = own.length === 0 || own.some(({ createdAt }) => isWithin(given, createdAt))
    const money = moneyOf(payment, payment.capturedAmount)
    if (!isIn || !money) return []
    return [{ currency: money.currency, amount: payment.capturedAmount, minor: money.minor }]
  })
}

function chargedOf({ currency, minor }: Captured): Money[] {
  const code = parseCurrency(currency)
  return code ? [{ minor, currency: code }] : []
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
  { count, minor }: MinorTotal = { count: 0, minor: 0n },
): Total {
  return { count, amount: majorText({ minor, currency }) }
}

/** All confirmed refunds are among the sent ones. */
const underWay = ({ sent, confirmed }: RefundTotals): MinorTotal => ({
  count: sent.count - confirmed.count,
  minor: sent.minor - confirmed.minor,
})

/** Each payment as it was charged, where that is known; else the sum is rounded, once. */
function hostTotalIn(
  currency: CurrencyCode,
  all: readonly (HostRefund & Partial<Captured>)[],
): HostTotal {
  const own = all.filter((one) => parseCurrency(one.currency) === currency)
  const exact = decimalSum(own.map(({ amount }) => amount)) ?? "0"
  const isCharged = own.every(({ minor }) => minor !== undefined)
  const minor = isCharged
    ? own.reduce((sum, one) => sum + (one.minor ?? 0n), 0n)
    : (moneyFromMajor(exact, currency)?.minor ?? 0n)
  return { ...counted(currency, { count: own.length, minor }), exact }
}
