/**
 * `sessions/…`: a gateway session fixes what an execution will move. It is opened right before the
 * execution (contract, 2b, 3, 5 and 15).
 *
 * An answer about another amount, account or payment than asked for is not read: executing that
 * session would move other money.
 */
import { z } from "zod"
import type {
  CounterpartyId,
  GatewaySessionId,
  Given,
  PaymentAccountId,
  PaymentIntentId,
  SourceId,
  WalletId,
} from "../terms/ids"
import { methodOf, type Call } from "../call"
import { sameMoney, type Money } from "../terms/money"
import { inBody, writer, type Endpoint } from "../endpoint"
import { moneyOf, payableField, wireAmount, wireMoney, type Amount } from "./amounts"
import { ENUMS, type SourceType } from "./enums"
import * as field from "./fields"
import type { GatewayTime, Wire } from "./reading"
import { isAbsent } from "./forms"
import {
  exactMoneyOf,
  inSnakeCase,
  UnusableField,
  otherThanAsked,
  otherThanRepeated,
} from "./reading"
import { reader } from "./reading"

/** Only an `ACTIVE` session can be executed. Other values may come; the contract lists none. */
export type SessionStatus = "ACTIVE" | (string & {})

type Session = {
  /** An integer here and for realtime keys, text in executions; the client converts it. */
  readonly id: GatewaySessionId
  readonly status: SessionStatus
  /** When the session ends. The gateway's own choice is short: open it right before executing. */
  readonly expiresAt?: GatewayTime
  readonly createdAt?: GatewayTime
  readonly updatedAt?: GatewayTime
  readonly wire: Wire
}

export type CreateCheckoutSessionRequest = {
  readonly sourceType: SourceType
  readonly sourceId: Given<SourceId>
}

export type CheckoutSession = Session & { readonly paymentAccountId?: PaymentAccountId }

export type CreatePayoutSessionRequest = {
  /** The recipient's payment account, made for `PAYOUT`. */
  readonly payoutAccountId: Given<PaymentAccountId>
  readonly amount: Amount
}

export type PayoutSession = Session & {
  readonly payoutAccountId: PaymentAccountId
  /** Exact, and equal to the amount asked for. */
  readonly amount: Money
  /** The wallet that the payout debits, chosen by the gateway. */
  readonly walletId?: WalletId
}

export type CreateTransferSessionRequest = {
  /**
   * The merchant's wallet to debit. No operation lists wallets: take the id from a payout session
   * or the merchant portal.
   */
  readonly fromWalletId: Given<WalletId>
  readonly toCounterpartyId: Given<CounterpartyId>
  readonly amount: Amount
  /** When the session can no longer be executed. */
  readonly expiresAt: Date
}

export type TransferSession = Session & {
  readonly fromWalletId: WalletId
  readonly toCounterpartyId: CounterpartyId
  /** Exact, and equal to the amount asked for. */
  readonly amount: Money
}

export type CreateRefundSessionRequest = {
  /**
   * The payment intent of the collection, not the id of the checkout session. No documented answer
   * has it: see {@link Execution.paymentIntentId}, or the merchant portal.
   */
  readonly originalPaymentIntentId: Given<PaymentIntentId>
  /**
   * At most the original amount. The request has no currency on the wire. The contract does not say
   * which one counts: the source's, the payer's or the payee's. If these differ, ask the gateway.
   */
  readonly amount: Amount
  /** When the session can no longer be executed. The contract names no bounds. */
  readonly expiresAt: Date
  readonly reason?: string | undefined
}

export type RefundSession = Omit<Session, "status"> & {
  /** Only an `ACTIVE` session can be executed; an answer may lack it. */
  readonly status?: SessionStatus
  readonly originalPaymentIntentId?: PaymentIntentId
  /** Exact, and equal to the amount asked for. */
  readonly amount?: Money
  /** The reason of the refund, made safe to display. */
  readonly reason?: string
}

const idInRequest = z.int().positive()

const answerFields = {
  id: field.idOf<GatewaySessionId>(),
  status: field.sessionStatus,
  expires_at: field.optionalTime,
  ...field.recordTimes,
}
const checkoutAnswer = z.object({
  ...answerFields,
  source_id: field.optionalIdOf<SourceId>(),
  source_type: field.optionalWord(ENUMS.SourceType),
  payment_account_id: field.optionalIdOf<PaymentAccountId>(),
})
const payoutAnswer = z.object({
  ...answerFields,
  payout_account_id: field.idOf<PaymentAccountId>(),
  amount: field.amount,
  currency: field.currency,
  wallet_id: field.optionalIdOf<WalletId>(),
})
const transferAnswer = z.object({
  ...answerFields,
  from_wallet_id: field.idOf<WalletId>(),
  to_counterparty_id: field.idOf<CounterpartyId>(),
  amount: field.amount,
  currency: field.currency,
})
/** The contract does not show this answer; its fields are assumed. So only the id is required. */
const refundAnswer = z.object({
  ...answerFields,
  status: field.optionalSessionStatus,
  original_payment_intent_id: field.optionalIdOf<PaymentIntentId>(),
  amount: field.fromWire,
  currency: field.fromWire,
  reason: field.optionalMessage,
})

export const createCheckoutSession: Endpoint<CreateCheckoutSessionRequest, CheckoutSession> = {
  operation: "sessions.checkout",
  write: inBody(z.object({ sourceType: field.sourceType, sourceId: idInRequest })),
  read: reader(checkoutAnswer, (fields, wire, request, context) => {
    const asked = { source_id: request.sourceId, source_type: request.sourceType }
    return otherThanRepeated(wire, asked, context) ?? { ...fields, wire }
  }),
}

export const createPayoutSession: Endpoint<CreatePayoutSessionRequest, PayoutSession> = {
  operation: "sessions.payout",
  write: writer(
    z.object({ payoutAccountId: idInRequest, amount: payableField }),
    ({ amount, ...fields }) => ({ body: { ...inSnakeCase(fields), ...wireMoney(amount) } }),
  ),
  read: reader(payoutAnswer, ({ currency, ...fields }, wire, request) => {
    const amount = amountAsAsked(fields.amount, currency, moneyOf(request.amount))
    if (amount instanceof UnusableField) return amount
    const { payoutAccountId } = request
    return otherThanAsked(fields, { payoutAccountId }) ?? { ...fields, amount, wire }
  }),
}

export const createTransferSession: Endpoint<CreateTransferSessionRequest, TransferSession> = {
  operation: "sessions.transfer",
  write: writer(
    z.object({
      fromWalletId: idInRequest,
      toCounterpartyId: idInRequest,
      amount: payableField,
      expiresAt: z.date(),
    }),
    ({ amount, ...fields }) => ({ body: { ...inSnakeCase(fields), ...wireMoney(amount) } }),
  ),
  read: reader(transferAnswer, ({ currency, ...fields }, wire, request) => {
    const amount = amountAsAsked(fields.amount, currency, moneyOf(request.amount))
    if (amount instanceof UnusableField) return amount
    const { fromWalletId, toCounterpartyId } = request
    const asked = { fromWalletId, toCounterpartyId }
    return otherThanAsked(fields, asked) ?? { ...fields, amount, wire }
  }),
}

const writeRefund = writer(
  z.object({
    originalPaymentIntentId: idInRequest,
    amount: payableField,
    expiresAt: z.date(),
    reason: z.string().optional(),
  }),
  ({ amount, ...fields }) => ({
    body: { ...inSnakeCase(fields), amount: wireAmount(amount) },
  }),
)

export const createRefundSession: Endpoint<CreateRefundSessionRequest, RefundSession> = {
  operation: "sessions.refund",
  write: writeRefund,
  writePlain: ({ reason: _reason, ...request }) => writeRefund(request),
  read: reader(refundAnswer, (fields, wire, request) => {
    // An unreadable payment intent counts as another one.
    if (
      !isAbsent(wire["original_payment_intent_id"]) &&
      fields.originalPaymentIntentId !== request.originalPaymentIntentId
    ) {
      return new UnusableField("original_payment_intent_id", "another payment than asked for")
    }
    const amount = refundAmountIn(wire, moneyOf(request.amount))
    return amount instanceof UnusableField ? amount : { ...fields, amount, wire }
  }),
}

function amountAsAsked(amount: unknown, currency: unknown, asked: Money): Money | UnusableField {
  const money = exactMoneyOf(amount, currency)
  if (!money) return new UnusableField("amount", "no exact amount in its currency")
  if (money.currency !== asked.currency) {
    return new UnusableField("currency", "another currency than asked for")
  }
  return sameMoney(money, asked)
    ? money
    : new UnusableField("amount", "another amount than asked for")
}

/** Undefined if the answer has no amount. A currency without an amount must match the request. */
function refundAmountIn(
  { amount, currency }: Wire,
  asked: Money,
): Money | UnusableField | undefined {
  const money = amountAsAsked(
    isAbsent(amount) ? wireAmount(asked) : amount,
    isAbsent(currency) ? asked.currency : currency,
    asked,
  )
  return isAbsent(amount) && !(money instanceof UnusableField) ? undefined : money
}

/**
 * Gateway sessions. A session is a short permission for one execution of its kind, while `ACTIVE`
 * (contract, 5). Opening it moves no money. A repeat opens a second session, because there is no
 * idempotency key. A session can't be closed: if it is not executed, it expires.
 *
 * `refused` with `Forbidden`: the merchant is not verified yet. With `Invalid`: a field is wrong,
 * and the error names it.
 */
export const sessionsOf = (call: Call) => ({
  /** Opens the session of an `ACTIVE` source, right before executing (contract, 2b and 5). */
  checkout: methodOf(call, createCheckoutSession),
  /**
   * Opens the session of a payout to a payment account. The gateway chooses the wallet and when the
   * session expires. `unknown` also when the answer has another account or amount (specification,
   * "Payout session"; contract, 15).
   */
  payout: methodOf(call, createPayoutSession),
  /**
   * Opens the session of a transfer from the merchant's wallet to a counterparty's. `unknown` as
   * for `sessions.payout` (contract, 15).
   */
  transfer: methodOf(call, createTransferSession),
  /**
   * Opens the session of a refund of a completed collection, full or in part. Keep your own running
   * total: the contract does not say whether the gateway caps the sum of several refunds. `unknown`
   * also when the answer has another payment, amount or currency (contract, 3).
   */
  refund: methodOf(call, createRefundSession),
})
