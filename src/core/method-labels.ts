/** The words and the country of a payment method, by the names of a store's accounts. */
import type { Account } from "./account"
import type { OperatorChoice } from "./schemas/operator-choice"
import { CARD, CHOICES, named, operatorsServing, ownName } from "./account-operators"

export type MethodLabels = (method: string | null) => string | null

/**
 * The label of a payment method, by these accounts' names; null for a method that is not known. An
 * account's own label also names payments of before its method was renamed.
 */
export function methodLabels(accounts: readonly Account[]): MethodLabels {
  const labels = new Map([
    [CARD.method, CARD.label],
    ...everyName(accounts).map(({ payment_method, label }) => [payment_method, label] as const),
    ...accounts.flatMap((account) =>
      CHOICES.flatMap(({ payment_method }) => {
        const own = ownName(account, `${payment_method}.label`)
        return own === undefined ? [] : [[payment_method, own] as const]
      }),
    ),
  ])
  return (method) => (method === null ? null : (labels.get(method) ?? null))
}

/** The country of an operator, found as its label is; null for a method that is none's. */
export function methodCountries(
  accounts: readonly Account[],
): (method: string | null) => string | null {
  const countries = new Map(
    everyName(accounts).map(({ payment_method, country }) => [payment_method, country]),
  )
  return (method) => (method === null ? null : (countries.get(method) ?? null))
}

/** Each operator under its neutral name, and under the name of each account. */
const everyName = (accounts: readonly Account[]): readonly OperatorChoice[] => [
  ...CHOICES,
  ...accounts.flatMap((account) => CHOICES.map((operator) => named(account, operator))),
]

/** The payment methods of these accounts by their labels; several methods may share a label. */
export function methodsByLabel(accounts: readonly Account[]): Map<string, string[]> {
  const byLabel = new Map<string, string[]>()
  const add = (label: string, method: string) =>
    byLabel.set(label, [...new Set([...(byLabel.get(label) ?? []), method])])
  for (const account of accounts) {
    for (const { payment_method, label } of operatorsServing(account)) add(label, payment_method)
  }
  add(CARD.label, CARD.method)
  return byLabel
}
