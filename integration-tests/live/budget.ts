/** Counts what a run may have spent. An amount is counted before its call and never given back. */
import { majorText, type Money } from "merchant-payments-gateway"

export class OverLimit extends Error {}

export type Budget = {
  /** @throws {OverLimit} before anything is sent */
  take(amount: Money): void
  left(currency: Money["currency"]): bigint
  spent(): Readonly<Record<string, string>>
}

export function budgetOf(limits: readonly Money[]): Budget {
  const taken = new Map<string, bigint>()
  return {
    take({ minor, currency }) {
      const limit = limits.find((one) => one.currency === currency)
      const sum = (taken.get(currency) ?? 0n) + minor
      if (!limit || minor <= 0n || sum > limit.minor) {
        throw new OverLimit(`the limit in ${currency} leaves no room`)
      }
      taken.set(currency, sum)
    },
    left(currency) {
      const limit = limits.find((one) => one.currency === currency)
      return (limit?.minor ?? 0n) - (taken.get(currency) ?? 0n)
    },
    spent: () =>
      Object.fromEntries(
        limits.map(({ currency }) => [
          currency,
          majorText({ minor: taken.get(currency) ?? 0n, currency }),
        ]),
      ),
  }
}
