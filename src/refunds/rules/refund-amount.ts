/**
 * How much of a payment a refund sends. Medusa does not round: 66.61775 USD was collected as 66.62,
 * and a third of it is asked for as 22.20592. So the amounts asked for are added up exactly and
 * rounded once, and a refund sends what that sum adds to what was sent before.
 */
import {
  compareDecimals,
  decimalSum,
  moneyFromMajor,
  type CurrencyCode,
  type Money,
} from "../../core/money"
import { restMinor, type Operation } from "../../core/operation"

/** What other refunds of the payment have taken or may take, in the currency of the source. */
export type RefundsBefore = {
  /** Reserved by refunds that are done, in flight or unknown; in the smallest unit. */
  readonly reservedMinor: bigint
  /** Went back by refunds that the gateway had called failed before: not reserved, but gone. */
  readonly lateMinor: bigint
  /** What refunds that are neither failed nor expired asked for, in major units and unrounded. */
  readonly medusaAmounts: readonly string[]
}

export type RefundAsked = {
  /** The amount that is asked for, in major units, as Medusa has it. */
  readonly medusaAmount: string
  /** What Medusa captured, in major units; the sum of all refunds ends there. */
  readonly capturedAmount: string
  /** Sends back what came above what was asked for, whatever the two amounts are. */
  readonly isRest?: true
}

/** A refund of what came above what was asked for: Medusa neither captured it nor gives it back. */
export const REST_OF_A_PAYMENT: RefundAsked = {
  medusaAmount: "0",
  capturedAmount: "0",
  isRest: true,
}

export const isOfRest = ({ medusaAmount }: Operation): boolean =>
  compareDecimals(medusaAmount, REST_OF_A_PAYMENT.medusaAmount) === 0

/** Sends back what came above what was asked for, of a payment in review; else nothing. */
export function restToSend(
  payment: Pick<Operation, "state" | "amount" | "collected">,
  { reservedMinor, lateMinor }: RefundsBefore,
): RefundToSend {
  const minor = payment.state === "review" ? restMinor(payment) : 0n
  if (reservedMinor > 0n || lateMinor > 0n || minor === 0n) return { kind: "too_small" }
  return { kind: "send", amount: { minor, currency: payment.amount.currency } }
}

/**
 * What a refund may take of a payment. Money that came above what was asked for and went back by
 * itself does not count. Of an accepted payment a refund takes no more than was asked for: money
 * noted above that amount belongs to no order.
 *
 * @param restMinor the part of the reserved money that came above what was asked for
 */
export function ownShare(
  payment: Pick<Operation, "state" | "amount"> & { readonly collected: Money },
  before: RefundsBefore,
  restMinor: bigint,
): { readonly collected: Money; readonly before: RefundsBefore } {
  const { state, amount, collected } = payment
  const left = collected.minor - restMinor
  const minor = state === "completed" ? least(left, amount.minor) : left
  return {
    collected: { ...collected, minor },
    before: { ...before, reservedMinor: before.reservedMinor - restMinor },
  }
}

type RefundToSend =
  | { readonly kind: "send"; readonly amount: Money }
  /** All that was collected has been sent: rounding covers what is still asked for. */
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
  const sum = decimalSum([...before.medusaAmounts, asked.medusaAmount])
  const rounded = sum === undefined ? undefined : moneyFromMajor(sum, currency)
  const toCaptured = compareDecimals(sum, asked.capturedAmount)
  if (!rounded || toCaptured === undefined || compareDecimals(asked.medusaAmount, "0") === 0) {
    return { kind: "too_small" }
  }
  const left = atLeastNone(collected.minor - before.reservedMinor - before.lateMinor)
  // An admin who sees 66.62 for 66.61775 asks for that, and means all of it.
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
 * Whether a refund of this amount can mean only one thing. The gateway's call names no currency:
 * where the payer paid in another currency than the source's, or in an unknown one, ten could be
 * ten of either. A full refund means the same in both.
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
