/** Types that records of every kind use. */
export type SourceType = "INVOICE" | "ORDER"
export type FeeBearer = "PAYER" | "PAYEE"
export type Provider = "MOBILE_MONEY_GATEWAY" | "CARD_PROCESSOR" | "PLATFORM"
export type OperationType = "COLLECTION" | "PAYOUT" | "TRANSFER" | "REFUND"

/** Every record belongs to one merchant, the owner of the credentials that made it. */
export type Owned = { ownerId: number; createdAtMs: number }
