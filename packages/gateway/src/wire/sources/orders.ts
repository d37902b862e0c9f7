/** Orders: requests for payment without a due date (specification, "Order"; contract, 2b). */
import { z } from "zod"
import type { Call } from "../../call"
import { orderReceipts } from "../receipts"
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
import { reader } from "../reading"

export type CreateOrderRequest = CreateSourceRequest
export type UpdateOrderRequest = UpdateSourceRequest
export type Order = SourceRecord
export type OrderDetail = SourceDetail

const NUMBER = "order_number"
const answerSchema = z.object({ ...answerFields, order_number: field.optionalExact })
const recordSchema = z.object({ ...recordFields, order_number: field.exactText })
const detailSchema = z.object({
  ...detailFields,
  order_number: field.exactText,
  order_items: linesField,
})

export const orderEndpoints = sourceEndpoints({
  kind: "orders",
  numberName: NUMBER,
  createSchema,
  updateSchema,
  readAnswer: reader<typeof answerSchema, Asked, SourceResponse>(
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

const items = itemEndpoints("orders", "order_id")

export type Orders = SourceCalls<
  CreateOrderRequest,
  UpdateOrderRequest,
  SourceResponse,
  Order,
  OrderDetail
>

export const ordersOf = (call: Call): Orders =>
  sourceCallsOf(call, orderEndpoints, items, orderReceipts)
