import type { Call, CallOptions } from "../call"
import type { Outcome } from "../outcome"
import { itemEndpoints } from "../wire/sources/document-items"
import type {
  AddItemRequest,
  ItemResponse,
  ItemEndpoints,
  RemovedItem,
  UpdateItemRequest,
} from "../wire/sources/document-items"
import type { DocumentEndpoints, ListDocumentsRequest } from "../wire/sources/document-calls"
import type { DocumentResponse } from "../wire/sources/documents"
import { invoiceEndpoints } from "../wire/sources/invoices"
import type {
  CreateInvoiceRequest,
  Invoice,
  InvoiceResponse,
  InvoiceDetail,
  UpdateInvoiceRequest,
} from "../wire/sources/invoices"
import { orderEndpoints } from "../wire/sources/orders"
import type {
  CreateOrderRequest,
  Order,
  OrderDetail,
  UpdateOrderRequest,
} from "../wire/sources/orders"
import { invoiceReceipts, orderReceipts } from "../wire/receipts"
import type { Receipt } from "../wire/receipts"

/** The calls that a payment makes on invoices and orders alike (contract, 4 and 5). */
export type DocumentActs<Response extends DocumentResponse = DocumentResponse> = {
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
}

/**
 * The lines of a document, changeable while it is `IDLE`; later all three answer `refused`. Every
 * amount is the price of one, in the currency of the document.
 */
export type DocumentItems = {
  /**
   * Adds a line. No idempotency key: a repeat adds it twice, so after `unknown` read the document
   * first (specification, "Add order item"; contract, 2b and 8).
   */
  add(
    documentId: number,
    item: AddItemRequest,
    options?: CallOptions,
  ): Promise<Outcome<ItemResponse>>
  /**
   * Changes the given fields. The same changes may be sent again after `unknown` (specification,
   * "States and transitions"; contract, 5 and 8).
   */
  update(
    documentId: number,
    itemId: number,
    changes: UpdateItemRequest,
    options?: CallOptions,
  ): Promise<Outcome<ItemResponse>>
  /** Removes a line. `NotFound`: it is gone already, or another document's (contract, 5). */
  remove(documentId: number, itemId: number, options?: CallOptions): Promise<Outcome<RemovedItem>>
}

/**
 * The calls of one kind of document. `refused` with `Invalid` naming the field or because the state
 * does not allow it, with `NotFound`: not this merchant's.
 */
export type Documents<
  Create,
  Update,
  Response extends DocumentResponse,
  Item,
  Detail,
> = DocumentActs<Response> & {
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
   * What settled: fees, exchange, lines. `refused` until the document is `PAID`; the contract does
   * not say with which class (contract, 10).
   */
  receipt(id: number, options?: CallOptions): Promise<Outcome<Receipt>>
  /** The same by the gateway's own number (contract, 10). */
  receiptByNumber(number: string, options?: CallOptions): Promise<Outcome<Receipt>>
  readonly items: DocumentItems
}

export type Invoices = Documents<
  CreateInvoiceRequest,
  UpdateInvoiceRequest,
  InvoiceResponse,
  Invoice,
  InvoiceDetail
>
export type Orders = Documents<
  CreateOrderRequest,
  UpdateOrderRequest,
  DocumentResponse,
  Order,
  OrderDetail
>

const invoiceItems = itemEndpoints("invoices", "invoice_id")
const orderItems = itemEndpoints("orders", "order_id")

export const invoicesOf = (call: Call): Invoices =>
  documentsOf(call, invoiceEndpoints, invoiceItems, invoiceReceipts)

export const ordersOf = (call: Call): Orders =>
  documentsOf(call, orderEndpoints, orderItems, orderReceipts)

function documentsOf<Create, Update, Response extends DocumentResponse, Item, Detail>(
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
    items: {
      add: (documentId, item, options) => call(items.add, { ...item, documentId }, options),
      update: (documentId, itemId, changes, options) =>
        call(items.update, { ...changes, documentId, itemId }, options),
      remove: (documentId, itemId, options) => call(items.remove, { documentId, itemId }, options),
    },
  }
}
