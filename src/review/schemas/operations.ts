/**
 * What the admin's routes about payments answer. Amounts are numbers in major units, currencies upper case, times ISO 8601 in UTC; absent is null.
 */
import { z } from "zod"
import { NOT_POSSIBLE } from "../../core/messages/reason.en"
import { OPERATION_TYPES, SOURCE_TYPES, STATES } from "../../core/operation"
import { DECISIONS, REVIEW_ACTIONS } from "../../core/possibilities"
import { merchantPayment, operationReason } from "../../core/schemas/merchant-payment"
import { count, keysOf, number, type Output, text, time } from "../../core/schemas/shapes"
import { ORDER_STATES } from "../rules/choices"

/** One line of a list: a payment as the shop's own code reads it, and what else an admin is shown. */
export const operationSummary = z.strictObject({
  ...merchantPayment.shape,
  type: z.enum(OPERATION_TYPES),
  /** The customer, or the recipient of a payout; null where not known, or erased. */
  customer: z
    .strictObject({
      name: text.nullable(),
      email: text.nullable(),
    })
    .nullable(),
  /** For a refund, the collection whose money goes back. */
  parent_id: text.nullable(),
  /** Money came for a prompt, and no answer says that this prompt, and no page, brought it. */
  is_payer_unknown: z.boolean(),
  next_check_at: time.nullable(),
  /** The id of the admin or the API key that asked for it; null where a shopper or a rule did. */
  asked_by: text.nullable(),
  /** Of a payout or a transfer: why it was sent, as the admin wrote it. Null where it is not kept. */
  note: text.nullable(),
})
export type OperationSummary = Output<typeof operationSummary>

const movedTotal = z.strictObject({
  count,
  amount: text,
})

/**
 * Sums of one currency, of money that moved, and of refunds on their way. Amounts are exact decimal
 * text in major units.
 */
export const operationTotals = z.strictObject({
  currency: text,
  /**
   * `fees` is what the gateway took of the payments whose fees are known, `net` what it left of
   * them. `without_fees` and `amount_without_fees` are the number and the sum of the other
   * payments.
   */
  payments: z.strictObject({
    ...movedTotal.shape,
    fees: text,
    net: text,
    without_fees: number,
    amount_without_fees: text,
    /** What payers paid on top of `amount`; it is part of neither `amount` nor `fees`. */
    payer_fees: text,
  }),
  /** Payments that Medusa holds, with what was asked for: `payments` has what came in. */
  recorded: movedTotal,
  refunds: movedTotal,
  /** Refunds that were sent and are not known to have gone through or failed; not in the net. */
  refunds_pending: movedTotal,
  /** Payments that their operators took back. */
  taken_back: movedTotal,
  /** Payouts and transfers. */
  sent: movedTotal,
  /**
   * Payments less fees, refunds and what operators took back; may be below zero. If the fees of
   * some payments are not known, they are still to come off: the true amount is at most this.
   */
  net_after_refunds: text,
})
export type OperationTotals = Output<typeof operationTotals>

export const operationList = z.strictObject({
  operations: z.array(operationSummary),
  /** Operations on all pages, counted up to 1,000. */
  count,
  limit: count,
  offset: count,
  /** The `after` of the next page's request; null at the end, and for a list by amount. */
  next: text.nullable(),
  /** The operators to filter by; several codes may have one name. */
  operators: z.array(
    z.strictObject({
      label: text,
      payment_methods: z.array(text),
    }),
  ),
  /** Sums over all pages, where asked for; null: there are too many operations to add up. */
  totals: z.array(operationTotals).nullable().optional(),
})
export type OperationList = Output<typeof operationList>

export const timelineEvent = z.strictObject({
  seq: count,
  name: text,
  state: text,
  code: text,
  /** The code in English, with its facts. */
  why: text,
  /** The id of the admin who caused the event; null where no admin did. */
  by: text.nullable(),
  facts: z.record(text, z.unknown()),
  at: time,
})
export type TimelineEvent = Output<typeof timelineEvent>

export const actionPossibility = z.strictObject({
  action: z.enum(REVIEW_ACTIONS),
  is_possible: z.boolean(),
  why_not: z
    .strictObject({
      code: keysOf(NOT_POSSIBLE),
      en: text,
    })
    .nullable(),
})
export type ActionPossibility = Output<typeof actionPossibility>

/** The second admin who approved it, and why. Null where none was needed. */
export const approvalShown = z.strictObject({
  approved_by: text,
  approved_at: time,
  answer: text.nullable(),
})
export type ApprovalShown = Output<typeof approvalShown>

/**
 * `on_its_way`: the gateway accepted the refund, or its end is not known yet; it is followed to its
 * end.
 */
export const refundProgress = z.enum(["on_its_way", "returned", "failed", "under_review"])
export type RefundProgress = Output<typeof refundProgress>

export const operationRefund = z.strictObject({
  id: text,
  state: z.enum(STATES),
  progress: refundProgress,
  amount: number,
  currency: text,
  reason: operationReason.nullable(),
  asked_by: text.nullable(),
  /** Why, in the words of the admin who asked for it. */
  note: text.nullable(),
  approval: approvalShown.nullable(),
  /** The id of Medusa's refund. */
  refund_id: text.nullable(),
  reference: text.nullable(),
  created_at: time,
})
export type OperationRefund = Output<typeof operationRefund>

/** The payer, as Medusa has it now. */
export const contact = z.strictObject({
  /** The id of Medusa's customer. */
  customer_id: text.nullable(),
  name: text.nullable(),
  email: text.nullable(),
  order_number: text.nullable(),
})
export type Contact = Output<typeof contact>

export const decisionOffered = z.strictObject({
  /** The payment's order, or the order that another payment of its cart has made. */
  order_id: text.nullable(),
  order_number: text.nullable(),
  order_state: z.enum(ORDER_STATES),
  /** The id of another payment of the same cart or order. */
  other_payment_id: text.nullable(),
  /**
   * The decisions that are possible now or as soon as there is stock; the recommended one, if any,
   * first.
   */
  choices: z.array(
    z.strictObject({
      action: z.enum(DECISIONS),
      recommended: z.boolean(),
      /** Why it is not possible yet; null: it is possible. */
      disabled: z
        .strictObject({
          code: keysOf(NOT_POSSIBLE),
          facts: z.record(text, z.unknown()),
          en: text,
        })
        .nullable(),
      /** The key under `review.consequence` in the admin's dictionaries. */
      consequence: text,
    }),
  ),
})
export type DecisionOffered = Output<typeof decisionOffered>

export const operationDetail = z.strictObject({
  ...operationSummary.shape,
  approval: approvalShown.nullable(),
  /** Null where Medusa has neither a cart nor an order of the payment. */
  contact: contact.nullable(),
  lines: z.array(
    z.strictObject({
      name: text,
      quantity: number,
      amount: number,
    }),
  ),
  source_type: z.enum(SOURCE_TYPES),
  source_id: number.nullable(),
  source_status: text.nullable(),
  fee_bearer: text.nullable(),
  payment_intent_id: number.nullable(),
  /** The merchant portal's page of transactions, as the account names it; https alone. */
  portal_url: text.nullable(),
  gateway_session_id: number.nullable(),
  /** The last messages of the gateway and the wallet. */
  messages: z.record(text, z.unknown()),
  refund_id: text.nullable(),
  checks: count,
  expires_at: time,
  submitted_at: time.nullable(),
  updated_at: time,
  events: z.array(timelineEvent),
  refunds: z.array(operationRefund),
  actions: z.array(actionPossibility),
  /**
   * What an admin can decide about a customer's payment in review; null: it waits for no decision.
   */
  decision: decisionOffered.nullable(),
  /** Second orders of this purchase that nobody pays, and that an admin can cancel now. */
  stray_orders: z.array(
    z.strictObject({
      order_id: text,
      order_number: text,
    }),
  ),
})
export type OperationDetail = Output<typeof operationDetail>

/** What the gateway says at this moment. */
export const gatewayReading = z.strictObject({
  /**
   * `unanswered`: the gateway did not answer now · `not_asked`: there is nothing to ask, or no
   * credentials.
   */
  kind: z.enum(["reads", "unanswered", "not_asked"]),
  execution: text.nullable(),
  source: text.nullable(),
  amount: number.nullable(),
  /** What a refund would give back: no more than was taken. */
  taken_amount: number.nullable(),
  currency: text.nullable(),
})
export type GatewayReading = Output<typeof gatewayReading>

export const operationResponse = z.strictObject({
  operation: operationDetail,
  /** The gateway's answer; null where the gateway was not to be asked. */
  gateway: gatewayReading.nullable(),
})
export type OperationResponse = Output<typeof operationResponse>

export const oneOperationResponse = operationResponse.pick({ operation: true })

export const orderPaymentsResponse = z.strictObject({
  order_id: text,
  operations: z.array(
    z.strictObject({
      ...operationSummary.shape,
      refunds: z.array(operationRefund),
      /**
       * How long this shop's own refunds took: nine in ten of the last `of` arrived within
       * `within_ms`. Null: none is on its way, or too few have arrived. The gateway itself names no
       * time.
       */
      refund_times: z
        .strictObject({
          within_ms: number,
          of: number,
        })
        .nullable(),
      /** The prompt's state, as STATUS gives it to the shopper; null where no prompt is under way. */
      prompt: z.enum(["sending", "sent"]).nullable(),
      /** The path where the admin reads the payment's receipt; null while there is none. */
      receipt_path: text.nullable(),
    }),
  ),
})
export type OrderPaymentsResponse = Output<typeof orderPaymentsResponse>
