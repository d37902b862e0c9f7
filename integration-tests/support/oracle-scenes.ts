/**
 * One paid cart as the oracle is shown it, all in order, and what its suites break of it: another
 * try, another document, an order that nobody paid, a refund.
 */
import { randomUUID } from "node:crypto"
import type { MoneyOutView } from "../../packages/simulator/src/book/money-out-view"
import type { DocumentView, ExecutionView } from "../../packages/simulator/src/book/view"
import type {
  Evidence,
  LedgerEvidence,
  LedgerOperation,
  MedusaEvidence,
  MedusaPayment,
} from "./evidence"

const REFERENCE = "3f1e2b8a-4c5d-4e6f-8a9b-0c1d2e3f4a5b"

export const paidExecution: ExecutionView = {
  reference: REFERENCE,
  channel: "api",
  sourceReferenceId: "mpop_1",
  sourceId: 30_001,
  sessionId: 60_001,
  accountId: 70_001,
  paymentIntentId: 8_000_001,
  phone: "231770999456",
  method: "OPERATOR1_MOMO_LBR",
  origin: "scenario 00",
  challenge: null,
  status: "COMPLETED",
  settlesAs: "COMPLETED",
  createdAtMs: 0,
  completedAtMs: 3_000,
  failedAtMs: null,
  charges: 1,
  timesCalled: 1,
  payerAmount: "19.99",
  payerCurrency: "USD",
  payeeAmount: "19.99",
  payeeCurrency: "USD",
}

export const paidDocument: DocumentView = {
  id: 30_001,
  type: "ORDER",
  number: "ORD-1",
  ownerId: 1,
  referenceId: "mpop_1",
  note: "",
  partyId: 1_001,
  partyPhone: "231770999456",
  status: "PAID",
  currency: "USD",
  totalAmount: "19.99",
  reportedAmount: "19.99",
  lines: [],
  feeBearer: "PAYEE",
  createdAtMs: 0,
  canceledAtMs: null,
  paidAtMs: 3_000,
  charges: 1,
  hostedPath: null,
}

export const recorded: LedgerOperation = {
  id: "mpop_1",
  state: "completed",
  type: "COLLECTION",
  isDuplicate: false,
  flow: "push",
  collectionId: "pay_col_1",
  sessionId: "payses_1",
  providerId: "pp_mobile-money_merchant",
  amountMinor: 1_999n,
  currency: "USD",
  collectedMinor: 1_999n,
  reservedRefundMinor: 0n,
  refundedMinor: 0n,
  parentId: null,
  sourceId: 30_001,
  reference: REFERENCE,
  isSubmitted: true,
  isRecorded: true,
  isReturned: false,
  dueInSeconds: null,
  version: 4,
}

export const openDocument: DocumentView = {
  ...paidDocument,
  status: "ACTIVE",
  charges: 0,
  paidAtMs: null,
}

export const captured: MedusaPayment = {
  id: "pay_1",
  sessionId: "payses_1",
  collectionId: "pay_col_1",
  providerId: "pp_mobile-money_merchant",
  amount: "19.985",
  currency: "USD",
  isCaptured: true,
  isCanceled: false,
  capturedAmount: "19.985",
  inOrderAmount: "19.985",
  orderId: "order_1",
  isOrderCanceled: false,
}

const STATES: Readonly<Record<string, string>> = {
  submit: "submitted",
  complete: "completed",
  fail: "failed",
  expire: "expired",
  see: "in_flight",
  strand: "review",
}
export const eventsOf = (operationId: string, ...names: string[]) => {
  let state = "drafted"
  return names.map((name, index) => {
    state = STATES[name] ?? state
    return { operationId, seq: index + 1, name, state }
  })
}
export const paidEvents = eventsOf("mpop_1", "draft", "submit", "complete", "recorded")

export type Parts = {
  executions?: ExecutionView[]
  documents?: DocumentView[]
  refunds?: MoneyOutView[]
  operations?: LedgerOperation[]
  events?: LedgerEvidence["events"]
  payments?: MedusaPayment[]
  dump?: string[]
  texts?: string[]
  sessionData?: string[]
  orders?: MedusaEvidence["orders"]
}

/** One paid cart, all in order, but for what is given. */
export function evidence(given: Parts = {}): Evidence {
  return {
    book: {
      executions: () => given.executions ?? [paidExecution],
      documents: () => given.documents ?? [paidDocument],
      refunds: () => given.refunds ?? [],
    },
    ledger: {
      operations: given.operations ?? [recorded],
      events: given.events ?? paidEvents,
      dump: given.dump ?? ["(mpop_1,completed,456)"],
    },
    medusa: {
      payments: given.payments ?? [captured],
      ...(given.orders ? { orders: given.orders } : {}),
      sessionData: given.sessionData ?? ['{"state":"paid"}'],
    },
    output: {
      texts: given.texts ?? ["merchant payments: mpop_1 is paid"],
      secrets: ["CANARY-secret"],
      phones: ["231770999456", "0770999456"],
    },
  }
}

export const second = randomUUID()
export const another: LedgerOperation = {
  ...recorded,
  id: "mpop_2",
  reference: second,
  sourceId: 30_002,
}
export const anotherPaid = { ...paidExecution, reference: second, sourceId: 30_002 }
export const anotherDocument = { ...paidDocument, id: 30_002 }
export const anotherEvents = [
  ...paidEvents,
  ...eventsOf("mpop_2", "draft", "submit", "complete", "note"),
]
export const failedEvents = [...paidEvents, ...eventsOf("mpop_2", "draft", "submit", "fail")]
export const bothDocuments = [paidDocument, anotherDocument]
export const closedEvent = { operationId: "mpop_1", seq: 4, name: "order_closed" }
export const openOrder = { id: "order_1", collectionId: "pay_col_1", isCanceled: false }
export const failed = { ...another, state: "failed", isRecorded: false, version: 3 }
export const unpaid = {
  ...failed,
  collectionId: "pay_col_2",
  orderWindow: { endsInSeconds: -60, isDone: false },
}

export const backInBook: MoneyOutView = {
  reference: "9d1e2b8a-4c5d-4e6f-8a9b-0c1d2e3f4a5b",
  operationType: "REFUND",
  ownerId: 1,
  paymentIntentId: 8_000_002,
  sessionId: 60_002,
  walletId: 1,
  toWalletId: null,
  accountId: null,
  originalReference: REFERENCE,
  originalPaymentIntentId: 8_000_001,
  phone: null,
  method: "OPERATOR1_MOMO_LBR",
  origin: "plan",
  status: "COMPLETED",
  settlesAs: "COMPLETED",
  createdAtMs: 0,
  completedAtMs: 3_000,
  failedAtMs: null,
  moves: 1,
  timesCalled: 1,
  amount: "19.99",
  currency: "USD",
  payerAmount: "19.99",
  payerCurrency: "USD",
  payeeAmount: "19.99",
  payeeCurrency: "USD",
}

export const aRefund = (state: string): LedgerOperation => ({
  ...recorded,
  id: "mpop_9",
  type: "REFUND",
  state,
  parentId: "mpop_1",
  collectedMinor: null,
  sourceId: null,
  reference: backInBook.reference,
  isRecorded: false,
  version: 3,
})

/** All of the payment goes back, and is counted so. */
export function refundParts(
  { state = "completed" }: { readonly state?: string },
  inBook: Partial<MoneyOutView> = {},
): Parts {
  const isBack = state === "completed"
  return {
    refunds: [{ ...backInBook, ...inBook }],
    operations: [
      {
        ...recorded,
        reservedRefundMinor: 1_999n,
        refundedMinor: isBack ? 1_999n : 0n,
        isReturned: isBack,
      },
      aRefund(state),
    ],
    events: [...paidEvents, ...eventsOf("mpop_9", "draft", "submit", isBack ? "complete" : "note")],
  }
}
