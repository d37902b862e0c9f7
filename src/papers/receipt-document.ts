/**
 * The data of the customer's receipt: one document for the customer and the admin, made from
 * Medusa's order and the ledger. Amounts are exact text. It calls paid only what is recorded, and
 * refunded only what is completed.
 */
import { payerFeeOf } from "../core/figures"
import { decimalText, moneyFromMajor, parseCurrency, type Money } from "../core/money"
import { receivedOf, type Operation } from "../core/operation"
import { payerHint } from "../core/payer-hint"
import { beyondAmountOf, takenBackOf } from "../core/recorded"
import type { MethodLabels } from "../core/method-labels"
import { statusState } from "../checkout/rules/status"
import { hasReceipt } from "../worker/rules/receipt"
import type { PaperOperation } from "./sql/money-of-order"
import { amountOf, rowsOf, type Amount, type PaperRow } from "./rules/exact-rows"
import type { PaperAddress, PaperOrder } from "./rules/paper-order"

/** `processing`: taken, and not recorded in Medusa yet. */
type PaymentWord = "paid" | "returned" | "processing" | "under_review"
type RefundWord = "taken_back" | "refunded" | "under_way" | "under_review" | "failed"

export type PaperPayment = {
  readonly state: PaymentWord
  readonly amount: Amount
  /** When the payer paid, in ISO 8601 and UTC; never when an admin decided about it. */
  readonly at: string | null
  /** Null: paid in another way than through this gateway. */
  readonly flow: Operation["flow"] | null
  readonly method: string | null
  readonly phoneHint: string | null
  readonly transactionId: string | null
  /** The gateway's number of its own receipt, and its page. */
  readonly number: string | null
  readonly link: string | null
  /** On top of the amount. */
  readonly payerFee: Amount | null
  /** What the payer's wallet or card was charged. */
  readonly charged: Amount | null
  readonly exchange: { readonly rate: string; readonly from: string; readonly to: string } | null
}

export type PaperRefund = {
  readonly state: RefundWord
  readonly amount: Amount
  /** When it arrived; until then, when it was asked for. */
  readonly at: string | null
  readonly transactionId: string | null
}

export type ReceiptDocument = {
  readonly shop: string | null
  /** In which its times are written: the shop's, or UTC. */
  readonly timeZone: string
  /** Null: money that never became an order. */
  readonly order: Pick<PaperOrder, "number" | "placedAt" | "isCanceled"> | null
  readonly customer: { readonly name: string | null; readonly address: PaperAddress | null } | null
  /** They add up to `total`. */
  readonly rows: readonly PaperRow[]
  readonly total: Amount
  /** In `total`; null: none. */
  readonly tax: Amount | null
  readonly discount: Amount | null
  readonly payments: readonly PaperPayment[]
  readonly refunds: readonly PaperRefund[]
  /**
   * Between `total` and what is paid: the items that are to come back, as in an exchange, what is
   * still open, what the shop owes, and what an admin accepted beyond the total. Null: none.
   */
  readonly returning: Amount | null
  readonly beyond: Amount | null
  /** The sums of what is paid and of what is completed of the refunds. */
  readonly paid: Amount
  readonly refunded: Amount | null
  readonly open: Amount | null
  readonly owed: Amount | null
}

export type PaperFacts = {
  readonly shop: string | null
  readonly timeZone: string
  readonly order: PaperOrder | undefined
  readonly operations: readonly PaperOperation[]
  /** The customer's data was erased: no name of a person or an item stands on the receipt. */
  readonly isErased: boolean
  readonly labelOf: MethodLabels
}

/** @returns undefined: there is no money to give a receipt for */
export function receiptDocument(facts: PaperFacts): ReceiptDocument | undefined {
  const first =
    facts.operations.find(({ operation }) => hasReceipt(operation)) ?? facts.operations[0]
  if (!first) return undefined
  const { currency } = first.operation.amount
  const order = facts.order && parseCurrency(facts.order.currency) === currency ? facts.order : null
  const sum = (text: string) => moneyFromMajor(text, currency) ?? { minor: 0n, currency }
  const total = order ? sum(order.total) : first.operation.amount
  const payments = facts.operations.flatMap((one) => paymentFrom(one, facts.labelOf))
  const refunds = facts.operations.flatMap(refundFrom)
  const others = order?.otherPayments ?? []
  const isSome = (money: Money) => (money.minor > 0n ? amountOf(money) : null)
  const paid = payments.filter(({ state }) => state === "paid" || state === "returned")
  // While money is on its way into the order, or out of it, its sum is not what it will be.
  const isAtRest = paid.length === payments.length && refunds.every(({ state }) => isDone(state))
  const asks = order && !order.isCanceled ? order : null
  const addUp = (amounts: readonly Amount[], other: readonly string[]): Money => {
    const texts = [...amounts.map(({ value }) => value), ...other]
    return { minor: texts.reduce((all, text) => all + sum(text).minor, 0n), currency }
  }
  const beyond = facts.operations.flatMap(({ operation }) => beyondAmountOf(operation) ?? [])
  const refunded = refunds.filter(({ state }) => state === "refunded" || state === "taken_back")
  return {
    shop: facts.shop,
    timeZone: facts.timeZone,
    order,
    customer:
      order && !facts.isErased ? { name: order.customerName, address: order.address } : null,
    rows: (order ? rowsOf(order, total) : rowsOfPayment(first.operation)).map((row) =>
      facts.isErased && row.name !== null ? { ...row, name: ERASED } : row,
    ),
    total: amountOf(total),
    tax: order && isSome(sum(order.tax)),
    discount: order && isSome(sum(order.discount)),
    payments: [
      ...payments,
      ...others.map(({ captured, at }) => ({ ...OTHER, amount: amountOf(sum(captured)), at })),
    ],
    refunds: [
      ...refunds,
      ...others.flatMap(({ refunded: back }) => {
        const amount = isSome(sum(back))
        return amount ? [{ state: "refunded", amount, at: null, transactionId: null } as const] : []
      }),
    ],
    paid: amountOf(
      addUp(
        paid.map(({ amount }) => amount),
        others.map((one) => one.captured),
      ),
    ),
    refunded: isSome(
      addUp(
        refunded.map(({ amount }) => amount),
        others.map((one) => one.refunded),
      ),
    ),
    returning: asks && isSome(sum(asks.returning)),
    beyond: isSome(addUp(beyond.map(amountOf), [])),
    open: asks && paid.length === payments.length ? isSome(sum(asks.openAmount)) : null,
    owed: asks && isAtRest ? isSome(sum(below(asks.openAmount))) : null,
  }
}

const isDone = (state: RefundWord) => state !== "under_way" && state !== "under_review"

/** What an amount is below zero, as an amount above it. */
const below = (text: string) => (text.startsWith("-") ? text.slice(1) : "0")

/** As erasing writes it into the ledger. */
const ERASED = "•••"

const OTHER = {
  state: "paid",
  flow: null,
  method: null,
  phoneHint: null,
  transactionId: null,
  number: null,
  link: null,
  payerFee: null,
  charged: null,
  exchange: null,
} as const

/** The lines that were sent to the gateway; they add up to the operation's amount. */
function rowsOfPayment({ lines }: Operation): PaperRow[] {
  return lines.map(({ name, quantity, amount }) => ({
    kind: "item",
    name,
    quantity,
    amount: amountOf(amount),
  }))
}

/** Money that a decision has settled in another way, or that never came, is no payment. */
function paymentWord(operation: Operation): PaymentWord | undefined {
  if (operation.state === "completed" && operation.returnedAt) return "returned"
  const state = statusState(operation)
  return state === "paid" || state === "processing" || state === "under_review" ? state : undefined
}

function paymentFrom(given: PaperOperation, labelOf: MethodLabels): PaperPayment[] {
  const { operation, receipt } = given
  const state = paymentWord(operation)
  const received = receivedOf(operation)
  if (operation.type !== "COLLECTION" || !state || !received) return []
  const method = operation.paymentMethod ?? receipt?.paymentMethod ?? null
  return [
    {
      state,
      amount: amountOf(received),
      at: receipt?.paidAt ?? operation.moneyAt?.toISOString() ?? null,
      flow: operation.isPayerUnknown ? null : operation.flow,
      method: labelOf(method) ?? operation.carrier,
      phoneHint: payerHint(operation),
      transactionId: receipt?.transactionId ?? given.transactionId,
      number: receipt?.number ?? null,
      link: receipt?.link ?? null,
      payerFee: feeOnTop(given),
      charged: chargedOf(operation),
      exchange: exchangeOf(operation),
    },
  ]
}

function feeOnTop({ operation, receipt }: PaperOperation): Amount | null {
  const fee = payerFeeOf(operation, receipt?.feeBearer ?? operation.feeBearer)
  const value = fee === null ? undefined : decimalText(fee)
  return value === undefined ? null : { value, currency: operation.amount.currency }
}

function chargedOf({ payerAmount, payerCurrency }: Operation): Amount | null {
  const value = decimalText(payerAmount)
  return value === undefined || payerCurrency === null ? null : { value, currency: payerCurrency }
}

function exchangeOf(operation: Operation): PaperPayment["exchange"] {
  const { exchangeRate, exchangeFrom: from, exchangeTo: to } = operation
  const rate = decimalText(exchangeRate)
  return rate !== undefined && from && to ? { rate, from, to } : null
}

const REFUND_WORDS: Readonly<Record<Operation["state"], RefundWord>> = {
  drafted: "under_way",
  submitted: "under_way",
  in_flight: "under_way",
  completed: "refunded",
  review: "under_review",
  failed: "failed",
  expired: "failed",
}

function refundFrom({ operation, transactionId }: PaperOperation): PaperRefund[] {
  const taken = takenBackOf(operation)
  if (operation.takenBackAt && taken) {
    const at = operation.takenBackAt.toISOString()
    return [{ state: "taken_back", amount: amountOf(taken), at, transactionId }]
  }
  if (operation.type !== "REFUND") return []
  return [
    {
      state: REFUND_WORDS[operation.state],
      amount: amountOf(operation.amount),
      at: (operation.moneyAt ?? operation.createdAt).toISOString(),
      transactionId,
    },
  ]
}
