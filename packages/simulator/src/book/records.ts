/**
 * Records of the gateway, as plain JSON, so that the book can be saved as it is. A state that
 * follows from other facts (a source's, an execution's status) is not stored: rules compute it.
 */
import type { Currency } from "../money"
import type { Step } from "../rules/timeline"
import type { FeeBearer, OperationType, Owned, Provider, SourceType } from "./basics"
import type { FeeAssignment } from "./fee-records"
import type { MoneyData } from "./money-records"
import type { Session } from "./session-records"

export type { FeeBearer, OperationType, Provider, SourceType } from "./basics"

export type Party = Owned & {
  id: number
  name: string
  /** E.164 digits without `+`. Not unique: a repeated create makes a second record. */
  phone: string
  email: string | null
  /** ISO 3166-1 alpha-2. */
  countryCode: string | null
}

export type Counterparty = Owned & {
  id: number
  /** Null until a party is linked; the link is never removed. */
  partyId: number | null
  relationship: string
  updatedAtMs: number
}

export type Line = {
  id: number
  name: string
  qty: number
  /** Price of one. */
  unitMinor: number
  createdAtMs: number
  updatedAtMs: number
}

/** What `checkouts/create` adds to a document: the settings of its payment page. */
export type Checkout = {
  configId: number
  mode: string
  successUrl: string | null
  cancelUrl: string | null
  expiresAtMs: number | null
}

/** An invoice or an order: the payable source. */
export type Document = Owned & {
  id: number
  type: SourceType
  number: string
  /** The secret part of the addresses of its pages. */
  token: string
  /** The merchant's own reference; free text and not unique, unless set otherwise. */
  referenceId: string | null
  counterpartyId: number
  currency: Currency
  lines: Line[]
  note: string
  feeBearer: FeeBearer
  isPaymentLink: boolean
  dueDate: string | null
  updatedAtMs: number
  publishedAtMs: number | null
  canceledAtMs: number | null
  checkout: Checkout | null
}

export type {
  CheckoutSession,
  PayoutSession,
  RefundSession,
  Session,
  SessionType,
  TransferSession,
} from "./session-records"

export type PaymentAccount = Owned & {
  id: number
  name: string
  provider: Provider
  method: string
  operationType: OperationType
  partyId: number
  phone: string | null
  countryCode: string | null
  isActive: boolean
  /** Of a card: the token that was asked about last. */
  cardToken?: string
}

export type Execution = Owned & {
  /** The caller's UUID v4; for a payment on the hosted page, one that the simulator makes. */
  reference: string
  channel: "api" | "hosted"
  operationType: "COLLECTION"
  paymentIntentId: number
  sourceId: number
  sessionId: number | null
  accountId: number | null
  phone: string | null
  provider: Provider
  method: string
  payerMinor: number
  payerCurrency: Currency
  payeeMinor: number
  payeeCurrency: Currency
  platformFeeMinor: number
  gatewayFeeMinor: number
  feeCurrency: Currency
  fxFeeMinor: number
  /**
   * Units of the payer's currency for one of the source's; null without an exchange, absent in old
   * books.
   */
  fxRate?: string | null
  providerTransactionId: string
  /** Where the outcome comes from: `scenario 06` or `plan`. */
  origin: string
  waitsForHandset: boolean
  /** Of a card whose bank asks the shopper: what the browser is given, and what came of it. */
  challenge?: { secret: string; answer: "asked" | "passed" | "refused" }
  overstatesTotal: boolean
  steps: Step[]
  /** How many execution calls under this reference were accepted, repeats included. */
  timesCalled: number
}

export type Counters = Record<
  | "party"
  | "counterparty"
  | "document"
  | "line"
  | "checkout"
  | "session"
  | "account"
  | "paymentIntent"
  | "wallet"
  | "feeAssignment"
  | "token"
  | "random",
  number
>

/** The whole book as it is saved. */
export type BookData = {
  version: 2
  counters: Counters
  parties: Party[]
  counterparties: Counterparty[]
  documents: Document[]
  sessions: Session[]
  accounts: PaymentAccount[]
  executions: Execution[]
  /** Absent in a new book, as is `feeAssignments`. */
  money?: MoneyData
  feeAssignments?: FeeAssignment[]
}

/** Ids of different kinds start far apart, so an id of the wrong kind never matches by accident. */
export const emptyBook = (): BookData => ({
  version: 2,
  counters: {
    party: 1_000,
    counterparty: 20_000,
    document: 30_000,
    line: 400_000,
    checkout: 50_000,
    session: 60_000,
    account: 70_000,
    paymentIntent: 8_000_000,
    wallet: 90_000,
    feeAssignment: 11_000,
    token: 0,
    random: 0,
  },
  parties: [],
  counterparties: [],
  documents: [],
  sessions: [],
  accounts: [],
  executions: [],
})
