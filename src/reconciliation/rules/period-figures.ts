/**
 * The figures of a period for a page: sums by currency, payment method and day, and how the tries
 * ended. Sums are exact and never cross currencies; counts of tries do.
 */
import { majorText, type CurrencyCode } from "../../core/money"
import { groupedBy } from "./reconciliation"
import type { Confirming, PeriodFigures, Success } from "../schemas/reconciliation"

type Method = {
  readonly paymentMethod: string | null
  readonly carrier: string | null
}

/** What came in on one day by one payment method in one currency, and how the tries ended. */
export type Takings = Method & {
  /** The day as `YYYY-MM-DD`, in the time zone that was asked for. */
  readonly day: string
  readonly currency: CurrencyCode
  /** Payments whose money came in, also duplicate payments that were given back. */
  readonly count: number
  readonly collectedMinor: bigint
  readonly completed: number
  readonly failed: number
  readonly expired: number
}

export type Confirmed = Method & {
  /** Whether this row is of all payment methods and all currencies together. */
  readonly isAll: boolean
  readonly currency: string | null
  readonly count: number
  readonly p50Seconds: number
  readonly p90Seconds: number
}

export function figuresOfPeriod(
  takings: readonly Takings[],
  confirmed: readonly Confirmed[],
  labelOf: (method: string | null) => string | null = () => null,
): PeriodFigures {
  const methodOf = ({ paymentMethod, carrier }: Method) => ({
    payment_method: paymentMethod,
    label: labelOf(paymentMethod),
    carrier,
  })
  const money = takings.filter(({ count }) => count > 0)
  return {
    by_currency: grouped(money, ({ currency }) => currency).map((own) => sumOf(own)),
    by_operator: grouped(takings, keyOf)
      .map((own) => ({
        ...methodOf(own[0]),
        ...sumOf(own),
        success: successOf(own),
        confirming: confirmingOf(
          confirmed.find((one) => !one.isAll && keyOf(one) === keyOf(own[0])),
        ),
      }))
      .sort((one, other) => other.count - one.count),
    by_day: money.map((one) => ({ day: one.day, ...methodOf(one), ...sumOf([one]) })),
    success: successOf(takings),
    confirming: confirmingOf(confirmed.find(({ isAll }) => isAll)),
  }
}

type Group = readonly [Takings, ...Takings[]]

const grouped = (all: readonly Takings[], keyOf: (one: Takings) => string): Group[] => [
  ...groupedBy(all, keyOf).values(),
]

const keyOf = ({
  paymentMethod,
  carrier,
  currency,
}: Method & { readonly currency: string | null }) =>
  JSON.stringify([paymentMethod, carrier, currency])

function sumOf(own: Group) {
  const [{ currency }] = own
  const minor = own.reduce((sum, { collectedMinor }) => sum + collectedMinor, 0n)
  const count = own.reduce((sum, one) => sum + one.count, 0)
  return { currency, count, amount: majorText({ minor, currency }) }
}

function successOf(tries: readonly Takings[]): Success {
  const of = (name: "completed" | "failed" | "expired") =>
    tries.reduce((sum, one) => sum + one[name], 0)
  const [completed, failed, expired] = [of("completed"), of("failed"), of("expired")]
  const ended = completed + failed + expired
  return { completed, failed, expired, rate: ended === 0 ? null : completed / ended }
}

export const inTenths = (seconds: number): number => Math.round(seconds * 10) / 10

function confirmingOf(found: Confirmed | undefined): Confirming {
  if (!found) return { count: 0, p50_seconds: null, p90_seconds: null }
  return {
    count: found.count,
    p50_seconds: inTenths(found.p50Seconds),
    p90_seconds: inTenths(found.p90Seconds),
  }
}
