/**
 * What an operation adds to a sum: exact, in the smallest unit of its currency, below zero where
 * money went out. The list's totals and the files add up these amounts and no others.
 */
import { figuresOf, sentOf, type Priced } from "../../core/figures"
import { exactMoneyFromMajor, majorText, moneyFromMajor } from "../../core/money"
import type { CurrencyCode } from "../../core/money"
import { receivedOf, type OperationType } from "../../core/operation"
import type { OperationTotals } from "./review-responses"

export type SignedFigures = {
  readonly type: OperationType
  readonly currency: CurrencyCode
  /** The amount that was asked for. */
  readonly asked: bigint
  /** The money that moved, before fees; null: none moved. */
  readonly gross: bigint | null
  /** What its operator took back of a payment's gross, below zero; null: nothing. */
  readonly takenBack: bigint | null
  /** What the gateway took of a payment's gross; null where it has not said how much it left. */
  readonly fee: bigint | null
  /** For a payment `gross - fee`, null where the fee is null; for a refund its gross; else null. */
  readonly net: bigint | null
  /**
   * What the payer paid on top of a payment's gross; null where that was nothing, or is not known.
   */
  readonly payerFee: bigint | null
}

export function signedFiguresOf(operation: Priced): SignedFigures {
  const { type, state, amount } = operation
  const { currency, minor } = amount
  if (type === "COLLECTION") {
    const gross = receivedOf(operation)?.minor ?? null
    const takenBack = operation.takenBackAt === null || gross === null ? null : -gross
    return { type, currency, asked: minor, gross, takenBack, ...shareOf(operation, gross) }
  }
  const gross = state === "completed" ? -sentOf(operation).minor : null
  const net = type === "REFUND" ? gross : null
  const own = { takenBack: null, fee: null, net, payerFee: null }
  return { type, currency, asked: -minor, gross, ...own }
}

type Share = Pick<SignedFigures, "fee" | "net" | "payerFee">

const UNKNOWN: Share = { fee: null, net: null, payerFee: null }

/** A net above the gross contradicts it, so neither it nor the fee counts as known. */
function shareOf(operation: Priced, gross: bigint | null): Share {
  const { fee, net } = figuresOf(operation)
  const { currency } = operation.amount
  const left = net === null ? undefined : exactMoneyFromMajor(net, currency)?.minor
  if (gross === null || left === undefined || left > gross) return UNKNOWN
  const isOnTop = operation.feeBearer === "PAYER" && left === gross && fee !== null
  const payerFee = isOnTop ? (moneyFromMajor(fee, currency)?.minor ?? null) : null
  return { fee: gross - left, net: left, payerFee }
}

/** Sums by currency, in the order of the currency codes. Money that has not moved adds nothing. */
export function totalsFrom(all: readonly SignedFigures[]): OperationTotals[] {
  const moved = all.filter(({ gross }) => gross !== null)
  const currencies = [...new Set(moved.map(({ currency }) => currency))].sort()
  return currencies.map((currency) =>
    totalOf(
      currency,
      moved.filter((one) => one.currency === currency),
    ),
  )
}

function totalOf(currency: CurrencyCode, own: readonly SignedFigures[]): OperationTotals {
  const text = (minor: bigint) => majorText({ minor, currency })
  const of = (...types: readonly OperationType[]) => own.filter(({ type }) => types.includes(type))
  const payments = of("COLLECTION")
  const refunds = of("REFUND")
  const sent = of("PAYOUT", "TRANSFER")
  const known = payments.filter(({ fee }) => fee !== null)
  const unknown = payments.filter(({ fee }) => fee === null)
  const fees = sum(known, "fee")
  return {
    currency,
    payments: {
      count: payments.length,
      amount: text(sum(payments, "gross")),
      fees: text(fees),
      net: text(sum(known, "net")),
      without_fees: unknown.length,
      amount_without_fees: text(sum(unknown, "gross")),
      payer_fees: text(sum(known, "payerFee")),
    },
    refunds: { count: refunds.length, amount: text(-sum(refunds, "gross")) },
    taken_back: {
      count: payments.filter(({ takenBack }) => takenBack !== null).length,
      amount: text(-sum(payments, "takenBack")),
    },
    sent: { count: sent.length, amount: text(-sum(sent, "gross")) },
    net_after_refunds: text(
      sum(payments, "gross") - fees + sum(payments, "takenBack") + sum(refunds, "gross"),
    ),
  }
}

const sum = (
  all: readonly SignedFigures[],
  of: "gross" | "takenBack" | "fee" | "net" | "payerFee",
): bigint => all.reduce((total, one) => total + (one[of] ?? 0n), 0n)
