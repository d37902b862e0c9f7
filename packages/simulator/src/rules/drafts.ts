/**
 * How a document is created, and what may be changed while it is a draft (contract notes, sections
 * 2b and 5). Checks here are those that the contract's schema can't express.
 */
import type { Document, FeeBearer, SourceType } from "../book/records"
import { isCurrency, type Currency } from "../money"
import { refused, wrongState } from "../problem"
import type { World } from "../world"
import { stateOf, totalOf } from "./documents"
import { billableCounterparty } from "./parties"

/** The body of `orders/create` and `invoices/create`; `due_date` for invoices only. */
export type DraftRequest = {
  counterparty_id: number
  currency: string
  note: string
  fee_bearer: FeeBearer
  as_payment_link: boolean
  reference_id?: string | null
  due_date?: string | null
}

/** A field that is absent or null stays as it is. */
export type DraftChange = {
  reference_id?: string | null
  note?: string | null
  fee_bearer?: FeeBearer | null
  due_date?: string | null
}

/** What the creators of a document decide; the other fields are generated. */
export type NewDocument = Omit<
  Document,
  "id" | "number" | "token" | "createdAtMs" | "updatedAtMs" | "canceledAtMs"
>

const TOKEN_LENGTH = 32
const NUMBER_DIGITS = 5
const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

/** Makes a draft without lines: `IDLE`. Throws 422. */
export function createDraft(
  world: World,
  ownerId: number,
  type: SourceType,
  request: DraftRequest,
): Document {
  const counterparty = billableCounterparty(world, ownerId, request.counterparty_id)
  return addDocument(world, {
    ownerId,
    type,
    referenceId: newReference(world, ownerId, request.reference_id),
    counterpartyId: counterparty.id,
    currency: knownCurrency(request.currency),
    lines: [],
    note: request.note,
    feeBearer: request.fee_bearer,
    isPaymentLink: request.as_payment_link,
    dueDate: type === "INVOICE" ? (request.due_date ?? null) : null,
    publishedAtMs: null,
    checkout: null,
  })
}

/** Changes a draft. Throws 422 unless it is `IDLE`. */
export function updateDraft(world: World, document: Document, change: DraftChange): Document {
  mustBeDraft(world, document, "id")
  const { reference_id: reference, note, fee_bearer: feeBearer, due_date: dueDate } = change
  const isNewReference = typeof reference === "string" && reference !== document.referenceId
  return world.book.update(document, {
    ...(isNewReference ? { referenceId: newReference(world, document.ownerId, reference) } : {}),
    ...(typeof note === "string" ? { note } : {}),
    ...(feeBearer ? { feeBearer } : {}),
    ...(dueDate && document.type === "INVOICE" ? { dueDate } : {}),
    updatedAtMs: world.time.nowMs(),
  })
}

/** Throws 422 on the path's `parameter` unless the document is `IDLE`. */
export function mustBeDraft(world: World, document: Document, parameter: string): void {
  const { status } = stateOf(world, document)
  if (status === "IDLE") return
  throw wrongState(["path", parameter], `A document that is ${status} cannot be changed`)
}

/** Puts a document into the book under a new id, number and token. */
export function addDocument(world: World, fields: NewDocument): Document {
  const { book, time, random } = world
  const nowMs = time.nowMs()
  const id = book.next("document")
  return book.addDocument({
    ...fields,
    id,
    number: documentNumber(fields.type, nowMs, id),
    token: random.hex(TOKEN_LENGTH),
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    canceledAtMs: null,
  })
}

/** One of the currencies that the simulator can count. Throws 422. */
export function knownCurrency(code: string): Currency {
  if (isCurrency(code)) return code
  throw refused(["body", "currency"], "Currency is not supported")
}

/** Throws 422 on a field if the sum of the lines is too large to be exact. */
export function mustBeCountable(
  document: Pick<Document, "currency" | "lines">,
  field: string,
): void {
  if (Number.isSafeInteger(totalOf(document).minor)) return
  throw refused(["body", field], "The total is too large")
}

/**
 * The reference of a new document. Free text by default: the contract does not say whether the
 * specification's rule for `body.reference_id` covers documents too (contract notes, 17).
 */
export function newReference(
  world: World,
  ownerId: number,
  reference: string | null | undefined,
): string | null {
  const { documentReference } = world.settings
  if (reference === null || reference === undefined || documentReference === "free") {
    return reference ?? null
  }
  const field = ["body", "reference_id"]
  if (!UUID_V4.test(reference)) throw refused(field, "Not a UUID v4")
  const isUsed = [...world.book.documents.values()].some(
    (document) => document.ownerId === ownerId && document.referenceId === reference,
  )
  if (isUsed && documentReference === "unique_uuid_v4") {
    throw refused(field, "Reference already used for a different payment")
  }
  return reference
}

const documentNumber = (type: SourceType, nowMs: number, id: number): string => {
  const year = new Date(nowMs).getUTCFullYear()
  const prefix = type === "INVOICE" ? "INV" : "ORD"
  return `${prefix}-${year}-${String(id).padStart(NUMBER_DIGITS, "0")}`
}
