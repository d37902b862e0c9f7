/**
 * The types of the admin's routes, without code, so that pages in a browser can import them.
 * Amounts are numbers in major units, currencies upper case, times ISO 8601 in UTC; absent is null.
 */
import type { MerchantPayment, OperationReason } from "../../core/merchant-payment"
import type { Facts, NotPossible } from "../../core/messages"
import type { OperationType, SourceType, State } from "../../core/operation"
import type { Decision, ReviewAction } from "../../core/possibilities"
import type { OrderState } from "./choices"

export type { OperationReason }

/** One line of a list: a payment as the shop's own code reads it, and what else an admin is shown. */
export type OperationSummary = MerchantPayment & {
  readonly type: OperationType
  /** The customer, or the recipient of a payout; null where not known, or erased. */
  readonly customer: { readonly name: string | null; readonly email: string | null } | null
  /** For a refund, the collection whose money goes back. */
  readonly parent_id: string | null
  /** Money came for a prompt, and no answer says that this prompt, and no page, brought it. */
  readonly is_payer_unknown: boolean
  readonly next_check_at: string | null
  /** The id of the admin or the API key that asked for it; null where a shopper or a rule did. */
  readonly asked_by: string | null
  /** Of a payout or a transfer: why it was sent, as the admin wrote it. Null where it is not kept. */
  readonly note: string | null
}

export type OperationList = {
  readonly operations: readonly OperationSummary[]
  /** Operations on all pages, counted up to 1,000. */
  readonly count: number
  readonly limit: number
  readonly offset: number
  /** The `after` of the next page's request; null at the end, and for a list by amount. */
  readonly next: string | null
  /** The operators to filter by; several codes may have one name. */
  readonly operators: readonly {
    readonly label: string
    readonly payment_methods: readonly string[]
  }[]
  /** Sums over all pages, where asked for; null: there are too many operations to add up. */
  readonly totals?: readonly OperationTotals[] | null
}

/**
 * Sums of one currency, of money that moved, and of refunds on their way. Amounts are exact decimal
 * text in major units.
 */
export type OperationTotals = {
  readonly currency: string
  /**
   * `fees` is what the gateway took of the payments whose fees are known, `net` what it left of
   * them. `without_fees` and `amount_without_fees` are the number and the sum of the other
   * payments.
   */
  readonly payments: MovedTotal & {
    readonly fees: string
    readonly net: string
    readonly without_fees: number
    readonly amount_without_fees: string
    /** What payers paid on top of `amount`; it is part of neither `amount` nor `fees`. */
    readonly payer_fees: string
  }
  /** Payments that Medusa holds, with what was asked for: `payments` has what came in. */
  readonly recorded: MovedTotal
  readonly refunds: MovedTotal
  /** Refunds that were sent and are not known to have gone through or failed; not in the net. */
  readonly refunds_pending: MovedTotal
  /** Payments that their operators took back. */
  readonly taken_back: MovedTotal
  /** Payouts and transfers. */
  readonly sent: MovedTotal
  /**
   * Payments less fees, refunds and what operators took back; may be below zero. If the fees of some payments are not known,
   * they are still to come off: the true amount is at most this.
   */
  readonly net_after_refunds: string
}

type MovedTotal = { readonly count: number; readonly amount: string }

export type TimelineEvent = {
  readonly seq: number
  readonly name: string
  readonly state: string
  readonly code: string
  /** The code in English, with its facts. */
  readonly why: string
  /** The id of the admin who caused the event; null where no admin did. */
  readonly by: string | null
  readonly facts: Readonly<Record<string, unknown>>
  readonly at: string
}

export type ActionPossibility = {
  readonly action: ReviewAction
  readonly is_possible: boolean
  readonly why_not: { readonly code: NotPossible; readonly en: string } | null
}

/** The second admin who approved it, and why. Null where none was needed. */
export type ApprovalShown = {
  readonly approved_by: string
  readonly approved_at: string
  readonly answer: string | null
}

export type OperationRefund = {
  readonly id: string
  readonly state: State
  readonly progress: RefundProgress
  readonly amount: number
  readonly currency: string
  readonly reason: OperationReason | null
  readonly asked_by: string | null
  /** Why, in the words of the admin who asked for it. */
  readonly note: string | null
  readonly approval: ApprovalShown | null
  /** The id of Medusa's refund. */
  readonly refund_id: string | null
  readonly reference: string | null
  readonly created_at: string
}

/**
 * `on_its_way`: the gateway accepted the refund, or its end is not known yet; it is followed to its
 * end.
 */
export type RefundProgress = "on_its_way" | "returned" | "failed" | "under_review"

/** The payer, as Medusa has it now. */
export type Contact = {
  /** The id of Medusa's customer. */
  readonly customer_id: string | null
  readonly name: string | null
  readonly email: string | null
  readonly order_number: string | null
}

export type OperationDetail = OperationSummary & {
  readonly approval: ApprovalShown | null
  /** Null where Medusa has neither a cart nor an order of the payment. */
  readonly contact: Contact | null
  readonly lines: readonly {
    readonly name: string
    readonly quantity: number
    readonly amount: number
  }[]
  readonly source_type: SourceType
  readonly source_id: number | null
  readonly source_status: string | null
  readonly fee_bearer: string | null
  readonly payment_intent_id: number | null
  /** The merchant portal's page of transactions, as the account names it; https alone. */
  readonly portal_url: string | null
  readonly gateway_session_id: number | null
  /** The last messages of the gateway and the wallet. */
  readonly messages: Readonly<Record<string, unknown>>
  readonly refund_id: string | null
  readonly checks: number
  readonly expires_at: string
  readonly submitted_at: string | null
  readonly updated_at: string
  readonly events: readonly TimelineEvent[]
  readonly refunds: readonly OperationRefund[]
  readonly actions: readonly ActionPossibility[]
  /**
   * What an admin can decide about a customer's payment in review; null: it waits for no decision.
   */
  readonly decision: DecisionOffered | null
  /** Second orders of this purchase that nobody pays, and that an admin can cancel now. */
  readonly stray_orders: readonly { readonly order_id: string; readonly order_number: string }[]
}

export type DecisionOffered = {
  /** The payment's order, or the order that another payment of its cart has made. */
  readonly order_id: string | null
  readonly order_number: string | null
  readonly order_state: OrderState
  /** The id of another payment of the same cart or order. */
  readonly other_payment_id: string | null
  /**
   * The decisions that are possible now or as soon as there is stock; the recommended one, if any,
   * first.
   */
  readonly choices: readonly {
    readonly action: Decision
    readonly recommended: boolean
    /** Why it is not possible yet; null: it is possible. */
    readonly disabled: {
      readonly code: NotPossible
      readonly facts: Facts
      readonly en: string
    } | null
    /** The key under `review.consequence` in the admin's dictionaries. */
    readonly consequence: string
  }[]
}

/** What the gateway says at this moment. */
export type GatewayReading = {
  /**
   * `unanswered`: the gateway did not answer now · `not_asked`: there is nothing to ask, or no
   * credentials.
   */
  readonly kind: "reads" | "unanswered" | "not_asked"
  readonly execution: string | null
  readonly source: string | null
  readonly amount: number | null
  /** What a refund would give back: no more than was taken. */
  readonly taken_amount: number | null
  readonly currency: string | null
}

export type OperationResponse = {
  readonly operation: OperationDetail
  /** The gateway's answer; null where the gateway was not to be asked. */
  readonly gateway: GatewayReading | null
}

export type OrderPaymentsResponse = {
  readonly order_id: string
  readonly operations: readonly (OperationSummary & {
    readonly refunds: readonly OperationRefund[]
    /**
     * How long this shop's own refunds took: nine in ten of the last `of` arrived within
     * `within_ms`. Null: none is on its way, or too few have arrived. The gateway itself names no
     * time.
     */
    readonly refund_times: { readonly within_ms: number; readonly of: number } | null
    /** The prompt's state, as STATUS gives it to the shopper; null where no prompt is under way. */
    readonly prompt: "sending" | "sent" | null
    /** The path where the admin reads the payment's receipt; null while there is none. */
    readonly receipt_path: string | null
  })[]
}
