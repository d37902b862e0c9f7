/**
 * The typed client of the Merchant Payments API. Knows HTTP, tokens and the wire; knows neither Medusa
 * nor a database. Everything a caller sees is here; the other files of this folder are its inside.
 */
export type { CallOptions } from "./call-options"
export type { CallReport, Gateway, GatewayOptions } from "./gateway"
export type { DocumentActs } from "./resources/documents"
export { createGateway } from "./create-gateway"
export type { FieldProblem, GatewayErrorCode, Reason } from "./errors"
export {
  Forbidden,
  GatewayError,
  Indeterminate,
  Invalid,
  InvalidConfiguration,
  NotFound,
  RateLimited,
  Unauthenticated,
  Unavailable,
  Unreachable,
} from "./errors"
export type { Failure, GatewayRefusal, NotSent, Outcome, Unknown } from "./outcome"
export type { Effect, OperationName, OperationSpec } from "./operations"
export { OPERATIONS } from "./operations"
export { parseBaseUrl } from "./base-url"
export { redact } from "./redact"
export type {
  DocumentStatus,
  FeeBearer,
  MerchantType,
  OperationType,
  OwnerType,
  PaymentMethod,
  Provider,
  RelationshipType,
  SourceType,
  WalletStatus,
} from "./wire/enums"
export type { ExecutionStatus, Figure, Wire } from "./wire/fields"
export type { CheckoutItem, CheckoutSource, CreateCheckoutRequest } from "./wire/checkouts"
export type { DocumentAnswer } from "./wire/documents"
export type { ExecuteCollectionRequest, Execution } from "./wire/executions"
export type { CreatePaymentAccountRequest, PaymentAccount } from "./wire/payment-accounts"
export type { MmoProviderInfo, MmoProviderInfoRequest } from "./wire/predictions"
export type { CheckoutSession, CreateCheckoutSessionRequest, SessionStatus } from "./wire/sessions"
export type { SourceStatus, SourceStatusRequest } from "./wire/status"
