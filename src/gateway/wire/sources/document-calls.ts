/**
 * The calls that invoices and orders share, made from the few words in which the two differ
 * (contract, 2b, 4 and 5). An answer about another document than asked for is not read.
 */
import { z } from "zod"
import type { Call, CallOptions } from "../../call"
import { byId, byNumber, inBody, inQuery, writer, type Endpoint } from "../../endpoint"
import type { Outcome } from "../../outcome"
import { plainText } from "../../plain-text"
import { currencyField, type Currency } from "../amounts"
import { ENUMS, type FeeBearer, type KnownDocumentStatus } from "../enums"
import * as field from "../fields"
import { inSnakeCase, listReader, type Reader, type Wire } from "../reading"
import type { orderReceipts, Receipt } from "../receipts"
import { itemsOf, type DocumentItems, type ItemEndpoints } from "./document-items"
import type { Asked } from "./documents"

export type CreateDocumentRequest = {
  /** A counterparty that has a party. */
  readonly counterpartyId: number
  /** Currency of the document and of each of its lines. */
  readonly currency: Currency
  /** Printed on the document. May be empty. */
  readonly note: string
  readonly feeBearer: FeeBearer
  /** Whether it can be paid through a shared link. Can't be changed later. */
  readonly asPaymentLink: boolean
  /** Free text. Not an idempotency key: the same one twice makes two documents. */
  readonly referenceId?: string | undefined
}

/** What is left out stays as it is. */
export type UpdateDocumentRequest = {
  /** Null asks to remove it; whether the gateway does is not documented, so read the answer. */
  readonly referenceId?: string | null | undefined
  readonly note?: string | undefined
  readonly feeBearer?: FeeBearer | undefined
}

/** What is left out does not narrow the list. */
export type ListDocumentsRequest = {
  readonly currency?: Currency | undefined
  readonly status?: KnownDocumentStatus | undefined
}

type Id = { readonly id: number }

export const createSchema = z.object({
  counterpartyId: z.int().positive(),
  currency: currencyField,
  note: z.string(),
  feeBearer: z.enum(ENUMS.FeeBearer),
  asPaymentLink: z.boolean(),
  referenceId: field.text.optional(),
})
export const updateSchema = z.object({
  id: z.int().positive(),
  referenceId: field.text.nullish(),
  note: z.string().optional(),
  feeBearer: z.enum(ENUMS.FeeBearer).optional(),
})
const listSchema = z.object({
  currency: currencyField.optional(),
  status: z.enum(ENUMS.DocumentStatus).optional(),
})

/** What one kind of document adds: its words, its extra request fields, and its readers. */
export type DocumentKind<Create, Update, Response, Item, Detail> = {
  readonly kind: "invoices" | "orders"
  readonly numberName: "invoice_number" | "order_number"
  readonly createSchema: z.ZodType<Wire, Create>
  readonly updateSchema: z.ZodType<{ id: number }, Update & Id>
  readonly readAnswer: Reader<Asked, Response>
  readonly readRecord: Reader<Asked, Item>
  readonly readDetail: Reader<Asked, Detail>
}

export type DocumentEndpoints<Create, Update, Response, Item, Detail> = {
  readonly create: Endpoint<Create, Item>
  readonly list: Endpoint<ListDocumentsRequest, readonly Item[]>
  readonly retrieve: Endpoint<Id, Detail>
  readonly retrieveByNumber: Endpoint<{ readonly number: string }, Detail>
  readonly update: Endpoint<Update & Id, Item>
  readonly publish: Endpoint<Id, Response>
  readonly cancel: Endpoint<Id, Response>
}

export function documentEndpoints<
  Create extends Asked & { note: string },
  Update,
  Response,
  Item,
  Detail,
>(
  words: DocumentKind<Create, Update, Response, Item, Detail>,
): DocumentEndpoints<Create, Update, Response, Item, Detail> {
  const { kind } = words
  const writeNew = inBody(words.createSchema)
  return {
    create: {
      operation: `${kind}.create`,
      write: writeNew,
      writePlain: (request) => writeNew({ ...request, note: plainText(request.note, "Order") }),
      read: words.readRecord,
    },
    list: {
      operation: `${kind}.list`,
      write: inQuery(listSchema),
      read: listReader(unasked(words.readRecord)),
    },
    retrieve: byId(`${kind}.retrieve`, words.readDetail),
    retrieveByNumber: byNumber(`${kind}.retrieveByNumber`, words.numberName, words.readDetail),
    update: {
      operation: `${kind}.update`,
      write: writer(words.updateSchema, ({ id, ...changes }) => ({
        params: { id },
        body: inSnakeCase(changes),
      })),
      read: words.readRecord,
    },
    publish: byId(`${kind}.publish`, words.readAnswer),
    cancel: byId(`${kind}.cancel`, words.readAnswer),
  }
}

/** A list request does not name a document, so its elements are read without comparing ids. */
const unasked = <Response>(read: Reader<Asked, Response>): Reader<unknown, Response> =>
  Object.assign((body: unknown) => read(body, {}), { schema: read.schema })

/**
 * The calls of one kind of document. `refused` with `Invalid` naming the field or because the state
 * does not allow it, with `NotFound`: not this merchant's.
 */
export type Documents<Create, Update, Response, Item, Detail> = {
  /**
   * Makes a draft without lines, `IDLE`. Add the lines, then publish it. No idempotency key: a
   * repeat makes a second one, so after `unknown` list the documents and look for your own
   * `referenceId` (specification, "States and transitions"; contract, 2b and 7).
   */
  create(request: Create, options?: CallOptions): Promise<Outcome<Item>>
  /**
   * All documents at once, or those in one state or currency; there are no pages. Every element
   * says what it is: don't rely on the filter where it matters (specification, "List orders";
   * contract, 7 and 17).
   */
  list(filter?: ListDocumentsRequest, options?: CallOptions): Promise<Outcome<readonly Item[]>>
  /** One document with its lines and its counterparty (contract, 5 and 6). */
  retrieve(id: number, options?: CallOptions): Promise<Outcome<Detail>>
  /** The same by the gateway's own number, as `ORD-2026-00301` (contract, 6 and 16). */
  retrieveByNumber(number: string, options?: CallOptions): Promise<Outcome<Detail>>
  /** Changes the given fields while `IDLE`. The same may be sent again after `unknown`. */
  update(id: number, changes: Update, options?: CallOptions): Promise<Outcome<Item>>
  /**
   * `IDLE` to `ACTIVE`: payable, and locked for editing. After `unknown` read the document: the
   * state says whether it was done (specification, "States and transitions"; contract, 5).
   */
  publish(id: number, options?: CallOptions): Promise<Outcome<Response>>
  /**
   * Ends it for good, from `IDLE` and `ACTIVE` only. Believe the `status` of the answer, and after
   * anything but `done` read the document: it may be paid by then. `refused` with `Invalid`:
   * `PROCESSING` or final (specification, "Cancel order"; contract, 4).
   */
  cancel(id: number, options?: CallOptions): Promise<Outcome<Response>>
  /**
   * What settled: fees, exchange, lines. `refused` until the document is `PAID`; the contract does
   * not say with which class (contract, 10).
   */
  receipt(id: number, options?: CallOptions): Promise<Outcome<Receipt>>
  /** The same by the gateway's own number (contract, 10). */
  receiptByNumber(number: string, options?: CallOptions): Promise<Outcome<Receipt>>
  readonly items: DocumentItems
}

export function documentsOf<Create, Update, Response, Item, Detail>(
  call: Call,
  endpoints: DocumentEndpoints<Create, Update, Response, Item, Detail>,
  items: ItemEndpoints,
  receipts: typeof orderReceipts,
): Documents<Create, Update, Response, Item, Detail> {
  return {
    create: (request, options) => call(endpoints.create, request, options),
    list: (filter = {}, options) => call(endpoints.list, filter, options),
    retrieve: (id, options) => call(endpoints.retrieve, { id }, options),
    retrieveByNumber: (number, options) => call(endpoints.retrieveByNumber, { number }, options),
    update: (id, changes, options) => call(endpoints.update, { ...changes, id }, options),
    publish: (id, options) => call(endpoints.publish, { id }, options),
    cancel: (id, options) => call(endpoints.cancel, { id }, options),
    receipt: (id, options) => call(receipts.retrieve, { id }, options),
    receiptByNumber: (number, options) => call(receipts.retrieveByNumber, { number }, options),
    items: itemsOf(call, items),
  }
}
