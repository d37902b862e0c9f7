/**
 * Movements of money, and what they add up to: on the home page, below a list and in the accountant's
 * sheet.
 */
import type { AdminId, OperationId, OrderId, Reference } from "./ids"
import { majorText, type CurrencyCode } from "./money"
import type { State } from "./operation"

/**
 * `duplicate`: a payment for what was paid already. `fee_unknown`: the gateway has not said what it
 * took of a payment. `exchange`: the customer paid in another currency. `taken_back`: by the
 * operator, after it was paid.
 */
export type Kind =
  | "payment"
  | "duplicate"
  | "fee"
  | "fee_unknown"
  | "exchange"
  | "taken_back"
  | "refund"
  | "payout"
  | "transfer"

/** The movements of one kind in one currency, between two moments that follow each other. */
export type Slice = {
  /** Counts from 1. */
  readonly slice: number
  readonly currency: CurrencyCode
  readonly kind: Kind
  readonly count: number
  /** Smallest units, below zero where money went out. */
  readonly minor: bigint
  /** What the operations of these movements moved, in smallest units. */
  readonly ofMinor: bigint
}

export type Movement = {
  readonly operationId: OperationId
  readonly at: Date
  readonly kind: Kind
  readonly currency: CurrencyCode
  /** Below zero where money went out or was taken; null where it is not known or does not apply. */
  readonly minor: bigint | null
  /** What the operation moved. */
  readonly ofMinor: bigint
  readonly state: State
  readonly isRecorded: boolean
  readonly isReturned: boolean
  readonly isDismissed: boolean
  readonly orderId: OrderId | null
  readonly paymentMethod: string | null
  readonly carrier: string | null
  readonly account: string
  readonly sourceNumber: string | null
  readonly transactionId: string | null
  readonly reference: Reference | null
  /** Decimal text in major units, as the gateway wrote it. */
  readonly payerAmount: string | null
  readonly payerCurrency: string | null
  readonly exchangeRate: string | null
  /** Who got money that was sent. */
  readonly recipient: string | null
  /** The id of the admin, or of what else asked for money that went out or back. */
  readonly askedBy: AdminId | null
  readonly reason: string | null
  /** The id of the second admin; null: none was needed. */
  readonly approvedBy: AdminId | null
  readonly approvedWhy: string | null
}

/** The column of the sheet, and the figure of the home page, in which a kind counts. */
export const FIGURE_OF = {
  payment: "received",
  duplicate: "received",
  fee: "fees",
  fee_unknown: null,
  exchange: null,
  taken_back: "taken_back",
  refund: "refunded",
  payout: "sent",
  transfer: "sent",
} as const satisfies Record<Kind, Figure | null>

export type Figure = "received" | "fees" | "refunded" | "taken_back" | "sent"

/** What is left of the payments: payouts and transfers spend it, and are not in it. */
export const isInNet = (figure: Figure) => figure !== "sent"

export type Countable = Pick<Slice, "currency" | "kind" | "count" | "minor" | "ofMinor">

/**
 * The figures of one currency's movements, in smallest units: of the home page, the list's totals
 * and the last lines of the accountant's sheet.
 */
export function figuresOfMovements(own: readonly Countable[]) {
  const minorOf = (isMeant: (figure: Figure) => boolean) =>
    total(own, ({ kind, minor }) => {
      const figure = FIGURE_OF[kind]
      return figure !== null && isMeant(figure) ? minor : 0n
    })
  const countOf = (figure: Figure) =>
    own.reduce((sum, { kind, count }) => sum + (FIGURE_OF[kind] === figure ? count : 0), 0)
  const unknown = own.filter(({ kind }) => kind === "fee_unknown")
  return {
    payments: countOf("received"),
    received: minorOf((figure) => figure === "received"),
    fees: minorOf((figure) => figure === "fees"),
    without_fees: unknown.reduce((sum, { count }) => sum + count, 0),
    amount_without_fees: total(unknown, ({ ofMinor }) => ofMinor),
    refunds: countOf("refunded"),
    refunded: minorOf((figure) => figure === "refunded"),
    takings_back: countOf("taken_back"),
    taken_back: minorOf((figure) => figure === "taken_back"),
    went_back: minorOf((figure) => figure === "taken_back" || figure === "refunded"),
    net: minorOf(isInNet),
    sendings: countOf("sent"),
    sent: minorOf((figure) => figure === "sent"),
  }
}

const total = (all: readonly Countable[], of: (one: Countable) => bigint): bigint =>
  all.reduce((sum, one) => sum + of(one), 0n)

/**
 * @param also currencies that are there even without a movement, with zeros
 * @returns one for each currency, in the order of the codes
 */
export function eachCurrency<T>(
  movements: readonly Countable[],
  also: readonly CurrencyCode[],
  of: (currency: CurrencyCode, figures: ReturnType<typeof figuresOfMovements>) => T,
): T[] {
  const currencies = new Set([...movements.map(({ currency }) => currency), ...also])
  return [...currencies]
    .sort()
    .map((currency) =>
      of(currency, figuresOfMovements(movements.filter((one) => one.currency === currency))),
    )
}

/** @param also as of {@link eachCurrency} */
export const sumsOf = (movements: readonly Countable[], also: readonly CurrencyCode[] = []) =>
  eachCurrency(movements, also, (currency, figures) => {
    const text = (minor: bigint) => majorText({ minor, currency })
    return {
      currency,
      ...figures,
      received: text(figures.received),
      fees: text(figures.fees),
      amount_without_fees: text(figures.amount_without_fees),
      refunded: text(figures.refunded),
      taken_back: text(figures.taken_back),
      went_back: text(figures.went_back),
      net: text(figures.net),
      sent: text(figures.sent),
    }
  })
