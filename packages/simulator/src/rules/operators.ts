/**
 * Which operator serves a phone number, by its prefix, and in which currencies (contract notes,
 * section 1). Operators have the neutral names of the specification.
 */
import type { OperationType } from "../book/records"
import { CURRENCIES, type Currency } from "../money"

export type Operator = {
  method: string
  carrier: string
  /** As the provider prediction writes it. */
  country: "LBR" | "RWA"
  /** ISO 3166-1 alpha-2. */
  countryCode: "LR" | "RW"
  currencies: readonly Currency[]
  numbers: RegExp
}

const LIBERIA = { country: "LBR", countryCode: "LR", currencies: ["USD", "LRD"] } as const
const RWANDA = { country: "RWA", countryCode: "RW", currencies: ["RWF"] } as const

export const OPERATORS: readonly Operator[] = [
  { ...LIBERIA, method: "OPERATOR1_MOMO_LBR", carrier: "Operator 1", numbers: /^23177\d{7}$/ },
  { ...LIBERIA, method: "OPERATOR2_MONEY_LBR", carrier: "Operator 2", numbers: /^23188\d{7}$/ },
  { ...RWANDA, method: "OPERATOR1_MOMO_RWA", carrier: "Operator 1", numbers: /^2507[89]\d{7}$/ },
  { ...RWANDA, method: "OPERATOR2_MONEY_RWA", carrier: "Operator 2", numbers: /^25073\d{7}$/ },
  { ...RWANDA, method: "OPERATOR3_RWA", carrier: "Operator 3", numbers: /^25072\d{7}$/ },
]

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
