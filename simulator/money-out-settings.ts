/**
 * What can be set about merchants and money that goes out, and what holds when nothing is. Most of
 * it stands for what the contract leaves open (contract notes, section 17): the sentence says what
 * each value means.
 */
import { CURRENCIES, minorFromWire, type Currency } from "./money"

export type MoneyOutSettings = {
  /** Whether merchants are verified from the start. Default true. */
  isVerified: boolean
  /** The passcode of payout executions. Default `246810`. */
  passcode: string
  /** Major units in a merchant's wallets before the book. Default: the worth of 1,000 USD each. */
  openingBalances: Readonly<Partial<Record<Currency, number>>>
  /**
   * The currency of a refund's `amount`, and what it is capped by (17.2): the source's currency and
   * total (default), the payer's currency and what was paid, or the payee's and what was received.
   */
  refundCurrency: "SOURCE" | "PAYER" | "PAYEE"
  /**
   * Whether the answer to a refund session repeats amount, currency, reason and payment intent. All its
   * fields but the id are assumed (17.14), so a caller has to do without. Default true.
   */
  showsRefundSession: boolean
  /**
   * Several refunds of one collection (17.2). `CAPPED` (default): as long as their sum is not above
   * the original. `ONCE`: one that has not failed. `UNCAPPED`: only each alone is compared with the
   * original, so a caller that keeps no sum of its own gives back too much.
   */
  partialRefunds: "CAPPED" | "ONCE" | "UNCAPPED"
  /** A refund or transfer session may not end later than this from now. Default: no limit (17.2). */
  longestSessionMs: number
  /** When a wallet's state and balance are looked at. Default `EXECUTION`; `SESSION`: then, too. */
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

const OPENING_BALANCES = { USD: 1_000, LRD: 190_000, RWF: 1_450_000 }
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
