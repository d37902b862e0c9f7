/**
 * The lines of invoices and orders: `items/add`, `update` and `remove`, possible only while the
 * source is `IDLE` (specification, "Add order item"; contract, 2b and 8). `amount` is the price of
 * one piece; a line costs `amount` times `qty`.
 */
import { z } from "zod"
import type { Given, SourceId, SourceItemId } from "../../terms/ids"
import { sameMoney, type Money } from "../../terms/money"
import type { Call, CallOptions } from "../../call"
import { writer, type Endpoint } from "../../endpoint"
import type { CleanText } from "../../terms/texts"
import { plainText } from "../../plain-text"
import { moneyOf, payableField, wireAmount, wireMoney, type Amount } from "../amounts"
import * as field from "../fields"
import type { CamelCased, GatewayTime, Wire } from "../reading"
import { exactMoneyOf, inCamelCase, UnusableField, otherThanAsked, reader } from "../reading"

export type AddItemRequest = {
  readonly name: string
  /** The number of pieces: a whole number of at least one. */
  readonly qty: number
  /** The price of one piece, in the currency of the source. */
  readonly amount: Amount
}

/** Changes of a line. A field that is left out stays as it is. */
export type UpdateItemRequest = {
  readonly name?: string | undefined
  /** The number of pieces: a whole number of at least one. */
  readonly qty?: number | undefined
  /** The price of one piece. Its currency is not sent: it must be the source's currency. */
  readonly amount?: Amount | undefined
}

export type SourceItem = {
  readonly id: SourceItemId
  readonly name: CleanText
  readonly qty: number
  /** The price of one piece. */
  readonly amount: Money
  readonly createdAt?: GatewayTime
  readonly updatedAt?: GatewayTime
}

export type ItemResponse = SourceItem & { readonly wire: Wire }

/** The answer to a removal: the line is gone. The gateway answers no fields that are read. */
export type RemovedItem = { readonly wire: Wire }

type OfSource = { readonly sourceId: Given<SourceId> }
type OfItem = OfSource & { readonly itemId: Given<SourceItemId> }

const sourceId = z.int().positive()
const itemId = z.int().positive()
const qtyField = z.int().positive()
const addSchema = z.object({ sourceId, name: field.text, qty: qtyField, amount: payableField })
const updateSchema = z.object({
  sourceId,
  itemId,
  name: field.text.optional(),
  qty: qtyField.optional(),
  amount: payableField.optional(),
})

/** Fields of a line, also used by answers that contain lines. */
export const itemFields = z.object({
  id: field.idOf<SourceItemId>(),
  name: field.shownText,
  currency: field.currency,
  qty: field.count,
  amount: field.amount,
  ...field.recordTimes,
})

function itemOf({
  currency,
  ...fields
}: CamelCased<z.output<typeof itemFields>>): SourceItem | UnusableField {
  const amount = exactMoneyOf(fields.amount, currency)
  return amount
    ? { ...fields, amount }
    : new UnusableField("amount", "no exact amount in its currency")
}

/**
 * The lines within another answer. One unreadable line makes the answer unusable.
 *
 * @param name the wire's name of the field of the lines, for the path of an unusable one
 */
export function itemsIn(
  lines: readonly z.output<typeof itemFields>[],
  name: string,
): readonly SourceItem[] | UnusableField {
  const items: SourceItem[] = []
  for (const [index, line] of lines.entries()) {
    const item = itemOf(inCamelCase(line))
    if (item instanceof UnusableField)
      return new UnusableField(`${name}.${index}.${item.path}`, item.message)
    items.push(item)
  }
  return items
}

type Wanted = { readonly itemId?: number } & UpdateItemRequest

// A line with another price than asked for would change the total, so such an answer is not read.
const readItem = reader<typeof itemFields, Wanted, ItemResponse>(
  itemFields,
  (fields, wire, wanted) => {
    const item = itemOf(fields)
    if (item instanceof UnusableField) return item
    const { itemId: id, qty, amount } = wanted
    if (amount && !sameMoney(item.amount, moneyOf(amount))) {
      return new UnusableField("amount", "another than asked for")
    }
    return otherThanAsked(item, { id, qty }) ?? { ...item, wire }
  },
)

/** The three calls for the lines of invoices or of orders. */
export type ItemEndpoints = {
  readonly add: Endpoint<AddItemRequest & OfSource, ItemResponse>
  readonly update: Endpoint<UpdateItemRequest & OfItem, ItemResponse>
  readonly remove: Endpoint<OfItem, RemovedItem>
}

/** @param idName the name of the source's id in the path: `invoice_id` or `order_id` */
export function itemEndpoints(
  kind: "invoices" | "orders",
  idName: "invoice_id" | "order_id",
): ItemEndpoints {
  const writeNew = writer(addSchema, ({ sourceId, name, qty, amount }) => ({
    params: { [idName]: sourceId },
    body: { name, qty, ...wireMoney(amount) },
  }))
  return {
    add: {
      operation: `${kind}.items.add`,
      write: writeNew,
      writePlain: (request) => writeNew({ ...request, name: plainText(request.name, "Item") }),
      read: readItem,
    },
    update: {
      operation: `${kind}.items.update`,
      write: writer(updateSchema, ({ sourceId, itemId, name, qty, amount }) => ({
        params: { [idName]: sourceId, id: itemId },
        body: { name, qty, amount: amount && wireAmount(amount) },
      })),
      read: readItem,
    },
    remove: {
      operation: `${kind}.items.remove`,
      write: writer(z.object({ sourceId, itemId }), ({ sourceId, itemId }) => ({
        params: { [idName]: sourceId, id: itemId },
      })),
      read: reader(z.object({}), (_, wire) => ({ wire })),
    },
  }
}

/**
 * The lines of an invoice or order. They can be changed while it is `IDLE`; later all three calls
 * answer `refused`. Each amount is the price of one piece, in the currency of the source.
 */
export const itemsOf = (call: Call, endpoints: ItemEndpoints) => ({
  /**
   * Adds a line. No idempotency key: a repeat adds it twice, so after `unknown` retrieve the
   * invoice or order first (specification, "Add order item"; contract, 2b and 8).
   */
  add: (sourceId: Given<SourceId>, item: AddItemRequest, options?: CallOptions) =>
    call(endpoints.add, { ...item, sourceId }, options),
  /**
   * Changes the given fields. The same changes may be sent again after `unknown` (specification,
   * "States and transitions"; contract, 5 and 8).
   */
  update: (
    sourceId: Given<SourceId>,
    itemId: Given<SourceItemId>,
    changes: UpdateItemRequest,
    options?: CallOptions,
  ) => call(endpoints.update, { ...changes, sourceId, itemId }, options),
  /** Removes a line. `NotFound`: it is already gone, or in another source (contract, 5). */
  remove: (sourceId: Given<SourceId>, itemId: Given<SourceItemId>, options?: CallOptions) =>
    call(endpoints.remove, { sourceId, itemId }, options),
})

export type SourceItems = ReturnType<typeof itemsOf>
