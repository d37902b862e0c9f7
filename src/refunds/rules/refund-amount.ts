/**
 * How much of a payment a refund sends. Medusa does not round: a payment of 66.61775 USD was
 * collected as 66.62, and three thirds of it are asked for as 22.20592 each. So what has been asked
 * for is added up exactly and rounded once, and each refund sends what that sum adds to what was
 * sent before: three thirds return 66.62, and a full refund returns exactly what was collected.
 */
import {
  compareDecimals,
  decimalSum,
  moneyFromMajor,
  type CurrencyCode,
  type Money,
} from "../../core/money"

/** What other refunds of the payment have taken or may take, in the currency of the source. */
export type RefundsBefore = {
  /** Done, in flight or unknown. */
  readonly reservedMinor: bigint
  /**
   * Went back after all, though the gateway had called them failed: counted by nobody, but gone.
   */
  readonly lateMinor: bigint
  /**
   * What was asked for, in major units and not rounded, of those that are neither failed nor
   * expired.
   */
  readonly hostAmounts: readonly string[]
}

export type RefundAsked = {
  /** In major units, as Medusa has it. */
  readonly hostAmount: string
  /** What Medusa captured, in major units; the sum of all refunds ends there. */
  readonly capturedAmount: string
}

export type RefundToSend =
  | { readonly kind: "send"; readonly amount: Money }
  /** All that was collected has been sent: what is still asked for was rounded away. */
  | { readonly kind: "nothing" }
  /** No amount, or one that rounds to nothing. */
  | { readonly kind: "too_small" }
  | { readonly kind: "too_much"; readonly left: Money }

export function refundToSend(
  collected: Money,
  before: RefundsBefore,
  asked: RefundAsked,
): RefundToSend {
  const { currency } = collected
  const sum = decimalSum([...before.hostAmounts, asked.hostAmount])
  const rounded = sum === undefined ? undefined : moneyFromMajor(sum, currency)
  const toCaptured = compareDecimals(sum, asked.capturedAmount)
  if (!rounded || toCaptured === undefined || compareDecimals(asked.hostAmount, "0") === 0) {
    return { kind: "too_small" }
  }
  const left = atLeastNone(collected.minor - before.reservedMinor - before.lateMinor)
  // Who is shown 66.62 of 66.61775 asks for that, and means all of it.
  const all = moneyFromMajor(asked.capturedAmount, currency)?.minor ?? 0n
  if (toCaptured > 0 && rounded.minor > all) {
    return { kind: "too_much", left: { minor: left, currency } }
  }
  const owed = toCaptured >= 0 ? collected.minor : least(collected.minor, rounded.minor)
  const minor = owed - before.reservedMinor
  if (minor > left) return { kind: "too_much", left: { minor: left, currency } }
  if (minor > 0n) return { kind: "send", amount: { minor, currency } }
  return before.reservedMinor >= collected.minor ? { kind: "nothing" } : { kind: "too_small" }
}

/**
 * Whether a refund of this amount can mean only one thing. The wire has no currency: where the
 * payer paid in another than the source's, or in one that was never told, ten could be ten of
 * either. All of it is all of it in both.
 *
 * @param payerCurrency null: not known
 */
export function isClear(
  collected: Money,
  amount: Money,
  payerCurrency: CurrencyCode | null,
): boolean {
  return payerCurrency === collected.currency || amount.minor === collected.minor
}

const least = (one: bigint, other: bigint) => (one < other ? one : other)
const atLeastNone = (minor: bigint) => (minor < 0n ? 0n : minor)
