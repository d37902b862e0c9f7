/**
 * The ids that can be mistaken for one another, each as a type of its own: those of the gateway,
 * which its client declares, and those of the plugin and of Medusa. To the compiler a plain text is
 * no id, and a cart's id is no order's. At runtime they are plain texts and numbers.
 *
 * An id is made where it comes in: a row of the database, a route, Medusa or the wire. Everywhere
 * else it is passed on. `integration-tests/modules/house/house.spec.ts` keeps the list of those places.
 */
import type { TextId } from "../../packages/gateway/src/terms/ids"

export * from "../../packages/gateway/src/terms/ids"

/** The ledger's id of an operation. A payment, its refunds and payouts are operations. */
export type OperationId = TextId<"operation">
/** Names the worker that holds an operation. */
export type LeaseToken = TextId<"lease">
export type AccountId = TextId<"account">
export type CredentialId = TextId<"credential">

export type AdminId = TextId<"admin">
export type CartId = TextId<"cart">
export type CustomerId = TextId<"customer">
export type OrderId = TextId<"order">
/** What a cart or an order asks to be paid. It holds sessions and their payments. */
export type PaymentCollectionId = TextId<"payment collection">
export type PaymentSessionId = TextId<"payment session">
/** Of what Medusa holds of a session's money; never an operation. */
export type MedusaPaymentId = TextId<"Medusa's payment">
/** Of the row that Medusa makes for a refund before it asks a provider. */
export type MedusaRefundId = TextId<"Medusa's refund">
