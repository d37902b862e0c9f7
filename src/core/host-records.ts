/** A payment of one of our providers as Medusa holds it. Amounts here are Medusa's, unrounded. */
export type HostPayment = {
  readonly id: string
  readonly sessionId: string
  readonly currency: string
  readonly isCaptured: boolean
  readonly isCanceled: boolean
  readonly capturedAmount: string
  readonly refundedAmount: string
  readonly orderId: string | null
  readonly isOrderCanceled: boolean
  /** By the order's own sum the customer still owes something, or is owed something. */
  readonly isOrderOpen: boolean
}

/** A refund row of a payment in Medusa, also a row that was removed. */
export type HostRow = {
  readonly id: string
  /** The refund's amount in major units, not rounded. */
  readonly amount: string
  /** Who made the row: an admin's id, the job's mark, or null. */
  readonly createdBy: string | null
  readonly ageMs: number
  readonly isRemoved: boolean
}

/** A transaction of an order that gives money back, removed or not. */
export type HostTransaction = {
  readonly id: string
  /** The id of its refund row; where Medusa cancelled the order, the payment's id. */
  readonly referenceId: string
  /**
   * The payment that the transaction names, itself or by a refund row. If that row is deleted for
   * good and all payments of the order are ours, the payment that is read. Null: it may be another
   * provider's.
   */
  readonly paymentId: string | null
  /** The money given back: positive, in major units. */
  readonly amount: string
  /** The order's version when the transaction was written. */
  readonly version: number
  readonly ageMs: number
  readonly isRemoved: boolean
}

/** A credit line as it was first written; each later version of the order copies it. */
export type HostCreditLine = {
  /** The ids of all copies. */
  readonly ids: readonly string[]
  /** The refund row for which the job wrote the line; Medusa's own lines name none. */
  readonly referenceId: string | null
  readonly amount: string
  /** The version of the order that was made with the line. */
  readonly madeVersion: number
  readonly isRemoved: boolean
}

/** What Medusa holds of one payment's refunds, all read at one moment. */
export type RefundRecords = {
  readonly paymentId: string
  readonly order: {
    readonly id: string
    readonly isCanceled: boolean
    readonly version: number
    /** What the customer still has to pay, without what comes back; never below 0. */
    readonly open: string
    /** The order's kept sums fit its transactions and credit lines. */
    readonly isCounted: boolean
  } | null
  /** The payment collection's refunded sum fits its rows, and it is cancelled if its order is. */
  readonly isCollectionCounted: boolean
  readonly rows: readonly HostRow[]
  /** All of the order, also of its other payments, in the order in which they were written. */
  readonly transactions: readonly HostTransaction[]
  readonly creditLines: readonly HostCreditLine[]
}
