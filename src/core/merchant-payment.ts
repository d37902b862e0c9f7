/**
 * A payment as the shop's own code reads it, through `query.graph` or `findPayments`: what a line of
 * the admin's list shows, without the customer. The fields are a public interface;
 * docs/shop-code.md lists them. Amounts are numbers in major units, currencies upper case, times
 * ISO 8601 in UTC; absent is null.
 */
import type { Figures } from "./figures"
import type { Flow, State } from "./operation"

export type OperationReason = {
  readonly code: string
  /** What the gateway wrote, where the code is `unknown`; null: nothing, or the code says it. */
  readonly said: string | null
  /** The code in English, and what to do. */
  readonly en: string
}

/** `stray_order`: Medusa made a second order for the purchase, which nobody pays. */
type Attention = "review" | "contradicted" | "refund_failed" | "order_canceled" | "stray_order"

export type MerchantPayment = {
  readonly id: string
  readonly state: State
  /** Why the payment is listed for an admin; null: it is not. */
  readonly attention: Attention | null
  readonly reason: OperationReason | null
  /** Whether the money came beside another payment of the same cart or order. */
  readonly is_duplicate: boolean
  readonly flow: Flow
  readonly account_id: string
  readonly provider_id: string
  readonly payment_collection_id: string
  readonly payment_session_id: string
  readonly cart_id: string | null
  readonly order_id: string | null
  /** The order's number as people write it, without `#`. */
  readonly order_number: string | null
  readonly amount: number
  readonly currency: string
  readonly collected_amount: number | null
  /** The part of the collected amount that the gateway said went back. */
  readonly refunded_amount: number
  /** The amount that is on its way back, or whose end is not known. */
  readonly refund_pending_amount: number
  /** What the payment was worth to each side, as far as the gateway has said. */
  readonly figures: Figures
  readonly operator: {
    readonly payment_method: string
    /** The operator's name; null where it is not known. */
    readonly label: string | null
    readonly carrier: string | null
  } | null
  /** The last three digits of the phone number. */
  readonly phone_hint: string | null
  readonly reference: string | null
  readonly provider_transaction_id: string | null
  readonly source_number: string | null
  readonly created_at: string
  readonly checked_at: string | null
  /** When the gateway first confirmed the money, whatever an admin decided about it later. */
  readonly money_at: string | null
  readonly recorded_at: string | null
  readonly returned_at: string | null
  /** When its operator took the recorded money back. */
  readonly taken_back_at: string | null
  readonly dismissed_at: string | null
}

type OneOrMore<T> = T | readonly T[] | { readonly $eq: T } | { readonly $in: readonly T[] }
type Moment = Date | string

/** The filters of payments. All that are given have to match. */
export type MerchantPaymentFilters = {
  readonly id?: OneOrMore<string>
  readonly order_id?: OneOrMore<string>
  readonly cart_id?: OneOrMore<string>
  readonly payment_collection_id?: OneOrMore<string>
  readonly payment_session_id?: OneOrMore<string>
  readonly state?: OneOrMore<MerchantPayment["state"]>
  readonly flow?: OneOrMore<MerchantPayment["flow"]>
  readonly account_id?: string
  /** In upper case. */
  readonly currency?: string
  readonly reference?: string
  /** `$gte` includes the moment, `$lt` does not. */
  readonly created_at?: { readonly $gte?: Moment; readonly $lt?: Moment }
}

/** The page of a list. Without one it has the newest 15. */
export type MerchantPaymentPage = {
  /** How many at most; null: all. */
  readonly take?: number | null
  readonly skip?: number
  readonly order?:
    | { readonly created_at: "ASC" | "DESC" }
    /** By currency first, then by amount. */
    | { readonly amount: "ASC" | "DESC" }
}

/** The names under which `query.graph` knows payments. */
export const PAYMENT_ALIASES = ["merchant_payment", "merchant_payments"] as const

type GraphTypes<T> = Readonly<Record<keyof T, string>>

const PAYMENT: GraphTypes<MerchantPayment> = {
  id: "ID!",
  state: "String!",
  attention: "String",
  reason: "MerchantPaymentReason",
  is_duplicate: "Boolean!",
  flow: "String!",
  account_id: "String!",
  provider_id: "String!",
  payment_collection_id: "String!",
  payment_session_id: "String!",
  cart_id: "String",
  order_id: "String",
  order_number: "String",
  amount: "Float!",
  currency: "String!",
  collected_amount: "Float",
  refunded_amount: "Float!",
  refund_pending_amount: "Float!",
  figures: "MerchantPaymentFigures!",
  operator: "MerchantPaymentOperator",
  phone_hint: "String",
  reference: "String",
  provider_transaction_id: "String",
  source_number: "String",
  created_at: "DateTime!",
  checked_at: "DateTime",
  money_at: "DateTime",
  recorded_at: "DateTime",
  returned_at: "DateTime",
  taken_back_at: "DateTime",
  dismissed_at: "DateTime",
}

const REASON: GraphTypes<OperationReason> = { code: "String!", said: "String", en: "String!" }

const OPERATOR: GraphTypes<NonNullable<MerchantPayment["operator"]>> = {
  payment_method: "String!",
  label: "String",
  carrier: "String",
}

const FIGURES: GraphTypes<Figures> = {
  currency: "String!",
  gross: "Float",
  fee: "Float",
  net: "Float",
  fee_bearer: "String",
  platform_fee: "Float",
  gateway_fee: "Float",
  fx_fee: "Float",
  payer_amount: "Float",
  payer_currency: "String",
  quoted_payer_amount: "Float",
  payee_amount: "Float",
  payee_currency: "String",
  exchange_rate: "Float",
  exchange_from: "String",
  exchange_to: "String",
  expected_payer_amount: "Float",
  expected_payee_amount: "Float",
}

export const MERCHANT_PAYMENT_FIELDS = Object.keys(PAYMENT) as readonly (keyof MerchantPayment)[]

const graphType = (name: string, fields: Readonly<Record<string, string>>) =>
  `type ${name} {\n${Object.entries(fields)
    .map(([field, type]) => `  ${field}: ${type}`)
    .join("\n")}\n}`

/** The fields in GraphQL, from which Medusa generates the types of a shop's `query.graph`. */
export const MERCHANT_PAYMENT_GRAPH = [
  "scalar DateTime",
  graphType("MerchantPayment", PAYMENT),
  graphType("MerchantPaymentReason", REASON),
  graphType("MerchantPaymentOperator", OPERATOR),
  graphType("MerchantPaymentFigures", FIGURES),
].join("\n\n")
