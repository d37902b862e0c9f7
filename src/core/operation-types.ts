/** What kinds of operations there are, and how a payment can be made. */

export const OPERATION_TYPES = ["COLLECTION", "REFUND", "PAYOUT", "TRANSFER"] as const
export type OperationType = (typeof OPERATION_TYPES)[number]
export const PAYOUT_TYPES = ["PAYOUT", "TRANSFER"] as const satisfies readonly OperationType[]
export const FLOW_NAMES = ["push", "hosted", "card", "link"] as const
export type Flow = (typeof FLOW_NAMES)[number]
export const SOURCE_TYPES = ["ORDER", "INVOICE"] as const
export type SourceType = (typeof SOURCE_TYPES)[number]
/** Who pays the gateway's fees: the shopper on top of the total, or the shop out of it. */
export const FEE_BEARERS = ["PAYER", "PAYEE"] as const
export type FeeBearer = (typeof FEE_BEARERS)[number]
