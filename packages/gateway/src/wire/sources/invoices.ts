/** Invoices: formal bills, with a due date (contract, 2b). */
import { z } from "zod"
import type { Call } from "../../call"
import { invoiceReceipts } from "../receipts"
import { createSchema, sourceEndpoints, sourceCallsOf, updateSchema } from "./source-calls"
import type { CreateSourceRequest, SourceCalls, UpdateSourceRequest } from "./source-calls"
import { itemEndpoints } from "./source-items"
import {
  aboutAsked,
  answerFields,
  answerOf,
  detailFields,
  detailOf,
  linesField,
  recordFields,
  recordOf,
} from "./source-fields"
import type { Asked, SourceResponse, SourceDetail, SourceRecord } from "./source-fields"
import * as field from "../fields"
import { reader, type GatewayTime } from "../reading"

export type CreateInvoiceRequest = CreateSourceRequest & {
  /** When the invoice is due. Left out: the gateway chooses a date. */
  readonly dueDate?: Date | undefined
}

export type UpdateInvoiceRequest = UpdateSourceRequest & {
  /** Null asks to remove it. Whether the gateway does so is not documented: read the answer. */
  readonly dueDate?: Date | null | undefined
}

type Due = { readonly dueDate?: GatewayTime }
export type InvoiceResponse = SourceResponse & Due
export type Invoice = SourceRecord & Due
export type InvoiceDetail = SourceDetail & Due

const NUMBER = "invoice_number"
const due = { due_date: field.optionalTime }
const answerSchema = z.object({ ...answerFields, ...due, invoice_number: field.optionalExact })
const recordSchema = z.object({ ...recordFields, ...due, invoice_number: field.exactText })
const detailSchema = z.object({
  ...detailFields,
  ...due,
  invoice_number: field.exactText,
  invoice_items: linesField,
})

export const invoiceEndpoints = sourceEndpoints({
  kind: "invoices",
  numberName: NUMBER,
  createSchema: createSchema.extend({ dueDate: z.date().optional() }),
  updateSchema: updateSchema.extend({ dueDate: z.date().nullish() }),
  readAnswer: reader<typeof answerSchema, Asked, InvoiceResponse>(
    answerSchema,
    ({ invoiceNumber, ...fields }, wire, asked) =>
      aboutAsked(answerOf(fields, invoiceNumber, wire), asked, NUMBER),
  ),
  readRecord: reader<typeof recordSchema, Asked, Invoice>(
    recordSchema,
    ({ invoiceNumber, ...fields }, wire, asked) =>
      aboutAsked(recordOf(fields, invoiceNumber, wire), asked, NUMBER),
  ),
  readDetail: reader<typeof detailSchema, Asked, InvoiceDetail>(
    detailSchema,
    ({ invoiceNumber: number, invoiceItems: lines, counterparty, ...fields }, wire, asked) => {
      const contents = { number, lines, linesName: "invoice_items", counterparty }
      return aboutAsked(detailOf(fields, contents, wire), asked, NUMBER)
    },
  ),
})

const items = itemEndpoints("invoices", "invoice_id")

export type Invoices = SourceCalls<
  CreateInvoiceRequest,
  UpdateInvoiceRequest,
  InvoiceResponse,
  Invoice,
  InvoiceDetail
>

export const invoicesOf = (call: Call): Invoices =>
  sourceCallsOf(call, invoiceEndpoints, items, invoiceReceipts)
