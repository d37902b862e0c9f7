/** Orders: payment documents without a due date (specification, "Order"; contract, 2b). */
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
import { optionalText, reader, textField } from "../fields"

export type CreateOrderRequest = CreateDocumentRequest
export type UpdateOrderRequest = UpdateDocumentRequest
export type Order = DocumentRecord
export type OrderDetail = DocumentDetail

const NUMBER = "order_number"
const answerSchema = z.object({ ...answerFields, order_number: optionalText })
const recordSchema = z.object({ ...recordFields, order_number: textField })
const detailSchema = z.object({
  ...detailFields,
  order_number: textField,
  order_items: linesField,
})

export const orderEndpoints = documentEndpoints({
  kind: "orders",
  numberName: NUMBER,
  createSchema: z.object(createFields),
  createBody,
  updateSchema: z.object(updateFields),
  updateBody,
  readAnswer: reader<typeof answerSchema, Asked, DocumentResponse>(
    answerSchema,
    ({ orderNumber, ...fields }, wire, asked) =>
      aboutAsked(answerOf(fields, orderNumber, wire), asked, NUMBER),
  ),
  readRecord: reader<typeof recordSchema, Asked, Order>(
    recordSchema,
    ({ orderNumber, ...fields }, wire, asked) =>
      aboutAsked(recordOf(fields, orderNumber, wire), asked, NUMBER),
  ),
  readDetail: reader<typeof detailSchema, Asked, OrderDetail>(
    detailSchema,
    ({ orderNumber: number, orderItems: lines, counterparty, ...fields }, wire, asked) => {
      const contents = { number, lines, linesName: "order_items", counterparty }
      return aboutAsked(detailOf(fields, contents, wire), asked, NUMBER)
    },
  ),
})
