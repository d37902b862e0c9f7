/** A payment of one of our providers as Medusa holds it. Amounts as it has them, unrounded. */
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
}
