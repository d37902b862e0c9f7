/** Invoices: formal billing documents, with a due date (contract, 2b). */
import { z } from "zod"
import {
  createBody,
  createFields,
  documentEndpoints,
  updateBody,
  updateFields,
} from "./document-calls"
import type { CreateDocumentRequest, UpdateDocumentRequest } from "./document-calls"
import {
  aboutAsked,
  answerFields,
  answerOf,
  detailFields,
  detailOf,
  linesField,
  recordFields,
  recordOf,
} from "./documents"
import type { Asked, DocumentResponse, DocumentDetail, DocumentRecord } from "./documents"
import { Misfit, optionalText, reader, textField } from "../fields"

export type CreateInvoiceRequest = CreateDocumentRequest & {
  /** The gateway chooses one if it is left out. */
  readonly dueDate?: Date | undefined
}

export type UpdateInvoiceRequest = UpdateDocumentRequest & {
  /**
   * Null asks to remove it. The contract does not say whether the gateway does so: read the answer.
   */
  readonly dueDate?: Date | null | undefined
}

type Due = {
  /** ISO 8601, as the gateway wrote it. */
  readonly dueDate?: string
}
export type InvoiceResponse = DocumentResponse & Due
export type Invoice = DocumentRecord & Due
export type InvoiceDetail = DocumentDetail & Due

const NUMBER = "invoice_number"
const LINES = "invoice_items"
const due = { due_date: optionalText }
const answerSchema = z.object({ ...answerFields, ...due, invoice_number: optionalText })
const recordSchema = z.object({ ...recordFields, ...due, invoice_number: textField })
const detailSchema = z.object({
  ...detailFields,
  ...due,
  invoice_number: textField,
  invoice_items: linesField,
})

export const invoiceEndpoints = documentEndpoints({
  kind: "invoices",
  numberName: NUMBER,
  createSchema: z.object({ ...createFields, dueDate: z.date().optional() }),
  createBody: (request: CreateInvoiceRequest) => ({
    ...createBody(request),
    due_date: request.dueDate?.toISOString(),
  }),
  updateSchema: z.object({ ...updateFields, dueDate: z.date().nullish() }),
  updateBody: (request: UpdateInvoiceRequest) => ({
    ...updateBody(request),
    due_date: request.dueDate && request.dueDate.toISOString(),
  }),
  readAnswer: reader<typeof answerSchema, Asked, InvoiceResponse>(
    answerSchema,
    (fields, wire, asked) =>
      aboutAsked(withDue(answerOf(fields, fields[NUMBER], wire), fields), asked, NUMBER),
  ),
  readRecord: reader<typeof recordSchema, Asked, Invoice>(recordSchema, (fields, wire, asked) =>
    aboutAsked(withDue(recordOf(fields, fields[NUMBER], wire), fields), asked, NUMBER),
  ),
  readDetail: reader<typeof detailSchema, Asked, InvoiceDetail>(
    detailSchema,
    (fields, wire, asked) =>
      aboutAsked(
        withDue(detailOf(fields, fields[NUMBER], fields[LINES], LINES, wire), fields),
        asked,
        NUMBER,
      ),
  ),
})

function withDue<Response extends DocumentResponse>(
  answer: Response | Misfit,
  { due_date: dueDate }: { readonly due_date?: string | undefined },
): (Response & Due) | Misfit {
  return answer instanceof Misfit ? answer : { ...answer, dueDate }
}
