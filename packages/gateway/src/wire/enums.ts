import { OPERATORS } from "../terms/markets"
import type { StateWord } from "../terms/texts"

/**
 * The contract's closed lists of values, under the contract's names. A request must use a listed
 * value. An answer may have any value, because the gateway may know more of them (contract, 16).
 *
 * Payment methods and providers differ from account to account, so these two lists are open in
 * requests as well: send what a prediction returned.
 */
export const ENUMS = {
  DocumentStatus: ["IDLE", "ACTIVE", "PROCESSING", "PAID", "CANCELED"],
  FeeBearer: ["PAYER", "PAYEE"],
  MerchantType: ["MICRO_ORGANIZATION", "ORGANIZATION"],
  OperationType: ["COLLECTION", "PAYOUT", "TRANSFER", "REFUND"],
  OwnerType: ["USER", "MICRO_ORGANIZATION", "ORGANIZATION"],
  PaymentMethod: [...OPERATORS.map(({ method }) => method), "CREDIT_CARD", "WALLET"],
  Provider: ["MOBILE_MONEY_GATEWAY", "CARD_PROCESSOR", "PLATFORM"],
  RelationshipType: [
    "CUSTOMER",
    "SUPPLIER",
    "EMPLOYEE",
    "FRIEND",
    "FAMILY",
    "DONOR",
    "DONEE",
    "CONTACT",
    "SERVICE_PROVIDER",
    "PARTNER",
    "BENEFICIARY",
    "SELF",
  ],
  SourceType: ["INVOICE", "ORDER"],
  WalletStatus: ["ACTIVE", "RESTRICTED", "FROZEN", "CLOSED"],
} as const

type Value<Name extends keyof typeof ENUMS> = (typeof ENUMS)[Name][number]
type Open<Known extends string> = Known | (string & {})

/** Who pays the fees: `PAYER` on top of the total, `PAYEE` out of the total (contract, 8). */
export type FeeBearer = Value<"FeeBearer">
export type MerchantType = Value<"MerchantType">
export type OperationType = Value<"OperationType">
export type OwnerType = Value<"OwnerType">
/** How the party relates to the merchant. */
export type RelationshipType = Value<"RelationshipType">
/**
 * Invoice or order: `source_kind` in checkouts/create, `source_type` everywhere else on the wire.
 */
export type SourceType = Value<"SourceType">

/** State of an invoice or order. Open: treat an unknown value as in flight. */
export type DocumentStatus = Value<"DocumentStatus"> | StateWord
/** A state that a list can be filtered by. */
export type KnownDocumentStatus = Value<"DocumentStatus">
/** A way to pay, such as a mobile money operator. Open: predictions return the live values. */
export type PaymentMethod = Open<Value<"PaymentMethod">>
/** The processor behind a payment method. Open: predictions return the live values. */
export type Provider = Open<Value<"Provider">>
/**
 * State of a wallet. No operation returns it. The gateway refuses payouts and refunds of a wallet
 * that is not `ACTIVE`.
 */
export type WalletStatus = Open<Value<"WalletStatus">>
