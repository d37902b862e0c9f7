/**
 * Which operator serves a phone number, by its prefix, and in which currencies (contract notes,
 * section 1).
 */
import type { OperationType } from "../book/records"
import { COUNTRIES, marketOf, type Country } from "../markets"
import { CURRENCIES, type Currency } from "../money"

export type Operator = {
  method: string
  carrier: string
  /** As the provider prediction writes it. */
  country: string
  countryCode: Country
  currencies: readonly Currency[]
  numbers: RegExp
  /** A number of it, as people write it. */
  example: string
}

export const OPERATORS: readonly Operator[] = COUNTRIES.flatMap((countryCode) => {
  const { country, currencies, operators } = marketOf(countryCode)
  const taken = CURRENCIES.filter((currency) => Object.hasOwn(currencies, currency))
  return operators.map((operator) => ({ ...operator, country, countryCode, currencies: taken }))
})

/** The operator of a number (digits without `+`), or undefined when none serves it. */
export const operatorOf = (phone: string): Operator | undefined =>
  OPERATORS.find(({ numbers }) => numbers.test(phone))

export const operatorByMethod = (method: string): Operator | undefined =>
  OPERATORS.find((operator) => operator.method === method)

/** The currencies of a method: the operator's; for card and wallet, all. */
export const currenciesOf = (method: string): readonly Currency[] =>
  operatorByMethod(method)?.currencies ?? CURRENCIES

/** A wallet serves payouts and transfers; every other method serves all but transfers. */
export const servesOperation = (method: string, type: OperationType): boolean =>
  method === "WALLET" ? type === "PAYOUT" || type === "TRANSFER" : type !== "TRANSFER"

/** Digits of a number as typed, with spaces, dashes, `+` or `00` in front. */
export const typedPhone = (text: string): string =>
  text.replace(/[\s().-]/g, "").replace(/^(\+|00)/, "")
