/**
 * Orders and invoices: create, update, publish, cancel, retrieve, list. Both kinds have the same
 * states and rules; only a few field names differ.
 */
import type { Document, SourceType } from "../book/records"
import { iso } from "../clock"
import { wireAmount } from "../money"
import {
  cancel,
  counterpartyOf,
  ownDocument,
  ownDocumentByNumber,
  publish,
  reportedTotalOf,
  stateOf,
} from "../rules/documents"
import { createDraft, updateDraft, type DraftChange, type DraftRequest } from "../rules/drafts"
import { merchantOf } from "../rules/merchants"
import type { World } from "../world"
import { counterpartyDetail } from "./counterparties"
import { itemAnswer } from "./items"
import { idOf, operation, type ById, type Operation } from "./operation"

/** An invoice always has a due date, even if none was asked for. */
const DEFAULT_DUE_MS = 30 * 24 * 60 * 60 * 1_000

/** What a list shows by habit. The contract has no pages. */
const NEWEST = 10

/** The number under the field name of its kind. */
export type ByNumber = { order_number?: string; invoice_number?: string }
type ListFilter = { currency?: string; status?: string }

/** `createOrder`, `retrieveInvoiceByNumber` and so on. */
export const documentOperations: readonly Operation[] = (["ORDER", "INVOICE"] as const).flatMap(
  (type) => {
    const kind = type === "ORDER" ? "Order" : "Invoice"
    const own = (world: World, ownerId: number, { id }: ById) =>
      ownDocument(world, ownerId, type, idOf(id))
    return [
      operation<DraftRequest>(`create${kind}`, ({ world, ownerId, body }) =>
        documentAnswer(world, createDraft(world, ownerId, type, body)),
      ),
      operation<DraftChange, object, ById>(`update${kind}`, ({ world, ownerId, body, params }) =>
        documentAnswer(world, updateDraft(world, own(world, ownerId, params), body)),
      ),
      operation<undefined, object, ById>(`publish${kind}`, ({ world, ownerId, params }) =>
        documentAnswer(world, publish(world, own(world, ownerId, params))),
      ),
      operation<undefined, object, ById>(`cancel${kind}`, ({ world, ownerId, params }) =>
        documentAnswer(world, cancel(world, own(world, ownerId, params))),
      ),
      operation<undefined, object, ById>(`retrieve${kind}`, ({ world, ownerId, params }) =>
        detailAnswer(world, own(world, ownerId, params)),
      ),
      operation<undefined, object, ByNumber>(
        `retrieve${kind}ByNumber`,
        ({ world, ownerId, params }) =>
          detailAnswer(world, ownDocumentByNumber(world, ownerId, type, numberIn(params))),
      ),
      operation<undefined, ListFilter>(`list${kind}s`, ({ world, ownerId, query }) =>
        listed(world, ownerId, type, query),
      ),
    ]
  },
)

export const numberIn = ({ order_number: order, invoice_number: invoice }: ByNumber): string =>
  order ?? invoice ?? ""

function listed(world: World, ownerId: number, type: SourceType, filter: ListFilter) {
  const all = [...world.book.documents.values()]
    .filter((document) => document.ownerId === ownerId && document.type === type)
    .map((document) => documentAnswer(world, document))
    .filter(({ currency }) => filter.currency === undefined || currency === filter.currency)
    .filter(({ status }) => filter.status === undefined || status === filter.status)
  return world.habits.has("newest_ten") ? all.slice(-NEWEST).reverse() : all
}

function documentAnswer(world: World, document: Document) {
  const { status, paidAtMs } = stateOf(world, document)
  const common = {
    id: document.id,
    counterparty_id: document.counterpartyId,
    currency: document.currency,
    total_amount: wireAmount(reportedTotalOf(world, document)),
    note: document.note,
    status,
    fee_bearer: document.feeBearer,
    as_payment_link: document.isPaymentLink,
    owner_id: document.ownerId,
    owner_type: merchantOf(world, document.ownerId).type,
    created_at: iso(document.createdAtMs),
    updated_at: iso(paidAtMs ?? document.updatedAtMs),
    reference_id: document.referenceId,
    paid_at: paidAtMs === null ? null : iso(paidAtMs),
  }
  return document.type === "ORDER"
    ? { ...common, order_number: document.number }
    : { ...common, invoice_number: document.number, due_date: dueDateOf(document) }
}

export const dueDateOf = ({ dueDate, createdAtMs }: Document): string =>
  dueDate ?? iso(createdAtMs + DEFAULT_DUE_MS)

function detailAnswer(world: World, document: Document) {
  const lines = document.lines.map((line) => itemAnswer(line, document.currency))
  return {
    ...documentAnswer(world, document),
    [document.type === "ORDER" ? "order_items" : "invoice_items"]: lines,
    counterparty: counterpartyDetail(world, counterpartyOf(world, document)),
  }
}
