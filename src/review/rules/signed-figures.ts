/**
 * What an operation adds to a sum: exact, in the smallest unit of its currency, below zero where
 * money went out. The list's totals and the files add up these amounts and no others.
 */
import { figuresOf, leftOf, sentOf, type Priced } from "../../core/figures"
import { exactMoneyFromMajor, majorText, moneyFromMajor } from "../../core/money"
import type { CurrencyCode } from "../../core/money"
import { isUnderWay, receivedOf, type OperationType } from "../../core/operation"
import { eachCurrency, type Countable, type Kind } from "../../core/movements"
import type { OperationTotals } from "../schemas/operations"

export type SignedFigures = {
  readonly type: OperationType
  readonly currency: CurrencyCode
  /** The amount that was asked for. */
  readonly asked: bigint
  /** The money that moved, before fees; null: none moved. */
  readonly gross: bigint | null
  /** What Medusa holds of a payment: the amount asked for; null: it holds none. */
  readonly recorded: bigint | null
  /** A refund that was sent and is not known to have gone through or failed, below zero. */
  readonly pending: bigint | null
  /** What its operator took back of a payment's gross, below zero; null: nothing. */
  readonly takenBack: bigint | null
  /** What the gateway took of a payment's gross; null where it has not said how much it left. */
  readonly fee: bigint | null
  /**
   * For a payment `gross - fee` and less what was taken back, null where the fee is null; for a
   * refund its gross; else null.
   */
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
    const recorded = operation.recordedAt === null ? null : minor
    const own = { recorded, pending: null, takenBack, ...shareOf(operation, gross) }
    return { type, currency, asked: minor, gross, ...own }
  }
  const gross = state === "completed" ? -sentOf(operation).minor : null
  const net = type === "REFUND" ? gross : null
  const isPending = type === "REFUND" && (isUnderWay(operation) || state === "review")
  const pending = isPending ? -minor : null
  const own = { recorded: null, pending, takenBack: null, fee: null, net, payerFee: null }
  return { type, currency, asked: -minor, gross, ...own }
}

export type Asked = {
  /** True: a payment that has nothing yet, and that the gateway lists as paid, counts as it is asked. */
  readonly isOfPlace?: boolean
  readonly movedFrom?: Date | undefined
  readonly movedTo?: Date | undefined
}

/** What an operation adds to the sums of a list: only what moved within the list's period. */
export function listedFiguresOf(
  operation: Priced,
  { isOfPlace, movedFrom, movedTo }: Asked,
): SignedFigures {
  const figures = signedFiguresOf(operation)
  if (!movedFrom && !movedTo) {
    return isOfPlace ? { ...figures, gross: figures.gross ?? figures.asked } : figures
  }
  const isWithin = (at: Date | null) =>
    at !== null && (!movedFrom || at >= movedFrom) && (!movedTo || at < movedTo)
  return {
    ...figures,
    ...(isWithin(operation.moneyAt) ? {} : { gross: null, recorded: null, ...UNKNOWN }),
    ...(isWithin(operation.takenBackAt) ? {} : { takenBack: null }),
  }
}

type Share = Pick<SignedFigures, "fee" | "net" | "payerFee">

const UNKNOWN: Share = { fee: null, net: null, payerFee: null }

/** A net above the gross contradicts it, so neither it nor the fee counts as known. */
function shareOf(operation: Priced, gross: bigint | null): Share {
  const [{ fee }, got] = [figuresOf(operation), leftOf(operation)]
  const { currency } = operation.amount
  const left = got === null ? undefined : exactMoneyFromMajor(got, currency)?.minor
  if (gross === null || left === undefined || left > gross) return UNKNOWN
  const isOnTop = operation.feeBearer === "PAYER" && left === gross && fee !== null
  const payerFee = isOnTop ? (moneyFromMajor(fee, currency)?.minor ?? null) : null
  return { fee: gross - left, net: operation.takenBackAt === null ? left : left - gross, payerFee }
}

/** Sums by currency, in the order of the codes. What moved nothing and is not on its way adds none. */
export function totalsFrom(all: readonly SignedFigures[]): OperationTotals[] {
  const moved = all.filter(
    ({ gross, takenBack, pending }) => gross !== null || takenBack !== null || pending !== null,
  )
  const currencies = moved.map(({ currency }) => currency)
  return eachCurrency(moved.flatMap(movementsOf), currencies, (currency, figures) => {
    const own = moved.filter((one) => one.currency === currency)
    const text = (minor: bigint) => majorText({ minor, currency })
    const countedOf = (name: "recorded" | "pending", sign: bigint) => ({
      count: own.filter((one) => one[name] !== null).length,
      amount: text(sign * sum(own, name)),
    })
    return {
      currency,
      payments: {
        count: figures.payments,
        amount: text(figures.received),
        fees: text(-figures.fees),
        net: text(figures.received - figures.amount_without_fees + figures.fees),
        without_fees: figures.without_fees,
        amount_without_fees: text(figures.amount_without_fees),
        payer_fees: text(sum(own, "payerFee")),
      },
      recorded: countedOf("recorded", 1n),
      refunds: { count: figures.refunds, amount: text(-figures.refunded) },
      refunds_pending: countedOf("pending", -1n),
      taken_back: { count: figures.takings_back, amount: text(-figures.taken_back) },
      sent: { count: figures.sendings, amount: text(-figures.sent) },
      net_after_refunds: text(figures.net),
    }
  })
}

/** The movements of one operation, as the home page's statement makes them of its row. */
function movementsOf({ type, currency, gross, fee, takenBack }: SignedFigures): Countable[] {
  const of = (kind: Kind, minor: bigint): Countable => {
    return { currency, kind, count: 1, minor, ofMinor: gross ?? 0n }
  }
  const movements = takenBack === null ? [] : [of("taken_back", takenBack)]
  if (gross === null) return movements
  movements.push(of(KIND_OF[type], gross))
  if (type === "COLLECTION" && fee === null) movements.push(of("fee_unknown", 0n))
  if (fee !== null && fee !== 0n) movements.push(of("fee", -fee))
  return movements
}

const KIND_OF = {
  COLLECTION: "payment",
  REFUND: "refund",
  PAYOUT: "payout",
  TRANSFER: "transfer",
} as const satisfies Record<OperationType, Kind>

const sum = (all: readonly SignedFigures[], of: "recorded" | "pending" | "payerFee"): bigint =>
  all.reduce((total, one) => total + (one[of] ?? 0n), 0n)
