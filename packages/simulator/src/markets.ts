/**
 * The countries that the simulator plays: their money, and their operators under the neutral names
 * of the contract (contract notes, section 1). A table of its own, so that it can disagree with the
 * product's.
 */

type CurrencyFacts = {
  /** After the decimal point. */
  readonly digits: number
  /** How many major units one US dollar buys at the start; made up. */
  readonly perDollar: number
  /** Major units, as wide as an operator's limits for one payment usually are. */
  readonly least: number
  readonly most: number
}

type OperatorFacts = {
  readonly method: string
  readonly carrier: string
  /** Digits without `+`. */
  readonly numbers: RegExp
  /** A number of it, as people write it. */
  readonly example: string
}

type Market = {
  /** As the provider prediction writes the country. */
  readonly country: string
  /** What its operators take. */
  readonly currencies: Readonly<Record<string, CurrencyFacts>>
  readonly operators: readonly OperatorFacts[]
}

const US_DOLLAR = { USD: { digits: 2, perDollar: 1, least: 0.5, most: 1_000 } } as const

const MARKETS = {
  LR: {
    country: "LBR",
    currencies: {
      ...US_DOLLAR,
      LRD: { digits: 2, perDollar: 190, least: 50, most: 190_000 },
    },
    operators: [
      {
        method: "OPERATOR1_MOMO_LBR",
        carrier: "Operator 1",
        numbers: /^23177\d{7}$/,
        example: "231 77 000 00 03",
      },
      {
        method: "OPERATOR2_MONEY_LBR",
        carrier: "Operator 2",
        numbers: /^23188\d{7}$/,
        example: "231 88 000 00 03",
      },
    ],
  },
  RW: {
    country: "RWA",
    currencies: { RWF: { digits: 0, perDollar: 1_450, least: 100, most: 1_400_000 } },
    operators: [
      {
        method: "OPERATOR1_MOMO_RWA",
        carrier: "Operator 1",
        numbers: /^2507[89]\d{7}$/,
        example: "250 78 000 00 03",
      },
      {
        method: "OPERATOR2_MONEY_RWA",
        carrier: "Operator 2",
        numbers: /^25073\d{7}$/,
        example: "250 73 000 00 03",
      },
      {
        method: "OPERATOR3_RWA",
        carrier: "Operator 3",
        numbers: /^25072\d{7}$/,
        example: "250 72 000 00 03",
      },
    ],
  },
} as const satisfies Record<string, Market>

/** ISO 3166-1 alpha-2. */
export type Country = keyof typeof MARKETS
type CurrenciesOf<M> = M extends { readonly currencies: infer Table } ? keyof Table & string : never
export type Currency = CurrenciesOf<(typeof MARKETS)[Country]>

export const COUNTRIES = Object.keys(MARKETS) as readonly Country[]
export const marketOf = (country: Country): Market => MARKETS[country]

export const CURRENCY_FACTS = Object.fromEntries(
  COUNTRIES.flatMap((country) => Object.entries(marketOf(country).currencies)),
) as Readonly<Record<Currency, CurrencyFacts>>
export const CURRENCIES = Object.keys(CURRENCY_FACTS) as readonly Currency[]
