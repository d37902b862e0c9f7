/** Parses every body, query and id of the admin's routes before they are used. */
import type { MedusaRequest } from "@medusajs/framework/http"
import { z } from "zod"
import {
  type AccountId,
  type CartId,
  type CustomerId,
  idFrom,
  type OperationId,
  type OrderId,
  type PaymentIntentId,
} from "../core/ids"
import { LIMITS } from "../core/limits"
import { parseCurrency } from "../core/money"
import { STATES } from "../core/operation"
import { invalidAs, refusal } from "../core/refusal"
import { PAPER_LANGUAGES } from "../papers/words"
import { OPERATIONS_PAGE, placeFromText, type ListAsked } from "../review/read-operations"
import { MONEY_FILTERS } from "../review/sql/list-filter"
import type { Order } from "../review/sql/list-page"
import { flag, id, idOf, isOfThisCentury, phone, shapedIn, timeZone } from "./shape"
import { parsed } from "./validators"

/** A list of known values: `a,b`, or the key given several times. */
const listOf = <T extends string>(known: readonly T[]) =>
  z
    .union([z.string().max(500), z.array(z.string().max(100)).max(50)])
    .transform((given) => [given].flat().flatMap((text) => text.split(",")))
    .transform((parts) => parts.map((part) => part.trim()).filter(Boolean))
    .pipe(z.array(z.enum(known)).min(1))

/** Payment methods: `a,b`. The gateway's names are data, so any text shaped like an id passes. */
const methods = z
  .string()
  .max(500)
  .transform((text) => text.split(",").map((part) => part.trim()))
  .pipe(z.array(id).min(1).max(20))

/** A day, or a moment with its offset, in this century. */
const moment = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], invalidAs("time"))
  .transform((text) => new Date(text))
  .refine(isOfThisCentury, invalidAs("time"))

const whole = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, invalidAs("whole_number"))
    .transform(Number)
    .pipe(z.number().int().min(least).max(most))

export const operationsQuery = z
  .object({
    state: listOf(STATES).optional(),
    type: listOf(["COLLECTION", "REFUND", "PAYOUT", "TRANSFER"]).optional(),
    flow: listOf(["push", "hosted", "card", "link"]).optional(),
    currency: z
      .string()
      .transform((text) => parseCurrency(text))
      .refine((currency) => currency !== undefined, invalidAs("currency"))
      .optional(),
    account_id: idOf<AccountId>().optional(),
    payment_method: methods.optional(),
    created_from: moment.optional(),
    created_to: moment.optional(),
    moved_from: moment.optional(),
    moved_to: moment.optional(),
    order_id: idOf<OrderId>().optional(),
    cart_id: idOf<CartId>().optional(),
    reference: z.guid().optional(),
    phone: z
      .string()
      .regex(/^\d{3}$/, invalidAs("phone_end"))
      .optional(),
    q: z
      .string()
      .trim()
      .min(1)
      .max(100)
      .regex(/^[^\p{Cc}\p{Cs}]+$/u, invalidAs("text"))
      .optional(),
    money: z.enum(MONEY_FILTERS).optional(),
    order: z.enum(["created", "-created", "amount", "-amount"]).optional(),
    totals: z.literal("true").optional(),
    format: z.enum(["json", "csv"]).optional(),
    time_zone: timeZone.optional(),
    needs_attention: flag.optional(),
    limit: whole(1, OPERATIONS_PAGE.most).optional(),
    offset: whole(0, OPERATIONS_PAGE.furthest).optional(),
    after: z
      .string()
      .transform((text) => placeFromText(text))
      .refine((place) => place !== undefined)
      .optional(),
  })
  .strict()

export function filterOf(query: z.output<typeof operationsQuery>): ListAsked {
  return {
    states: query.state,
    types: query.type,
    flows: query.flow,
    currency: query.currency,
    accountId: query.account_id,
    paymentMethods: query.payment_method,
    createdFrom: query.created_from,
    createdTo: query.created_to,
    movedFrom: query.moved_from,
    movedTo: query.moved_to,
    orderIds: query.order_id && [query.order_id],
    cartIds: query.cart_id && [query.cart_id],
    reference: query.reference,
    phoneHint: query.phone,
    q: query.q,
    money: query.money,
    needsAttention: query.needs_attention,
  }
}

export function pagingOf(query: z.output<typeof operationsQuery>) {
  return {
    limit: query.limit ?? OPERATIONS_PAGE.usual,
    offset: query.offset ?? 0,
    after: query.after,
    order: query.order && orderFrom(query.order),
  }
}

/** `amount` or `created`; a `-` in front means descending. */
const orderFrom = (text: string): Order => ({
  by: text.endsWith("amount") ? "amount" : "created",
  isAscending: !text.startsWith("-"),
})

export const resolveBody = z
  .object({
    action: z.enum(["accept", "accept_asked", "refund", "refund_rest", "dismiss"]),
    note: z.string().trim().min(1).max(LIMITS.noteLengthMax),
    cart_id: idOf<CartId>().nullish(),
    order_id: idOf<OrderId>().nullish(),
    expected_amount: z.number().positive(invalidAs("positive")).nullish(),
  })
  .strict()

export const cancelOrderBody = z.object({ order_id: idOf<OrderId>() }).strict()

export const paymentIntentBody = z
  .object({
    payment_intent_id: z
      .number()
      .int()
      .positive(invalidAs("positive"))
      .max(Number.MAX_SAFE_INTEGER)
      .transform((number) => idFrom<PaymentIntentId>(number)),
  })
  .strict()

/** The phone of the payer, for an order that has none. */
const askedPhone = phone.trim().min(1)
export const paymentLinkBody = z.object({ phone: askedPhone.nullish() }).strict()
export const promptBody = z.object({ phone: askedPhone }).strict()

export const receiptPageQuery = z.object({ lang: z.enum(PAPER_LANGUAGES).optional() }).strict()

export const customerDataQuery = z.object({ after: id.optional() }).strict()

/** An empty body. */
export const noBody = z.object({}).strict()

/** @throws Refusal `operation_not_found` if the id in the address has an impossible shape */
export function operationIdIn(params: Params): OperationId {
  return idFrom(shapedIn(params, "operation_not_found"))
}

/** @throws Refusal `order_not_found` if the id in the address has an impossible shape */
export function orderIdIn(params: Params): OrderId {
  return idFrom(shapedIn(params, "order_not_found"))
}

/** @throws Refusal `customer_not_found` if the id in the address has an impossible shape */
export function customerIdIn(params: Params): CustomerId {
  return idFrom(shapedIn(params, "customer_not_found"))
}

type Params = Readonly<Record<string, string | undefined>>

const requestAnswerBody = z
  .object({ note: z.string().trim().min(1).max(LIMITS.noteLengthMax).nullish() })
  .strict()

/** An admin's answer to a request: who asked withdraws it by refusing it. */
export function requestAnswer({ params, body }: Pick<MedusaRequest, "params" | "body">): {
  readonly id: string
  readonly action: "approve" | "refuse"
  readonly note: string | undefined
} {
  const { action } = params
  if (action !== "approve" && action !== "refuse") throw refusal("request_not_found")
  const { note } = parsed(requestAnswerBody, body ?? {})
  return { id: shapedIn(params, "request_not_found"), action, note: note ?? undefined }
}
