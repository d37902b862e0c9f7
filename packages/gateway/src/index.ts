/**
 * The typed client of the Merchant Payments API. It knows HTTP, tokens and the wire, but neither
 * Medusa nor a database. All public names are exported here and by the files of `terms`; the other
 * files of this folder are private.
 */
export type { CallOptions, CallReport, NewForm } from "./call"
export type { Gateway, GatewayOptions } from "./create-gateway"
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
export type { HarmlessAbout, HarmlessQuestion, Lesson } from "./lessons"
export { endingOf, HARMLESS_QUESTIONS, intentField, numberForm, wordSaid } from "./lessons"
export type { Effect, OperationName, OperationSpec } from "./operations"
export { OPERATIONS } from "./operations"
export { isProduction, parseBaseUrl } from "./base-url"
export type { PlainTexts } from "./plain-text"
export { mayBeOfText } from "./plain-text"
export { cleaned, exact, redact, stateWord } from "./redact"
export type { SharedToken, TokenClaim, TokenStore } from "./token-store"
export { paymentIntentIn, paymentIntentsIn } from "./wire/payment-intent"
export type { CurrencyCode, Money } from "./terms/money"
export { majorText, moneyFromMajor, parseCurrency, sameMoney } from "./terms/money"
export type { Amount, Currency, MajorAmount } from "./wire/amounts"
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
export type { ExecutionStatus, Figure, Wire } from "./wire/reading"
export type { FormKind } from "./wire/unusual"
export type { CheckoutItem, CheckoutSource, CreateCheckoutRequest } from "./wire/sources/checkouts"
export type {
  Counterparty,
  CounterpartyDetail,
  CounterpartyRecord,
  CounterpartyWithParty,
  CreateCounterpartyRequest,
  ListCounterpartiesRequest,
  UpdateCounterpartyRequest,
} from "./wire/counterparties"
export type { SourceCalls, ListSourcesRequest } from "./wire/sources/source-calls"
export type { ReadList, TakeBatch } from "./stream/list-body"
export type {
  AddItemRequest,
  SourceItem,
  SourceItems,
  ItemResponse,
  RemovedItem,
  UpdateItemRequest,
} from "./wire/sources/source-items"
export type { SourceResponse, SourceDetail, SourceRecord } from "./wire/sources/source-fields"
export type { Execution } from "./wire/execution"
export type {
  ExecuteCollectionRequest,
  ExecutePayoutRequest,
  ExecuteRefundRequest,
  ExecuteTransferRequest,
  PayoutPasscode,
} from "./wire/executions"
export type {
  FeeTier,
  FeeTierRecord,
  GatewayFee,
  GatewayFeesRequest,
  MerchantTier,
  MerchantTierRequest,
  PlatformFee,
  PlatformFeesRequest,
} from "./wire/fees"
export type { MerchantInfo, MerchantInfoRequest } from "./wire/merchants"
export type {
  CreateInvoiceRequest,
  Invoice,
  InvoiceResponse,
  Invoices,
  InvoiceDetail,
  UpdateInvoiceRequest,
} from "./wire/sources/invoices"
export type { Link, LinkRequest } from "./wire/sources/links"
export type {
  CreateOrderRequest,
  Order,
  OrderDetail,
  Orders,
  UpdateOrderRequest,
} from "./wire/sources/orders"
export type { CreatePartyRequest, ListPartiesRequest, Party, PartyRecord } from "./wire/parties"
export type { CreatePaymentAccountRequest, PaymentAccount } from "./wire/payment-accounts"
export type {
  AmountAndFees,
  AmountAndFeesRequest,
  CardProviderInfo,
  CardProviderInfoRequest,
  MmoProviderInfo,
  MmoProviderInfoRequest,
  SourceAmountAndFeesRequest,
} from "./wire/predictions"
export { eventChannel, type RealtimeChannel } from "./realtime-channel"
export type { CreateRealtimeKeyRequest, RealtimeKey } from "./wire/realtime-keys"
export type { Receipt, ReceiptItem } from "./wire/receipts"
export type {
  CheckoutSession,
  CreateCheckoutSessionRequest,
  CreatePayoutSessionRequest,
  CreateRefundSessionRequest,
  CreateTransferSessionRequest,
  PayoutSession,
  RefundSession,
  SessionStatus,
  TransferSession,
} from "./wire/sessions"
export type { SourceStatus, SourceStatusRequest } from "./wire/status"
