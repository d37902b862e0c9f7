/**
 * Orders and invoices: publish, cancel, retrieve, list. Both kinds share one life and one set of
 * rules; only the names of a few fields differ.
 */
import type { Counterparty, Document, SourceType } from "../book/records"
import { iso } from "../clock"
import { wireAmount } from "../money"
import { cancel, ownDocument, partyOf, publish, reportedTotalOf, stateOf } from "../rules/documents"
import type { World } from "../world"
import { operation, type ById, type Operation } from "./operation"

const OWNER_TYPE = "ORGANIZATION"
/** Answers of an invoice always carry a due date, asked for or not. */
const DEFAULT_DUE_MS = 30 * 24 * 60 * 60 * 1_000

/** `publishOrder`, `cancelInvoice` and so on. */
export const documentOperations: readonly Operation[] = (["ORDER", "INVOICE"] as const).flatMap(
  (type) => {
    const kind = type === "ORDER" ? "Order" : "Invoice"
    const own = (world: World, ownerId: number, { id }: ById) =>
      ownDocument(world, ownerId, type, Number(id))
    return [
      operation<undefined, object, ById>(`publish${kind}`, ({ world, ownerId, params }) =>
        documentAnswer(world, publish(world, own(world, ownerId, params))),
      ),
      operation<undefined, object, ById>(`cancel${kind}`, ({ world, ownerId, params }) =>
        documentAnswer(world, cancel(world, own(world, ownerId, params))),
      ),
      operation<undefined, object, ById>(`retrieve${kind}`, ({ world, ownerId, params }) =>
        detailAnswer(world, own(world, ownerId, params)),
      ),
      operation<undefined, ListFilter>(`list${kind}s`, ({ world, ownerId, query }) =>
        listed(world, ownerId, type, query),
      ),
    ]
  },
)

type ListFilter = { currency?: string; status?: string }

function listed(world: World, ownerId: number, type: SourceType, filter: ListFilter) {
  return [...world.book.documents.values()]
    .filter((document) => document.ownerId === ownerId && document.type === type)
    .map((document) => documentAnswer(world, document))
    .filter(({ currency }) => filter.currency === undefined || currency === filter.currency)
    .filter(({ status }) => filter.status === undefined || status === filter.status)
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
    owner_type: OWNER_TYPE,
    created_at: iso(document.createdAtMs),
    updated_at: iso(paidAtMs ?? document.canceledAtMs ?? document.createdAtMs),
    reference_id: document.referenceId,
    paid_at: paidAtMs === null ? null : iso(paidAtMs),
  }
  if (document.type === "ORDER") return { ...common, order_number: document.number }
  const dueDate = document.dueDate ?? iso(document.createdAtMs + DEFAULT_DUE_MS)
  return { ...common, invoice_number: document.number, due_date: dueDate }
}

function detailAnswer(world: World, document: Document) {
  const createdAt = iso(document.createdAtMs)
  const lines = document.lines.map(({ id, name, qty, unitMinor }) => ({
    id,
    name,
    currency: document.currency,
    qty,
    amount: wireAmount({ minor: unitMinor, currency: document.currency }),
    created_at: createdAt,
    updated_at: createdAt,
  }))
  const counterparty = world.book.counterparties.get(document.counterpartyId)
  return {
    ...documentAnswer(world, document),
    [document.type === "ORDER" ? "order_items" : "invoice_items"]: lines,
    counterparty: counterparty ? counterpartyAnswer(world, document, counterparty) : null,
  }
}

function counterpartyAnswer(world: World, document: Document, counterparty: Counterparty) {
  const party = partyOf(world, document)
  const createdAt = iso(counterparty.createdAtMs)
  return {
    id: counterparty.id,
    owner_party_type: OWNER_TYPE,
    owner_party_id: counterparty.ownerId,
    relationship_type: counterparty.relationship,
    created_at: createdAt,
    updated_at: createdAt,
    party: {
      id: party.id,
      fullname: party.name,
      created_at: iso(party.createdAtMs),
      updated_at: iso(party.createdAtMs),
      email: party.email,
      phone: party.phone,
      country_code: null,
    },
  }
}
