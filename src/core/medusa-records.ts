/** A payment of one of our providers as Medusa holds it. Amounts here are Medusa's, unrounded. */
import type { MedusaPaymentId, MedusaRefundId, OrderId, PaymentSessionId } from "./ids"

export type MedusaPayment = {
  readonly id: MedusaPaymentId
  readonly sessionId: PaymentSessionId
  readonly currency: string
  readonly isCaptured: boolean
  readonly isCanceled: boolean
  readonly capturedAmount: string
  readonly refundedAmount: string
  readonly orderId: OrderId | null
  readonly isOrderCanceled: boolean
  /** By the order's own sum the customer still owes something, or is owed something. */
  readonly isOrderOpen: boolean
}

/** A refund row of a payment in Medusa. */
export type MedusaRow = {
  readonly id: MedusaRefundId
  /** The refund's amount in major units, not rounded. */
  readonly amount: string
  /** Who made the row: an admin's id, the job's mark, or null. */
  readonly createdBy: string | null
  readonly ageMs: number
}

/** A transaction of an order that gives money back. */
export type MedusaTransaction = {
  readonly id: string
  /** The id of its refund row; where Medusa cancelled the order, the payment's id. */
  readonly referenceId: MedusaRefundId | MedusaPaymentId
  /**
   * The payment that the transaction names, itself or by a refund row. If that row is deleted for
   * good and all payments of the order are ours, the payment that is read. Null: it may be another
   * provider's.
   */
  readonly paymentId: MedusaPaymentId | null
  /** The money given back: positive, in major units. */
  readonly amount: string
  /** The order's version when the transaction was written. */
  readonly version: number
  readonly ageMs: number
}

/** A credit line of a refund. Each version of the order copies the lines of the version before. */
export type MedusaCreditLine = {
  /** The ids of all copies. */
  readonly ids: readonly string[]
  /** The refund row for which the job wrote the line; Medusa's own lines name none. */
  readonly rowId: MedusaRefundId | null
  readonly amount: string
}

/** What Medusa holds of one payment's refunds, all read at one moment. */
export type RefundRecords = {
  readonly paymentId: MedusaPaymentId
  readonly order: {
    readonly id: OrderId
    readonly isCanceled: boolean
    readonly version: number
    /** What the customer still has to pay, without what comes back; never below 0. */
    readonly open: string
    /** The order's kept sums fit its transactions and credit lines. */
    readonly isCounted: boolean
  } | null
  /** The payment collection's refunded sum fits its rows, and it is cancelled if its order is. */
  readonly isCollectionCounted: boolean
  readonly rows: readonly MedusaRow[]
  /** All of the order, also of its other payments, in the order in which they were written. */
  readonly transactions: readonly MedusaTransaction[]
  readonly creditLines: readonly MedusaCreditLine[]
}
