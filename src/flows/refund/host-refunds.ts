/** What a refund needs to know of Medusa's own books, as a port; read by SQL, never written here. */

/** Medusa makes the row before it asks the provider, and deletes it where the answer is no. */
export type HostRefund = {
  readonly id: string
  readonly sessionId: string
  readonly providerId: string
  /** In major units, not rounded. */
  readonly amount: string
  /** What was captured of its payment, in major units, not rounded. */
  readonly capturedAmount: string
  /** The id of a person, the job's mark, or nothing. */
  readonly createdBy: string | null
  /** Its payment collection belongs to an order. */
  readonly hasOrder: boolean
  /** How long ago Medusa made it. */
  readonly ageMs: number
  /**
   * A row made before it, of the same payment, is not in the order's transactions yet. Medusa's workflow
   * writes a transaction for every row that has none, of the amount that it was itself asked for: of two
   * at once the order would show the wrong sums for ever.
   */
  readonly isBehind: boolean
}

/** A payment that stands in an order, with what cancelling the order would give back of it. */
export type HostPaid = {
  readonly sessionId: string
  readonly capturedAmount: string
  /** Captured and not refunded by Medusa's rows, never below 0. */
  readonly leftAmount: string
}

export type HostRefunds = {
  refund(id: string): Promise<HostRefund | undefined>
  /** Those of the ids that Medusa has a row of, not deleted. */
  shown(ids: readonly string[]): Promise<ReadonlySet<string>>
  /** Ours alone. */
  paidOfOrder(orderId: string): Promise<readonly HostPaid[]>
}
