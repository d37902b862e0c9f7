/** Reads the receipt of an order: by the customer's link, or for the admin by its payment. */
import type { OperationId, OrderId } from "../core/ids"
import { refusal } from "../core/refusal"
import { UTC } from "../core/time-zone"
import type { FlowDeps } from "../engine/deps"
import { findById } from "../ledger/find-operations"
import { methodLabels } from "../core/method-labels"
import { receiptUrlOf } from "../checkout/receipt-url"
import {
  findReceiptLink,
  isReceiptErased,
  replaceReceiptToken,
} from "../checkout/sql/receipt-links"
import { hasReceipt } from "../worker/rules/receipt"
import { receiptDocument, type ReceiptDocument } from "./receipt-document"
import { findMoneyOfPaper, findMoneyOfPayment, type PaperOperation } from "./sql/money-of-order"
import type { PaperOrder } from "./rules/paper-order"

/** What the receipts ask Medusa. */
export type PaperSource = {
  /** Undefined: Medusa has no such order. */
  paperOrder(orderId: OrderId): Promise<PaperOrder | undefined>
  shopName(): Promise<string | null>
}

export type ReceiptPorts = Pick<FlowDeps, "database" | "accounts" | "ids" | "settings"> & {
  readonly papers: PaperSource
}

/** `unknown`: no such link. `ended`: there was one; the receipt is to be had from the shop. */
export type VisitedReceipt =
  | { readonly kind: "shown"; readonly document: ReceiptDocument }
  | { readonly kind: "ended"; readonly shop: string | null }
  | { readonly kind: "unknown" }

/** What the customer's link opens. */
export async function visitReceipt(deps: ReceiptPorts, token: string): Promise<VisitedReceipt> {
  const found = await findReceiptLink(deps.database, token)
  if (!found) return { kind: "unknown" }
  const { orderId, hasEnded } = found
  const document = hasEnded ? undefined : await receiptOfOrder(deps, orderId)
  if (!document) return { kind: "ended", shop: await deps.papers.shopName() }
  return { kind: "shown", document }
}

/** @returns undefined: no money of the order is in the ledger */
export async function receiptOfOrder(
  deps: ReceiptPorts,
  orderId: OrderId,
): Promise<ReceiptDocument | undefined> {
  return documentOf(deps, orderId, await findMoneyOfPaper(deps.database, orderId))
}

export type AdminReceipt = {
  readonly document: ReceiptDocument
  /** The customer's link; null: the order is not paid, or its link has ended. */
  readonly url: string | null
}

/**
 * The receipt of the order that a payment belongs to; of money without an order, its own.
 *
 * @throws Refusal `operation_not_found`, `receipt_not_ready`
 */
export async function receiptOfPayment(
  deps: ReceiptPorts,
  operationId: OperationId,
): Promise<AdminReceipt> {
  const { orderId, id } = await paymentOf(deps, operationId)
  const money = orderId
    ? await findMoneyOfPaper(deps.database, orderId)
    : await findMoneyOfPayment(deps.database, id)
  const document = await documentOf(deps, orderId, money)
  if (!document) throw refusal("receipt_not_ready")
  return { document, url: await receiptUrlOf(deps, orderId) }
}

/**
 * Ends the link of a payment's order, which may have come into wrong hands, and makes another.
 *
 * @returns the new link; null as in {@link AdminReceipt}
 * @throws Refusal `operation_not_found`, `receipt_not_ready`
 */
export async function renewReceiptLink(
  deps: ReceiptPorts,
  operationId: OperationId,
): Promise<string | null> {
  const { orderId } = await paymentOf(deps, operationId)
  if (orderId) await replaceReceiptToken(deps.database, orderId, deps.ids.receiptToken())
  return receiptUrlOf(deps, orderId)
}

async function paymentOf({ database }: ReceiptPorts, operationId: OperationId) {
  const operation = await findById(database, operationId)
  if (!operation) throw refusal("operation_not_found")
  if (!hasReceipt(operation)) throw refusal("receipt_not_ready")
  return operation
}

async function documentOf(
  { database, papers, accounts, settings }: ReceiptPorts,
  orderId: OrderId | null,
  operations: readonly PaperOperation[],
): Promise<ReceiptDocument | undefined> {
  const [shop, order, isErased, known] = await Promise.all([
    papers.shopName(),
    orderId ? papers.paperOrder(orderId) : undefined,
    orderId ? isReceiptErased(database, orderId) : false,
    accounts(),
  ])
  const labelOf = methodLabels(known)
  const { timeZone = UTC } = settings
  return receiptDocument({ shop, timeZone, order, operations, isErased, labelOf })
}
