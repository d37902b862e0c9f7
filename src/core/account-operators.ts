/**
 * The operators and the card as an account names them: whose wallets can pay it, in which
 * currencies, and which of them a name means.
 */
import type { OperatorChoice } from "./schemas/operator-choice"
import type { Account } from "./account"
import { OPERATORS } from "./markets"
import { parseCurrency, type CurrencyCode } from "./money"

/** The specification's neutral names; an account's `wire_names` replace them by live values. */
export const CHOICES: readonly OperatorChoice[] = OPERATORS.map(({ method, ...operator }) => ({
  payment_method: method,
  provider: "MOBILE_MONEY_GATEWAY",
  ...operator,
  menu_code: null,
}))

/** An operator under the account's own names, with the first account currency that it takes. */
export type ServedOperator = OperatorChoice & { readonly currency: CurrencyCode }

/** An operator under the account's own names, with every currency in which it is needed. */
export type NeededOperator = OperatorChoice & { readonly taken: readonly CurrencyCode[] }

/**
 * The operators whose wallets can pay what the shop sells in and the account takes, each with these
 * currencies. Where the shop sells in none of the account's, every operator that could pay the
 * account's first currency, as it may be needed soon.
 *
 * @param sold the currencies that the shop sells in; undefined: not known
 */
export function operatorsNeeded(
  account: Account,
  sold: ReadonlySet<string> | undefined,
): NeededOperator[] {
  const wanted = account.currencies.filter((code) => sold?.has(code))
  if (wanted.length === 0) {
    return operatorsServing(account).map(({ currency, ...one }) => ({ ...one, taken: [currency] }))
  }
  return CHOICES.flatMap((operator) => {
    const taken = wanted.filter((code) => operator.currencies.includes(code))
    return taken.length === 0 ? [] : [{ ...named(account, operator), taken }]
  })
}

/** All operators whose wallets can pay some currency of the account. */
export function operatorsServing(account: Account): ServedOperator[] {
  return CHOICES.flatMap((operator) => {
    const currency = account.currencies.find((code) => operator.currencies.includes(code))
    return currency ? [{ ...named(account, operator), currency }] : []
  })
}

type KnownMethod = { readonly paymentMethod: string; readonly provider: string }

/**
 * A payment method and its provider, found by the account's name or the neutral one; undefined for
 * a method that is not known here.
 */
export function knownMethod(account: Account, method: string): KnownMethod | undefined {
  return knownOperator(account, method) ?? (method === CARD.method ? cardOf(account) : undefined)
}

/** As {@link knownMethod}, but for operators alone. */
export function knownOperator(account: Account, method: string): KnownMethod | undefined {
  const operator = operatorBy(account, method)
  if (!operator) return undefined
  const { payment_method: paymentMethod, provider } = named(account, operator)
  return { paymentMethod, provider }
}

/** A card's payment method and its provider, by the account's names. */
export function cardOf(account: Account) {
  return { paymentMethod: CARD.method, provider: ownName(account, CARD.provider) ?? CARD.provider }
}

/**
 * The currencies in which a method can pay: an operator's wallets have those of its country, a card
 * those of the account. The gateway is not asked about others.
 */
export function currenciesOfMethod(account: Account, method: string): readonly CurrencyCode[] {
  const operator = operatorBy(account, method)
  if (!operator) return method === CARD.method ? account.currencies : []
  return operator.currencies.flatMap((code) => parseCurrency(code) ?? [])
}

function operatorBy(account: Account, method: string): OperatorChoice | undefined {
  return CHOICES.find((one) =>
    [one.payment_method, named(account, one).payment_method].includes(method),
  )
}

/** The method's name on the wire is the same for every account; the provider's name is not. */
export const CARD = { method: "CREDIT_CARD", provider: "CARD_PROCESSOR", label: "Card" }

/** All operators that can pay this currency, those of the shopper's own country first. */
export function operatorsOf(
  account: Account,
  country: string | null,
  currency: CurrencyCode,
): OperatorChoice[] {
  const home = country?.toUpperCase()
  return CHOICES.filter((operator) => operator.currencies.includes(currency))
    .map((operator) => named(account, operator))
    .sort((a, b) => Number(b.country === home) - Number(a.country === home))
}

export function named(account: Account, operator: OperatorChoice): OperatorChoice {
  const { payment_method, provider, label } = operator
  return {
    ...operator,
    payment_method: ownName(account, payment_method) ?? payment_method,
    provider: ownName(account, provider) ?? provider,
    label: ownName(account, `${payment_method}.label`) ?? label,
    menu_code: ownName(account, `${payment_method}.menu_code`) ?? null,
  }
}

export function ownName({ wireNames }: Account, name: string): string | undefined {
  return Object.hasOwn(wireNames, name) ? wireNames[name] : undefined
}
