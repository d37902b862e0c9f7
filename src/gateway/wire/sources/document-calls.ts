/**
 * The calls that invoices and orders share, made from the few words in which the two differ
 * (contract, 2b, 4 and 5). An answer about another document than asked for is not read.
 */
import { z } from "zod"
import type { Endpoint, WireRequest } from "../../endpoint"
import { byId, checkedBy } from "../../endpoint"
import type { Currency } from "../amounts"
import { currencyField } from "../amounts"
import type { OperationName } from "../../operations"
import type { Asked, DocumentResponse, DocumentDetail, DocumentRecord } from "./documents"
import type { FeeBearer, KnownDocumentStatus } from "../enums"
import { ENUMS } from "../enums"
import type { Reader } from "../fields"
import { documentNumberField, listReader, textField } from "../fields"

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
type DocumentNumber = { readonly number: string }

export const createFields = {
  counterpartyId: z.int().positive(),
  currency: currencyField,
  note: z.string(),
  feeBearer: z.enum(ENUMS.FeeBearer),
  asPaymentLink: z.boolean(),
  referenceId: textField.optional(),
}
export const updateFields = {
  id: z.int().positive(),
  referenceId: textField.nullish(),
  note: z.string().optional(),
  feeBearer: z.enum(ENUMS.FeeBearer).optional(),
}
const listSchema = z.object({
  currency: currencyField.optional(),
  status: z.enum(ENUMS.DocumentStatus).optional(),
})
const numberSchema = z.object({ number: documentNumberField })

export const createBody = (request: CreateDocumentRequest) => ({
  counterparty_id: request.counterpartyId,
  currency: request.currency,
  note: request.note,
  fee_bearer: request.feeBearer,
  as_payment_link: request.asPaymentLink,
  reference_id: request.referenceId,
})

export const updateBody = (request: UpdateDocumentRequest) => ({
  reference_id: request.referenceId,
  note: request.note,
  fee_bearer: request.feeBearer,
})

/** What one kind of document adds: its words, its extra request fields, and its readers. */
export type DocumentKind<Create, Update, Response, Item, Detail> = {
  readonly kind: "invoices" | "orders"
  readonly numberName: "invoice_number" | "order_number"
  readonly createSchema: z.ZodType
  readonly createBody: (request: Create) => WireRequest["body"]
  readonly updateSchema: z.ZodType
  readonly updateBody: (request: Update) => WireRequest["body"]
  readonly readAnswer: Reader<Asked, Response>
  readonly readRecord: Reader<Asked, Item>
  readonly readDetail: Reader<Asked, Detail>
}

export type DocumentEndpoints<Create, Update, Response, Item, Detail> = {
  readonly create: Endpoint<Create, Item>
  readonly list: Endpoint<ListDocumentsRequest, readonly Item[]>
  readonly retrieve: Endpoint<Id, Detail>
  readonly retrieveByNumber: Endpoint<DocumentNumber, Detail>
  readonly update: Endpoint<Update & Id, Item>
  readonly publish: Endpoint<Id, Response>
  readonly cancel: Endpoint<Id, Response>
}

export function documentEndpoints<
  Create extends CreateDocumentRequest,
  Update extends UpdateDocumentRequest,
  Response extends DocumentResponse,
  Item extends DocumentRecord,
  Detail extends DocumentDetail,
>(
  words: DocumentKind<Create, Update, Response, Item, Detail>,
): DocumentEndpoints<Create, Update, Response, Item, Detail> {
  const { kind } = words
  return {
    create: {
      operation: `${kind}.create`,
      problemsWith: checkedBy(words.createSchema),
      write: (request) => ({ body: words.createBody(request) }),
      read: words.readRecord,
    },
    list: {
      operation: `${kind}.list`,
      problemsWith: checkedBy(listSchema),
      write: ({ currency, status }) => ({ query: { currency, status } }),
      read: listReader(unasked(words.readRecord)),
    },
    retrieve: byId(`${kind}.retrieve`, words.readDetail),
    retrieveByNumber: byNumber(`${kind}.retrieveByNumber`, words.numberName, words.readDetail),
    update: {
      operation: `${kind}.update`,
      problemsWith: checkedBy(words.updateSchema),
      write: (request) => ({
        params: { id: String(request.id) },
        body: words.updateBody(request),
      }),
      read: words.readRecord,
    },
    publish: byId(`${kind}.publish`, words.readAnswer),
    cancel: byId(`${kind}.cancel`, words.readAnswer),
  }
}

export const byNumber = <Response>(
  operation: OperationName,
  numberName: "invoice_number" | "order_number",
  read: Reader<DocumentNumber, Response>,
): Endpoint<DocumentNumber, Response> => ({
  operation,
  problemsWith: checkedBy(numberSchema),
  write: ({ number }) => ({ params: { [numberName]: number } }),
  read,
})

/** A list request does not name a document, so its elements are read without comparing ids. */
const unasked = <Response>(read: Reader<Asked, Response>): Reader<unknown, Response> =>
  Object.assign((body: unknown) => read(body, {}), { schema: read.schema })
