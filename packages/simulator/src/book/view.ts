/**
 * The book as readers see it: records with the states that follow from them now. `settlesAs` is the
 * final status of a plan, which is the truth about the money whatever was read before.
 */
import { decimalText } from "../money"
import { hasPaymentPage } from "../rules/checkouts"
import { partyOf, reportedTotalOf, stateOf, totalOf, type DocumentStatus } from "../rules/documents"
import { reachedMs, stepAt, type ExecutionStatus } from "../rules/timeline"
import type { World } from "../world"
import {
  moneyOutBookOf,
  type MoneyOutBook,
  type MoneyOutView,
  type WalletView,
} from "./money-out-view"
import type { Document, Execution } from "./records"

/** Moments are milliseconds since the epoch by the simulator's clock; amounts are decimal texts. */
export type ExecutionView = {
  reference: string
  channel: "api" | "hosted"
  /** The merchant's own reference of the source. */
  sourceReferenceId: string | null
  sourceId: number
  sessionId: number | null
  accountId: number | null
  paymentIntentId: number
  phone: string | null
  method: string
  /** Where the outcome comes from: `scenario 06`, `plan`, `card approve`. */
  origin: string
  status: ExecutionStatus
  /** Of a card whose bank asks the shopper: what came of it. */
  challenge: "asked" | "passed" | "refused" | null
  /** The final status, after all planned steps; null while it waits for a person. */
  settlesAs: ExecutionStatus | null
  createdAtMs: number
  /** The planned moment, not that of a reading; null until it is reached. */
  completedAtMs: number | null
  failedAtMs: number | null
  /** 1 once the money has moved. */
  charges: number
  /** How many execution calls under this reference were accepted, repeats included. */
  timesCalled: number
  payerAmount: string
  payerCurrency: string
  payeeAmount: string
  payeeCurrency: string
}

export type DocumentView = {
  id: number
  type: "INVOICE" | "ORDER"
  number: string
  ownerId: number
  referenceId: string | null
  /** The merchant's text, which the payer reads. */
  note: string
  partyId: number
  partyPhone: string
  status: DocumentStatus
  currency: string
  /** The true total, even where a scenario reports another one. */
  totalAmount: string
  /** What reads of it report: once it is paid, what was taken. */
  reportedAmount: string
  lines: { name: string; qty: number; unitAmount: string }[]
  feeBearer: "PAYER" | "PAYEE"
  createdAtMs: number
  canceledAtMs: number | null
  paidAtMs: number | null
  /** How many executions of this source moved money. More than 1 is a double charge. */
  charges: number
  /** The hosted page's path, `/pay/…`; null if the source has no such page. */
  hostedPath: string | null
}

export type BookView = MoneyOutBook & {
  executions(): ExecutionView[]
  execution(reference: string): ExecutionView | undefined
  documents(): DocumentView[]
  document(sourceId: number): DocumentView | undefined
  /** Every source with this merchant reference, oldest first. */
  documentsByReference(referenceId: string): DocumentView[]
  executionsOf(sourceId: number): ExecutionView[]
  /** 0 or 1: how often money moved under this reference. */
  chargesOf(reference: string): number
  toJSON(): {
    documents: DocumentView[]
    executions: ExecutionView[]
    refunds: MoneyOutView[]
    payouts: MoneyOutView[]
    transfers: MoneyOutView[]
    wallets: WalletView[]
  }
}

export function viewOf(world: World): BookView {
  const { book } = world
  const executionView = (execution: Execution) => viewOfExecution(world, execution)
  const documentView = (document: Document) => viewOfDocument(world, document)
  const view: BookView = {
    ...moneyOutBookOf(world),
    executions: () => [...book.executions.values()].map(executionView),
    execution(reference) {
      const found = book.executions.get(reference)
      return found && executionView(found)
    },
    documents: () => [...book.documents.values()].map(documentView),
    document(sourceId) {
      const found = book.documents.get(sourceId)
      return found && documentView(found)
    },
    documentsByReference: (referenceId) =>
      [...book.documents.values()]
        .filter((document) => document.referenceId === referenceId)
        .map(documentView),
    executionsOf: (sourceId) => book.executionsOf(sourceId).map(executionView),
    chargesOf: (reference) => view.execution(reference)?.charges ?? 0,
    toJSON: () => ({
      documents: view.documents(),
      executions: view.executions(),
      refunds: view.refunds(),
      payouts: view.payouts(),
      transfers: view.transfers(),
      wallets: view.wallets(),
    }),
  }
  return view
}

function viewOfExecution(world: World, execution: Execution): ExecutionView {
  const nowMs = world.time.nowMs()
  const { status } = stepAt(execution.steps, nowMs)
  const completedAtMs = reachedMs(execution.steps, "COMPLETED", nowMs)
  const challenge = execution.challenge?.answer ?? null
  const isAsked = execution.waitsForHandset || challenge === "asked"
  const isOpen = isAsked && status === "PROCESSING"
  return {
    reference: execution.reference,
    channel: execution.channel,
    sourceReferenceId: world.book.documents.get(execution.sourceId)?.referenceId ?? null,
    sourceId: execution.sourceId,
    sessionId: execution.sessionId,
    accountId: execution.accountId,
    paymentIntentId: execution.paymentIntentId,
    phone: execution.phone,
    method: execution.method,
    origin: execution.origin,
    status,
    challenge,
    settlesAs: isOpen ? null : (execution.steps.at(-1)?.status ?? null),
    createdAtMs: execution.createdAtMs,
    completedAtMs,
    failedAtMs: reachedMs(execution.steps, "FAILED", nowMs),
    charges: completedAtMs === null ? 0 : 1,
    timesCalled: execution.timesCalled,
    payerAmount: decimalText({ minor: execution.payerMinor, currency: execution.payerCurrency }),
    payerCurrency: execution.payerCurrency,
    payeeAmount: decimalText({ minor: execution.payeeMinor, currency: execution.payeeCurrency }),
    payeeCurrency: execution.payeeCurrency,
  }
}

function viewOfDocument(world: World, document: Document): DocumentView {
  const party = partyOf(world, document)
  const { status, paidAtMs } = stateOf(world, document)
  const nowMs = world.time.nowMs()
  return {
    id: document.id,
    type: document.type,
    number: document.number,
    ownerId: document.ownerId,
    referenceId: document.referenceId,
    note: document.note,
    partyId: party.id,
    partyPhone: party.phone,
    status,
    currency: document.currency,
    totalAmount: decimalText(totalOf(document)),
    reportedAmount: decimalText(reportedTotalOf(world, document)),
    lines: document.lines.map(({ name, qty, unitMinor: minor }) => ({
      name,
      qty,
      unitAmount: decimalText({ minor, currency: document.currency }),
    })),
    feeBearer: document.feeBearer,
    createdAtMs: document.createdAtMs,
    canceledAtMs: document.canceledAtMs,
    paidAtMs,
    charges: world.book
      .executionsOf(document.id)
      .filter(({ steps }) => reachedMs(steps, "COMPLETED", nowMs) !== null).length,
    hostedPath: hasPaymentPage(world, document) ? `/pay/${document.token}` : null,
  }
}
