/**
 * Adds up a period for gateway, ledger and Medusa, by currency. All three count the same money:
 * payments that began in the period and refunds that were asked for in it, whenever the other sides
 * wrote them down, and money of the period that only one side knows.
 *
 * Equal totals prove nothing (two mistakes may cancel out); the differences do.
 */
import { decimalSum, majorText, moneyFromMajor, parseCurrency } from "../../core/money"
import type { CurrencyCode, Money } from "../../core/money"
import { receivedOf, type Operation } from "../../core/operation"
import { bridgeOf, isRecorded, type PaidSource } from "./bridge"
import {
  countsAsPaid,
  indexOf,
  moneyOf,
  operationsOf,
  type Period,
  type SideIndex,
  type SidesOfPeriod,
} from "./reconciliation"
import type { MedusaTotal, PeriodTotals, Total } from "../schemas/reconciliation"

type MinorTotal = { readonly count: number; readonly minor: bigint }

/** A refund of the ledger that was sent and is not known to have failed. */
export type LedgerRefund = {
  readonly amount: Money
  /** The gateway said that it went through. */
  readonly isConfirmed: boolean
  /** An admin has to decide about it. */
  readonly isUnderReview: boolean
  /** The money was never in Medusa, so Medusa shows nothing of it. */
  readonly isBesideMedusa: boolean
}

/**
 * A refund as Medusa has it, unrounded. `minor`: the amount as it was sent, in the smallest unit,
 * where that is known.
 */
export type MedusaRefund = {
  readonly currency: string
  readonly amount: string
  readonly minor?: bigint
}

export type TotalsOf = {
  readonly sides: SidesOfPeriod
  readonly period: Period
  /** Keys of the sources whose money has been put under review since the sides were read. */
  readonly held: ReadonlySet<string>
  readonly refunds: readonly LedgerRefund[]
  readonly medusaRefunds: readonly MedusaRefund[]
}

export function totalsOf(given: TotalsOf): PeriodTotals[] {
  const { sides, held, refunds, medusaRefunds } = given
  const index = indexOf(sides)
  const began = sides.operations.filter(({ createdAt }) => isWithin(given, createdAt))
  const paid = paidSources(given, index)
  const captured = capturedIn(given, index)
  const completed = began.filter(({ state }) => state === "completed").flatMap(moneyIn)
  const underReview = began.filter(({ state }) => state === "review").flatMap(moneyIn)
  const received = began.flatMap(moneyIn)
  const recorded = began.filter((one) => isRecorded(index, one)).map(({ amount }) => amount)
  const ours = paid.ours.map(({ total }) => total)
  const isRead = sides.listed.length === 2
  const sent = refunds.map(({ amount }) => amount)
  const ledgers = [...received, ...recorded, ...ours, ...paid.elsewhere, ...sent]
  const currencies = [...ledgers, ...captured, ...medusaRefunds].flatMap(
    ({ currency }) => parseCurrency(currency) ?? [],
  )
  const sentOf = (isAmong: (refund: LedgerRefund) => boolean) =>
    refunds.filter(isAmong).map(({ amount }) => amount)
  return [...new Set(currencies)].sort().map((currency) => {
    return {
      currency,
      bridge: isRead ? bridgeOf({ index, held }, currency, paid.ours, began) : null,
      gateway: isRead
        ? { paid: totalIn(currency, ours), elsewhere: totalIn(currency, paid.elsewhere) }
        : null,
      ledger: {
        completed: totalIn(currency, completed),
        under_review: totalIn(currency, underReview),
        received: totalIn(currency, received),
        recorded: totalIn(currency, recorded),
      },
      medusa: { captured: medusaTotalIn(currency, captured) },
      refunds: {
        gateway: totalIn(
          currency,
          sentOf(({ isConfirmed }) => isConfirmed),
        ),
        ledger: totalIn(currency, sent),
        under_way: totalIn(
          currency,
          sentOf(({ isConfirmed, isUnderReview }) => !isConfirmed && !isUnderReview),
        ),
        under_review: totalIn(
          currency,
          sentOf(({ isUnderReview }) => isUnderReview),
        ),
        recorded: totalIn(
          currency,
          sentOf(({ isBesideMedusa }) => !isBesideMedusa),
        ),
        medusa: medusaTotalIn(currency, medusaRefunds),
      },
    }
  })
}

function moneyIn(operation: Operation): Money[] {
  const received = receivedOf(operation)
  return received ? [received] : []
}

/**
 * The paid sources of the period. A source belongs to the period of the payment that it pays; if it
 * pays none, the gateway's time decides. If two tries of one source were both paid, the gateway
 * lists the source once and has confirmed each try by itself.
 */
function paidSources(given: TotalsOf, index: SideIndex) {
  const ours: PaidSource[] = []
  const elsewhere: Money[] = []
  for (const source of given.sides.sources) {
    const { isOurs, payers, maker } = operationsOf(index, source)
    const [payer, ...others] = paidFirst(payers)
    if (!countsAsPaid(source, payer)) continue
    const operation = payer ?? maker
    const total = source.total ?? (payer && receivedOf(payer)) ?? operation?.amount
    if (!total) continue
    const isIn = operation
      ? isWithin(given, operation.createdAt)
      : !source.touchedAt || isWithin(given, source.touchedAt)
    if (isIn && !operation && !isOurs) elsewhere.push(total)
    else if (isIn) ours.push({ source, payer, total })
    for (const other of others) {
      const again = receivedOf(other)
      if (again && isWithin(given, other.createdAt)) {
        ours.push({ source, payer: other, total: again })
      }
    }
  }
  return { ours, elsewhere }
}

/**
 * Sorts tries: first the one whose money was recorded, then others that have money, then the rest.
 */
function paidFirst(payers: readonly Operation[]): Operation[] {
  const rank = (one: Operation) => (receivedOf(one) === null ? 2 : one.recordedAt === null ? 1 : 0)
  return [...payers].sort((one, other) => rank(one) - rank(other))
}

type Captured = MedusaRefund & { readonly minor: bigint }

/**
 * Captured payments of the period's operations, and captured payments that no operation stands for.
 */
function capturedIn(given: TotalsOf, index: SideIndex): Captured[] {
  return given.sides.payments.flatMap((payment) => {
    if (!payment.isCaptured || payment.isCanceled) return []
    const holder =
      index.holderBySession.get(payment.sessionId) ??
      index.operationsBySession.get(payment.sessionId)?.[0]
    const isIn = holder === undefined || isWithin(given, holder.createdAt)
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
  { count, minor }: MinorTotal = { count: 0, minor: 0n },
): Total {
  return { count, amount: majorText({ minor, currency }) }
}

/**
 * Adds each amount as it was charged or sent, where that is known; the other amounts are rounded as
 * one sum.
 */
function medusaTotalIn(currency: CurrencyCode, all: readonly MedusaRefund[]): MedusaTotal {
  const own = all.filter((one) => parseCurrency(one.currency) === currency)
  const sumOf = (some: readonly MedusaRefund[]) =>
    decimalSum(some.map(({ amount }) => amount)) ?? "0"
  const unknown = own.filter(({ minor }) => minor === undefined)
  const rest = moneyFromMajor(sumOf(unknown), currency)?.minor ?? 0n
  const minor = own.reduce((sum, one) => sum + (one.minor ?? 0n), rest)
  return { ...counted(currency, { count: own.length, minor }), exact: sumOf(own) }
}
