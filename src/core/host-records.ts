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
  /** By the order's own sum the customer still owes something, or is owed. */
  readonly isOrderOpen: boolean
}

/** A refund row of the payment, also one that was removed. */
export type HostRow = {
  readonly id: string
  /** In major units, not rounded. */
  readonly amount: string
  /** An admin's id, the job's mark, or nothing. */
  readonly createdBy: string | null
  readonly ageMs: number
  readonly isRemoved: boolean
}

/** A transaction of an order that gives money back, removed or not. */
export type HostTransaction = {
  readonly id: string
  /** The refund row that it is of; cancelling an order names the payment instead. */
  readonly referenceId: string
  /**
   * The payment that it names, or whose row it names; this one where that row is deleted for good
   * and all payments of the order are ours. Null: another provider may know.
   */
  readonly paymentId: string | null
  /** Positive, in major units. */
  readonly amount: string
  /** Of the order when it was written. */
  readonly version: number
  readonly ageMs: number
  readonly isRemoved: boolean
}

/** A credit line as it was first written; each later version of the order copies it. */
export type HostCreditLine = {
  /** All its copies. */
  readonly ids: readonly string[]
  /** The refund row, where the job wrote it; Medusa's own name none. */
  readonly referenceId: string | null
  readonly amount: string
  /** The version of the order that it made. */
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
    /** Its sums are those of its transactions and credit lines. */
    readonly isCounted: boolean
  } | null
  /** The payment collection's sum is that of its rows, and it is closed where its order is. */
  readonly isCollectionCounted: boolean
  readonly rows: readonly HostRow[]
  /** Of the order, also those of its other payments, by the order in which they were written. */
  readonly transactions: readonly HostTransaction[]
  readonly creditLines: readonly HostCreditLine[]
}
