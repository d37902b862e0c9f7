/**
 * The columns of `mp_operation` that make an operation. Each has one entry, which says how its value
 * is read, and what may be written into it after the insert; the types and the ledger's SQL come from
 * here. A new column is an entry and a migration. Columns that only one statement reads have none.
 */
import type {
  AccountId,
  CartId,
  CounterpartyId,
  CredentialId,
  GatewaySessionId,
  LeaseToken,
  MedusaRefundId,
  OperationId,
  OrderId,
  PartyId,
  PaymentAccountId,
  PaymentCollectionId,
  PaymentIntentId,
  PaymentSessionId,
  Reference,
  SourceId,
  WalletId,
} from "./ids"
import { parseCurrency, type CurrencyCode, type Money } from "./money"
import type {
  EndReason,
  FeeBearer,
  Fees,
  Flow,
  Line,
  OperationType,
  Sending,
  SourceType,
  State,
} from "./operation-types"
import type { CleanText, DecimalText, ExactText, SourceWord, WebAddress } from "./said/texts"
import type { Output } from "./schemas/shapes"
import {
  readAs,
  sealed,
  storedFees,
  storedLines,
  type Sealed,
  type storedMessages,
} from "./schemas/stored"
import { storable, storableJson } from "./storable"

/** The field's value; undefined: the column's can't be read. `currency` is the row's. */
type Reader<Value> = (value: unknown, currency: CurrencyCode) => Value | undefined

/** `Change` is what a change takes; never: the field stays, or has a statement of its own. */
export type Column<Value, Change = never> = {
  readonly read: Reader<Value>
  /** Left out: the field's name in snake case. */
  readonly column?: string
  /** What a statement binds. Left out: the value as it is, storable. */
  readonly write?: (change: Change) => unknown
  /** As a change `true` sets the database's now, and `false` clears it. */
  readonly isMoment?: true
}

function orNull<Value>(read: Reader<Value>): Reader<Value | null> {
  return (value, currency) => (value === null || value === undefined ? null : read(value, currency))
}

export const readText = (value: unknown) => (typeof value === "string" ? value : undefined)

/** The table's constraints, or whoever wrote the column, let no text in but of this type. */
function text<Value extends string, Change = never>() {
  return { read: readText } as Column<Value, Change>
}

function textOrNull<Value extends string, Change = never>() {
  return { read: orNull(readText) } as Column<Value | null, Change>
}

/** A payout or transfer has no source, and no type of one. */
const sourceType = {
  read: (value) => readText(value ?? "ORDER"),
} as Column<SourceType>

function readWhole(value: unknown): number | undefined {
  const whole = Number(value)
  return Number.isSafeInteger(whole) ? whole : undefined
}

function numberOrNull<Value extends number, Change = never>() {
  return { read: orNull(readWhole) } as Column<Value | null, Change>
}

const count: Column<number, number> = { read: readWhole }
const flag: Column<boolean, boolean> = { read: (value) => value === true }

/**
 * The driver's parsers are shared by the whole store. Other code may make them turn `bigint` into
 * numbers or leave moments as text, and no payment could be read any more. So both are accepted.
 */
function readMinor(value: unknown): bigint | undefined {
  const isText = typeof value === "string" && /^-?\d+$/.test(value)
  const isWhole = typeof value === "bigint" || Number.isSafeInteger(value) || isText
  return isWhole ? BigInt(value as bigint | number | string) : undefined
}

function readMoney(value: unknown, currency: CurrencyCode): Money | undefined {
  const minor = readMinor(value)
  return minor === undefined ? undefined : { minor, currency }
}

function readMoment(value: unknown): Date | undefined {
  const moment = typeof value === "string" ? new Date(value) : value
  return moment instanceof Date && !Number.isNaN(moment.getTime()) ? moment : undefined
}

const moment = { read: readMoment }
const momentOrNull = { read: orNull(readMoment) }
const stamp: Column<Date | null, boolean> = { ...momentOrNull, isMoment: true }
const currency: Column<CurrencyCode | null, CurrencyCode> = {
  read: (value) => parseCurrency(value) ?? null,
}

const lines: Column<readonly Line[], readonly Line[]> = {
  read: (value, currency) =>
    readAs(storedLines, value)?.map(({ minor, ...line }) => ({
      ...line,
      amount: { minor, currency },
    })),
  write: (given) =>
    storableJson(
      given.map(({ name, quantity, amount }) => ({
        name,
        quantity,
        minor: amount.minor.toString(),
      })),
    ),
}

const cardSecret: Column<Sealed | null, Sealed | null> = {
  read: (value) => readAs(sealed, value) ?? null,
}

/** A column that no parser of operations reads. */
function written<Change>(write?: (change: Change) => unknown): Column<unknown, Change> {
  return { read: (value) => value, ...(write && { write }) }
}

type SaidFees = {
  readonly platform?: DecimalText | null
  readonly gateway?: DecimalText | null
  readonly fx?: DecimalText | null
  readonly currency?: CurrencyCode | null
}
/** As a change has written them; only shown to people, never compared. */
const fees: Column<Fees | null, SaidFees> = {
  read: (value) => readAs(storedFees, value),
}

/** The fields of {@link Operation}. */
export const COLUMNS = {
  id: text<OperationId>(),
  type: text<OperationType>(),
  state: text<State>(),
  isDuplicate: flag,
  flow: text<Flow>(),
  accountId: text<AccountId>(),
  /** The credential that made it; null until `start` makes something at the gateway. */
  credentialId: textOrNull<CredentialId, CredentialId>(),
  /** As the two ids below, null for payouts and transfers: Medusa has no part in them. */
  providerId: textOrNull<string>(),
  paymentCollectionId: textOrNull<PaymentCollectionId>(),
  paymentSessionId: textOrNull<PaymentSessionId>(),
  cartId: textOrNull<CartId, CartId | null>(),
  orderId: textOrNull<OrderId, OrderId | null>(),
  amount: { read: readMoney, column: "amount_minor" },
  collected: { read: orNull(readMoney), column: "collected_minor" },
  /** Refunds done, in flight or unclear, in the smallest unit: these can't be given back again. */
  reservedRefundMinor: { read: readMinor },
  /** The part of `reservedRefundMinor` of which the gateway said COMPLETED. */
  refundedMinor: { read: readMinor },
  /** Of a refund: the collection whose money goes back. */
  parentId: textOrNull<OperationId>(),
  /** Of a refund that Medusa asked for: Medusa's id of the refund, under which it is made once. */
  medusaRefundId: textOrNull<MedusaRefundId, MedusaRefundId>(),
  /** Of a refund: the amount that was asked for, in major units and not rounded. */
  medusaAmount: textOrNull<string>(),
  /** Who asked for money to go back or out: `medusa`, a policy, `unknown` or an admin's id. */
  askedBy: textOrNull<string>(),
  /** The gateway's id of a collection, needed for its refund; most answers lack it. */
  paymentIntentId: numberOrNull<PaymentIntentId, PaymentIntentId | null>(),
  lines,
  sourceType,
  /** Set: the source is made document first, with this bearer. Null: by `checkouts/create`. */
  feeBearer: textOrNull<FeeBearer, FeeBearer | null>(),
  sourceId: numberOrNull<SourceId, SourceId>(),
  sourceNumber: textOrNull<string, ExactText>(),
  sourceStatus: textOrNull<string, SourceWord>(),
  partyId: numberOrNull<PartyId, PartyId>(),
  gatewaySessionId: numberOrNull<GatewaySessionId, GatewaySessionId>(),
  paymentAccountId: numberOrNull<PaymentAccountId, PaymentAccountId>(),
  paymentMethod: textOrNull<string, ExactText>(),
  carrier: textOrNull<string, CleanText | null>(),
  payerCurrency: currency,
  payerAmount: textOrNull<string, DecimalText | null>(),
  /** What the payer was shown before paying, in `payerCurrency`; `start` has confirmed it. */
  quotedPayerAmount: textOrNull<string, number | null>(),
  /** What the merchant gets; as fees and exchange, it is stored and shown, never compared. */
  payeeAmount: textOrNull<string, DecimalText | null>(),
  payeeCurrency: currency,
  fees,
  /** One `exchangeFrom` bought `exchangeRate` of `exchangeTo`, as the receipt has it, each digit. */
  exchangeRate: textOrNull<string, DecimalText>(),
  exchangeFrom: textOrNull<string, CurrencyCode>(),
  exchangeTo: textOrNull<string, CurrencyCode>(),
  /** The reference that `submit` will commit. Made with the draft, so that no other goes out. */
  draftReference: text<Reference>(),
  /** Null until `submit` is committed: as far as the ledger knows, nothing was sent before. */
  reference: textOrNull<Reference, Reference>(),
  /** Card: the secret with which the browser authenticates the shopper; gone after the payment. */
  cardSecret,
  hostedUrl: textOrNull<string, WebAddress>(),
  returnToken: textOrNull<string>(),
  successUrl: textOrNull<string, string | null>(),
  cancelUrl: textOrNull<string, string | null>(),
  phoneHint: textOrNull<string, string | null>(),
  /**
   * Money came on the prompt's source, and no answer says that this prompt brought it. `true` puts
   * away whom the prompt went to, `false` brings it back: the prompt has paid.
   */
  isPayerUnknown: {
    ...flag,
    read: (value: unknown) => (value ?? null) !== null,
    column: "prompted_payer",
  },
  expiresAt: moment,
  /** When the order that waits for this money is closed, if it is not paid. Never moved. */
  windowEndsAt: momentOrNull,
  /** When the order was cancelled, or left to an admin, because `windowEndsAt` had passed. */
  windowDoneAt: stamp,
  reason: textOrNull<string, string | null>(),
  waiting: flag,
  waitingAt: stamp,
  sendings: count,
  lastSentAt: stamp,
  lastSending: textOrNull<Sending, string>(),
  absentAt: stamp,
  failedAt: stamp,
  /** Since when the gateway's answers do not fit together, or its source can't be read. */
  contradictedAt: stamp,
  /** Since when the source reads paid in another way than by the execution, which reads FAILED. */
  paidOtherwiseAt: stamp,
  closing: textOrNull<EndReason, string | null>(),
  settleAttempts: count,
  checks: count,
  checkedAt: stamp,
  nextCheckAt: momentOrNull,
  leaseToken: textOrNull<LeaseToken>(),
  leaseUntil: momentOrNull,
  recordedAt: stamp,
  returnedAt: stamp,
  /** When the ledger first had proof that the money moved, whatever was decided about it later. */
  moneyAt: momentOrNull,
  /** When the gateway said twice that the operator took the recorded money back. */
  takenBackAt: stamp,
  /** Of a refund that Medusa asked for: when Medusa got the answer that the money is on its way. */
  answeredAt: stamp,
  /** Of a refund that failed after that answer: when Medusa's records were put right again. */
  undoneAt: stamp,
  /** W3C `traceparent` of what has sent it; null: nothing was sent, or a version before did. */
  traceParent: textOrNull<string, string>(),
  version: { read: readWhole },
  createdAt: moment,
  submittedAt: stamp,
  /** The database's clock at the moment the row was read: what every age is measured against. */
  readAt: moment,
}

/** What a row has beside its operation's fields: no flow decides by it. */
export const BESIDE = {
  /** The caller's key of a payout or transfer; each key stands for one movement of money. */
  idempotencyKey: text<string>(),
  /** Payout: the recipient's name, as the admin wrote it. Null for a transfer. */
  recipientName: textOrNull<string>(),
  /** The id of the wallet that is debited; for a payout known only once its session is open. */
  walletId: numberOrNull<WalletId, WalletId>(),
  /** Transfer: the counterparty that gets the money. Null for a payout. */
  counterpartyId: numberOrNull<CounterpartyId>(),
  providerTransactionId: textOrNull<string, ExactText>(),
  messages: written<Output<typeof storedMessages>>(),
  customerName: textOrNull<string, string | null>(),
  customerEmail: textOrNull<string, string | null>(),
  searchWords: written<readonly string[]>((words) => words.map(storable)),
  /** Of `amount` and `collected`. */
  currencyCode: written<never>(),
  amountMinor: written<never>(),
  collectedMinor: written<bigint | null>(),
  dismissedAt: stamp,
  orderCanceledAt: stamp,
  keptAt: stamp,
  receiptDueAt: stamp,
  /** Notes how long the payer took, now that the payment is confirmed. */
  confirmedAfter: { ...written<true>(), column: "confirmed_after_ms" },
}

type All = typeof COLUMNS & typeof BESIDE
type ValueOf<Entry> = Entry extends Column<infer Value> ? Value : never
type ChangeOf<Entry> = Entry extends { write?: (change: infer Change) => unknown } ? Change : never
type Changed<Field extends keyof All> = ChangeOf<All[Field]> extends never ? never : Field

export type Fields = { readonly [Field in keyof All]: ValueOf<All[Field]> }

export type OperationFields = { readonly [Field in keyof typeof COLUMNS]: Fields[Field] }
type OfMedusa = "providerId" | "paymentCollectionId" | "paymentSessionId"

/** Money that comes in or goes back: constraint `a_payment_is_one_of_medusas`. */
export type MedusaOperation = OperationFields & {
  readonly type: "COLLECTION" | "REFUND"
} & { readonly [Field in OfMedusa]: NonNullable<OperationFields[Field]> }

/** Money that leaves the merchant's own wallet: no cart, order or session in Medusa knows it. */
export type MoneyOut = OperationFields & {
  readonly type: "PAYOUT" | "TRANSFER"
} & { readonly [Field in OfMedusa | "cartId" | "orderId"]: null }

/** An operation as the ledger knows it. Times are the database's; `null` means absent. */
export type Operation = MedusaOperation | MoneyOut

/** What may change besides the state. */
export type Changes = { [Field in keyof All as Changed<Field>]?: ChangeOf<All[Field]> }
