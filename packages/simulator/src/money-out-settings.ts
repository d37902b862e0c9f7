/**
 * Settings of merchants and outgoing money, with their defaults. Most stand for something that the
 * contract leaves open (contract notes, section 17).
 */
import { CURRENCIES, minorFromWire, type Currency } from "./money"
import { FIRST_RATES } from "./rules/exchange"

export type MoneyOutSettings = {
  /** Whether merchants are verified from the start. Default true. */
  isVerified: boolean
  /** The passcode of payout executions. Default `246810`. */
  passcode: string
  /** Major units in a merchant's wallets at the start. Default: the worth of 1,000 USD in each. */
  openingBalances: Readonly<Partial<Record<Currency, number>>>
  /**
   * The currency of a refund's `amount`, and its cap (17.2): the source's currency and total
   * (default), the payer's currency and what was paid, or the payee's and what was received.
   */
  refundCurrency: "SOURCE" | "PAYER" | "PAYEE"
  /**
   * Whether the answer to a refund session repeats amount, currency, reason and payment intent. All
   * its fields but the id are assumed (17.14), so a caller must work without them. Default true.
   */
  showsRefundSession: boolean
  /**
   * Several refunds of one collection (17.2). `CAPPED` (default): up to the original in sum.
   * `ONCE`: only one that has not failed. `UNCAPPED`: each is compared with the original alone, so
   * a caller without a running total refunds too much.
   */
  partialRefunds: "CAPPED" | "ONCE" | "UNCAPPED"
  /** The latest end of a refund or transfer session, counted from now. Default: no limit (17.2). */
  longestSessionMs: number
  /**
   * When a wallet's state and balance are checked: at the `EXECUTION` (default), or also at the
   * `SESSION`.
   */
  walletChecks: "EXECUTION" | "SESSION"
  /** An exact repeat of an execution (17.11): the same answer (default), or 422. */
  repeatedExecution: "ANSWER" | "REFUSE"
  /** The answer to a status read of a reference that was never executed (17.8). Default 404. */
  unknownReference: 404 | 422
  /** Whether payout accounts can be cards (section 1: "per merchant setup"). Default false. */
  paysOutToCards: boolean
  /** Life of a realtime key. Default 300. */
  realtimeKeyLifeSeconds: number
}

const OPENING_DOLLARS = 1_000
const OPENING_BALANCES = Object.fromEntries(
  CURRENCIES.map((currency) => [currency, OPENING_DOLLARS * FIRST_RATES[currency]]),
)
const REALTIME_KEY_LIFE_SECONDS = 300

/** Fills in the defaults. Throws a sentence for a number that makes no sense. */
export function moneyOutSettings(options: Partial<MoneyOutSettings>): MoneyOutSettings {
  const settings = complete(options)
  for (const currency of CURRENCIES) {
    const amount = settings.openingBalances[currency] ?? 0
    if (amount !== 0 && minorFromWire(amount, currency) === null) {
      throw new Error(`openingBalances: ${amount} is no amount in ${currency}`)
    }
  }
  for (const name of ["longestSessionMs", "realtimeKeyLifeSeconds"] as const) {
    if (!(settings[name] > 0)) throw new Error(`${name}: must be above 0`)
  }
  return settings
}

const complete = (options: Partial<MoneyOutSettings>): MoneyOutSettings => ({
  isVerified: options.isVerified ?? true,
  passcode: options.passcode ?? "246810",
  openingBalances: options.openingBalances ?? OPENING_BALANCES,
  refundCurrency: options.refundCurrency ?? "SOURCE",
  showsRefundSession: options.showsRefundSession ?? true,
  partialRefunds: options.partialRefunds ?? "CAPPED",
  longestSessionMs: options.longestSessionMs ?? Number.POSITIVE_INFINITY,
  walletChecks: options.walletChecks ?? "EXECUTION",
  repeatedExecution: options.repeatedExecution ?? "ANSWER",
  unknownReference: options.unknownReference ?? 404,
  paysOutToCards: options.paysOutToCards ?? false,
  realtimeKeyLifeSeconds: options.realtimeKeyLifeSeconds ?? REALTIME_KEY_LIFE_SECONDS,
})
