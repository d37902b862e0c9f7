/** What a list of payments may be asked for. All that is given has to match. */
import { z } from "zod"
import { type AccountId, type CartId, idFrom, type OrderId } from "../../core/ids"
import { LIMITS } from "../../core/limits"
import { parseCurrency } from "../../core/money"
import { FLOW_NAMES, OPERATION_TYPES, STATES } from "../../core/operation"
import { invalidAs } from "../../core/refusal"
import { flag, id, idOf, isOfThisCentury, timeZone } from "../../core/schemas/shapes"
import type { ListAsked } from "../read-operations"
import { MONEY_FILTERS } from "../sql/list-filter"
import type { Place } from "../sql/list-operations"
import type { Order } from "../sql/list-page"

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

/** Reads the place from a page's `next`; undefined for any other text. */
export function placeFromText(text: string): Place | undefined {
  const [, micros, id] = /^(\d{1,16})\.([\w-]{1,100})$/.exec(text) ?? []
  if (micros === undefined || id === undefined) return undefined
  return { createdMicros: BigInt(micros), id: idFrom(id) }
}

const PAGE_LENGTH = 20

export const operationsQuery = z.strictObject({
  state: listOf(STATES).optional(),
  type: listOf(OPERATION_TYPES).optional(),
  flow: listOf(FLOW_NAMES).optional(),
  currency: z
    .string()
    .transform((text) => parseCurrency(text))
    .refine((currency) => currency !== undefined, invalidAs("currency"))
    .optional(),
  account_id: idOf<AccountId>().optional(),
  payment_method: methods.optional(),
  created_from: moment.optional(),
  created_to: moment.optional(),
  /**
   * When money moved: with `money=received` when it came, with `money=taken_back` when it was taken
   * back, otherwise either. `totals` then add up what moved in between.
   */
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
  limit: whole(1, LIMITS.listPageMax).optional(),
  offset: whole(0, LIMITS.listCountMax).optional(),
  after: z
    .string()
    .transform((text) => placeFromText(text))
    .refine((place) => place !== undefined)
    .optional(),
})
/** In an address: without the search, which is personal data. */
export const listQuery = operationsQuery.omit({ q: true })

export type OperationsQuery = z.output<typeof operationsQuery>

export function filterOf(query: OperationsQuery): ListAsked {
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

export function pagingOf(query: OperationsQuery) {
  return {
    limit: query.limit ?? PAGE_LENGTH,
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
