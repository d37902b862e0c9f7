/**
 * From the ledger's counts of a period to what a page draws: sums by currency, way to pay and day,
 * and how the tries ended. Exact, and never across currencies; counts of tries are, which have no
 * currency.
 */
import { majorText, type CurrencyCode } from "../../core/money"
import type { Confirming, PeriodFigures, Success } from "./reconciliation-responses"

type Way = {
  readonly paymentMethod: string | null
  readonly carrier: string | null
}

/** Of one day, way to pay and currency. */
export type TakingsOf = Way & {
  readonly day: string
  readonly currency: CurrencyCode
  readonly count: number
  readonly collectedMinor: bigint
  readonly completed: number
  readonly failed: number
  readonly expired: number
}

export type ConfirmedOf = Way & {
  readonly isAll: boolean
  readonly currency: string | null
  readonly count: number
  readonly p50Seconds: number
  readonly p90Seconds: number
}

export function figuresOfPeriod(
  takings: readonly TakingsOf[],
  confirmed: readonly ConfirmedOf[],
): PeriodFigures {
  const money = takings.filter(({ count }) => count > 0)
  return {
    by_currency: grouped(money, ({ currency }) => currency).map((own) => sumOf(own)),
    by_operator: grouped(takings, (one) => keyOf(one, one.currency))
      .map((own) => ({
        ...wayOf(own[0]),
        ...sumOf(own),
        success: successOf(own),
        confirming: confirmingOf(
          confirmed.find((one) => !one.isAll && keyOf(one, one.currency) === keyOf(...keyIn(own))),
        ),
      }))
      .sort((one, other) => other.count - one.count),
    by_day: money.map((one) => ({ day: one.day, ...wayOf(one), ...sumOf([one]) })),
    success: successOf(takings),
    confirming: confirmingOf(confirmed.find(({ isAll }) => isAll)),
  }
}

type Some<T> = readonly [T, ...T[]]

function grouped<T>(all: readonly T[], of: (one: T) => string): Some<T>[] {
  const groups = new Map<string, [T, ...T[]]>()
  for (const one of all) {
    const group = groups.get(of(one))
    if (group) group.push(one)
    else groups.set(of(one), [one])
  }
  return [...groups.values()]
}

const keyOf = ({ paymentMethod, carrier }: Way, currency: string | null) =>
  JSON.stringify([paymentMethod, carrier, currency])

const keyIn = ([first]: Some<TakingsOf>) => [first, first.currency] as const

const wayOf = ({ paymentMethod, carrier }: Way) => ({ payment_method: paymentMethod, carrier })

function sumOf(own: Some<TakingsOf>) {
  const [{ currency }] = own
  const minor = own.reduce((sum, { collectedMinor }) => sum + collectedMinor, 0n)
  const count = own.reduce((sum, one) => sum + one.count, 0)
  return { currency, count, amount: majorText({ minor, currency }) }
}

function successOf(tries: readonly TakingsOf[]): Success {
  const of = (name: "completed" | "failed" | "expired") =>
    tries.reduce((sum, one) => sum + one[name], 0)
  const [completed, failed, expired] = [of("completed"), of("failed"), of("expired")]
  const ended = completed + failed + expired
  return { completed, failed, expired, rate: ended === 0 ? null : completed / ended }
}

function confirmingOf(found: ConfirmedOf | undefined): Confirming {
  if (!found) return { count: 0, p50_seconds: null, p90_seconds: null }
  const inTenths = (seconds: number) => Math.round(seconds * 10) / 10
  return {
    count: found.count,
    p50_seconds: inTenths(found.p50Seconds),
    p90_seconds: inTenths(found.p90Seconds),
  }
}
