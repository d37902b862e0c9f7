/**
 * Each country in which the gateway reaches wallets: its money, its phone numbers, its operators.
 * All else derives from this table, so a country is added here. CONTRIBUTING says what else it
 * wants: a sentence for each language.
 */
type CurrencyFacts = {
  /** After the decimal point. CONTRIBUTING names what a third number of digits concerns. */
  readonly digits: 0 | 2
  /** What texts write for this currency alone. */
  readonly sign?: string
}

type Market = {
  /** What its wallets can be charged in; the country's own currency first. */
  readonly currencies: Readonly<Record<string, CurrencyFacts>>
  readonly phone: {
    readonly prefix: string
    /** What may follow the prefix or the zero in a wallet's number; rather too much than too little. */
    readonly wallets: string
    /** Numbers as people write them where they leave out prefix and zero. */
    readonly bare?: string
  }
  /**
   * Their labels, by the neutral names of the contract. An account's `wire_names` replace both by
   * live values.
   */
  readonly operators: Readonly<Record<string, string>>
}

const US_DOLLAR = { USD: { digits: 2 } } as const

export const MARKETS = {
  LR: {
    currencies: { LRD: { digits: 2, sign: "L$" }, ...US_DOLLAR },
    phone: {
      prefix: "231",
      wallets: String.raw`[2-8]\d{6,8}`,
      bare: String.raw`(?:33|55|77|88)\d{7}`,
    },
    operators: {
      OPERATOR1_MOMO_LBR: "Operator 1 Mobile Money",
      OPERATOR2_MONEY_LBR: "Operator 2 Money",
    },
  },
  RW: {
    currencies: { RWF: { digits: 0 } },
    phone: { prefix: "250", wallets: String.raw`[27]\d{8}`, bare: String.raw`7[2389]\d{7}` },
    operators: {
      OPERATOR1_MOMO_RWA: "Operator 1 Mobile Money",
      OPERATOR2_MONEY_RWA: "Operator 2 Money",
      OPERATOR3_RWA: "Operator 3",
    },
  },
} as const satisfies Readonly<Record<string, Market>>

/** ISO 3166, two letters, upper case. */
export type Country = keyof typeof MARKETS
type KeysOf<Field extends "currencies" | "operators", M = (typeof MARKETS)[Country]> = M extends {
  readonly [F in Field]: infer Table
}
  ? keyof Table & string
  : never
export type MarketCurrency = KeysOf<"currencies">
/** The contract's neutral name of an operator's payment method. */
export type OperatorMethod = KeysOf<"operators">

export const COUNTRIES = Object.keys(MARKETS) as readonly Country[]
const marketOf = (country: Country): Market => MARKETS[country]

const CURRENCIES: Readonly<Record<string, CurrencyFacts>> = Object.fromEntries([
  ...Object.entries<CurrencyFacts>(US_DOLLAR),
  ...COUNTRIES.flatMap((country) => Object.entries(marketOf(country).currencies)),
])
/** The dollar comes first: the wallets of more than one country may have it. */
export const MARKET_CURRENCIES = Object.keys(CURRENCIES) as readonly MarketCurrency[]

export type Operator = {
  readonly method: OperatorMethod
  readonly label: string
  readonly country: Country
  readonly currencies: readonly MarketCurrency[]
}

export const OPERATORS: readonly Operator[] = COUNTRIES.flatMap((country) => {
  const market = marketOf(country)
  const currencies = Object.keys(market.currencies) as readonly MarketCurrency[]
  const methods = Object.keys(market.operators) as readonly OperatorMethod[]
  return methods.map((method) => {
    return { method, label: market.operators[method] ?? method, country, currencies }
  })
})

/** The countries whose own currency this is. */
export const countriesOf = (currency: string): readonly Country[] =>
  COUNTRIES.filter((country) => Object.keys(MARKETS[country].currencies)[0] === currency)

export const PHONES: readonly Market["phone"][] = COUNTRIES.map(
  (country) => marketOf(country).phone,
)

/** A sign that means this currency alone, as `L$` means LRD. */
export const signOf = (currency: string): string | undefined => CURRENCIES[currency]?.sign

/**
 * Currencies of other countries without digits after the point, by ISO 4217; all others have two.
 * The contract does not list which ones the gateway treats so (section 17, 15).
 */
const OTHERS_WITHOUT_DIGITS = "BIF CLP DJF GNF JPY KMF KRW PYG UGX VND VUV XAF XOF XPF".split(" ")
export const INTEGER_CURRENCIES: ReadonlySet<string> = new Set([
  ...OTHERS_WITHOUT_DIGITS,
  ...MARKET_CURRENCIES.filter((code) => CURRENCIES[code]?.digits === 0),
])

/** Digits after the decimal point: 0 for RWF, 2 for USD and LRD. */
export const currencyDigits = (currency: string): number =>
  INTEGER_CURRENCIES.has(currency) ? 0 : 2
