/**
 * The calls that invoices and orders share, built from the few names in which the two differ
 * (contract, 2b, 4 and 5). An answer about another invoice or order than asked for is not read.
 */
import { z } from "zod"
import type { CounterpartyId, Given, SourceId } from "../../terms/ids"
import type { Call, CallOptions } from "../../call"
import { byId, byNumber, inBody, inQuery, writer, type Endpoint } from "../../endpoint"
import type { Outcome } from "../../outcome"
import { plainText } from "../../plain-text"
import { currencyField, type Currency } from "../amounts"
import { ENUMS, type FeeBearer, type KnownDocumentStatus } from "../enums"
import * as field from "../fields"
import { inSnakeCase, listReader, type Reader, type Wire } from "../reading"
import {
  Handing,
  ListBody,
  readListReader,
  type ReadList,
  type TakeBatch,
} from "../../stream/list-body"
import type { orderReceipts, Receipt } from "../receipts"
import { itemsOf, type SourceItems, type ItemEndpoints } from "./source-items"
import type { Asked } from "./source-fields"

export type CreateSourceRequest = {
  /** A counterparty that has a party. */
  readonly counterpartyId: Given<CounterpartyId>
  /** The currency of the source and of each of its lines. */
  readonly currency: Currency
  /** A text that is printed on the source. May be empty. */
  readonly note: string
  readonly feeBearer: FeeBearer
  /** Whether the source can be paid through a shared link. Can't be changed later. */
  readonly asPaymentLink: boolean
  /** The merchant's own text. Not an idempotency key: two calls with it make two sources. */
  readonly referenceId?: string | undefined
}

/** Changes of a source. A field that is left out stays as it is. */
export type UpdateSourceRequest = {
  /** Null asks to remove it. Whether the gateway does so is not documented: read the answer. */
  readonly referenceId?: string | null | undefined
  readonly note?: string | undefined
  readonly feeBearer?: FeeBearer | undefined
}

/** Filters of a list. A filter that is left out does not narrow the list. */
export type ListSourcesRequest = {
  readonly currency?: Currency | undefined
  readonly status?: KnownDocumentStatus | undefined
}

/** A list whose elements are handed over while it is read. */
type StreamRequest<Item> = ListSourcesRequest & { readonly into: Handing<Item> }

type Id = { readonly id: Given<SourceId> }

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

/** What differs for invoices and orders: their names, extra request fields, and readers. */
export type SourceKind<Create, Update, Response, Item, Detail> = {
  readonly kind: "invoices" | "orders"
  readonly numberName: "invoice_number" | "order_number"
  readonly createSchema: z.ZodType<Wire, Create>
  readonly updateSchema: z.ZodType<{ id: number }, Update & Id>
  readonly readAnswer: Reader<Asked, Response>
  readonly readRecord: Reader<Asked, Item>
  readonly readDetail: Reader<Asked, Detail>
}

export type SourceEndpoints<Create, Update, Response, Item, Detail> = {
  readonly create: Endpoint<Create, Item>
  readonly list: Endpoint<ListSourcesRequest, readonly Item[]>
  readonly stream: Endpoint<StreamRequest<Item>, ReadList>
  readonly retrieve: Endpoint<Id, Detail>
  readonly retrieveByNumber: Endpoint<{ readonly number: string }, Detail>
  readonly update: Endpoint<Update & Id, Item>
  readonly publish: Endpoint<Id, Response>
  readonly cancel: Endpoint<Id, Response>
}

export function sourceEndpoints<
  Create extends Asked & { note: string },
  Update,
  Response,
  Item,
  Detail,
>(
  words: SourceKind<Create, Update, Response, Item, Detail>,
): SourceEndpoints<Create, Update, Response, Item, Detail> {
  const { kind } = words
  const writeNew = inBody(words.createSchema)
  const writeList = inQuery(listSchema)
  const readElement = unasked(words.readRecord)
  return {
    create: {
      operation: `${kind}.create`,
      write: writeNew,
      writePlain: (request) => writeNew({ ...request, note: plainText(request.note, "Order") }),
      read: words.readRecord,
    },
    list: {
      operation: `${kind}.list`,
      write: writeList,
      read: listReader(readElement),
    },
    stream: {
      operation: `${kind}.list`,
      write: ({ into: _into, ...filter }) => writeList(filter),
      read: readListReader(readElement),
      stream: {
        open: ({ into }) => new ListBody((element) => readElement(element, {}), into),
        isBegun: ({ into }) => into.count > 0,
      },
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

/** A list request names no invoice or order, so its elements are read without a comparison. */
const unasked = <Response>(read: Reader<Asked, Response>): Reader<unknown, Response> =>
  Object.assign((body: unknown) => read(body, {}), { schema: read.schema })

/**
 * The calls of invoices or of orders. `refused` with `Invalid`: the error names a wrong field, or
 * the state does not allow the call. With `NotFound`: the record is not this merchant's.
 */
export type SourceCalls<Create, Update, Response, Item, Detail> = {
  /**
   * Makes an `IDLE` draft without lines. Add the lines, then publish it. No idempotency key: a
   * repeat makes a second draft, so after `unknown` list the drafts and find your own `referenceId`
   * (specification, "States and transitions"; contract, 2b and 7).
   */
  create(request: Create, options?: CallOptions): Promise<Outcome<Item>>
  /**
   * Lists all invoices or orders at once, or those in one state or currency; there are no pages.
   * Where state or currency matters, check each element: don't rely on the filter (specification,
   * "List orders"; contract, 7 and 17).
   */
  list(filter?: ListSourcesRequest, options?: CallOptions): Promise<Outcome<readonly Item[]>>
  /**
   * As `list`, for a list of any length: `take` gets the elements while the list is read, some
   * hundreds at a time, and the next ones when its promise is fulfilled. `done` means that the list
   * was read to its end. After any other outcome the elements that came are true, and one that did
   * not come proves nothing. The request is repeated only before the first element. Rejects with
   * what `take` throws, and with nothing else (contract, 7 and 17).
   */
  stream(
    filter: ListSourcesRequest,
    take: TakeBatch<Item>,
    options?: CallOptions,
  ): Promise<Outcome<ReadList>>
  /** One invoice or order with its lines and its counterparty (contract, 5 and 6). */
  retrieve(id: Given<SourceId>, options?: CallOptions): Promise<Outcome<Detail>>
  /** As `retrieve`, by the gateway's own number, such as `ORD-2026-00301` (contract, 6 and 16). */
  retrieveByNumber(number: string, options?: CallOptions): Promise<Outcome<Detail>>
  /** Changes the given fields while `IDLE`. The same changes may be sent again after `unknown`. */
  update(id: Given<SourceId>, changes: Update, options?: CallOptions): Promise<Outcome<Item>>
  /**
   * Moves a draft from `IDLE` to `ACTIVE`: it is then payable, and locked for editing. After
   * `unknown` retrieve it: its state says whether it is published (specification, "States and
   * transitions"; contract, 5).
   */
  publish(id: Given<SourceId>, options?: CallOptions): Promise<Outcome<Response>>
  /**
   * Ends an invoice or order for good, from `IDLE` and `ACTIVE` only. Believe the `status` of the
   * answer. After any outcome but `done` retrieve it: it may be paid by then. `refused` with
   * `Invalid`: it is `PROCESSING` or final (specification, "Cancel order"; contract, 4).
   */
  cancel(id: Given<SourceId>, options?: CallOptions): Promise<Outcome<Response>>
  /**
   * What settled: fees, exchange, lines. `refused` until the invoice or order is `PAID`; the
   * contract does not say with which class (contract, 10).
   */
  receipt(id: Given<SourceId>, options?: CallOptions): Promise<Outcome<Receipt>>
  /** As `receipt`, by the gateway's own number (contract, 10). */
  receiptByNumber(number: string, options?: CallOptions): Promise<Outcome<Receipt>>
  readonly items: SourceItems
}

export function sourceCallsOf<Create, Update, Response, Item, Detail>(
  call: Call,
  endpoints: SourceEndpoints<Create, Update, Response, Item, Detail>,
  items: ItemEndpoints,
  receipts: typeof orderReceipts,
): SourceCalls<Create, Update, Response, Item, Detail> {
  return {
    create: (request, options) => call(endpoints.create, request, options),
    list: (filter = {}, options) => call(endpoints.list, filter, options),
    stream: async (filter, take, options) => {
      const into = new Handing(take)
      const outcome = await call(endpoints.stream, { ...filter, into }, options)
      // After a deadline the caller may still be at work on its last batch.
      await into.close()
      if (into.thrown) throw into.thrown.error
      return outcome
    },
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
