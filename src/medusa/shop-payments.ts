/**
 * What the shop's own code asks for, in the form in which Medusa passes filters and pages to a
 * module's list: `{ order_id: ["order_1"], created_at: { $gte: date } }` and
 * `{ take: 20, skip: 0, order: { created_at: "DESC" } }`. Whatever is not understood is refused by
 * name: a filter that was ignored would give the code another shopper's payments.
 */
import { MedusaError } from "@medusajs/framework/utils"
import { LIMITS } from "../core/limits"
import type { MerchantPaymentFilters } from "../core/merchant-payment"
import type { PaymentFilter, PaymentPaging } from "../review/read-payments"

type Values = readonly string[]
type Reader = (value: unknown, field: string) => Readonly<Record<string, unknown>>

const many =
  (name: keyof PaymentFilter): Reader =>
  (value, field) => ({ [name]: textsIn(value, field) })

const one =
  (name: keyof PaymentFilter): Reader =>
  (value, field) => {
    const [text, ...others] = textsIn(value, field)
    if (text === undefined || others.length > 0) throw unreadable(field, "takes one value")
    return { [name]: text }
  }

const READERS: Readonly<Record<keyof MerchantPaymentFilters, Reader>> = {
  id: many("ids"),
  order_id: many("orderIds"),
  cart_id: many("cartIds"),
  payment_collection_id: many("paymentCollectionIds"),
  payment_session_id: many("paymentSessionIds"),
  state: many("states"),
  flow: many("flows"),
  account_id: one("accountId"),
  currency: one("currency"),
  reference: (value, field) => {
    const { reference } = one("reference")(value, field)
    if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(String(reference))) {
      throw unreadable(field, "is a UUID")
    }
    return { reference }
  },
  created_at: createdWithin,
}

/** @throws {MedusaError} `invalid_data`, naming the filter that can't be read */
export function paymentFilterOf(filters: unknown): PaymentFilter {
  const read = Object.entries(objectOf(filters)).flatMap(([field, value]) => {
    if (value === undefined) return []
    if (!Object.hasOwn(READERS, field)) throw unreadable(field, "is no filter of payments")
    return Object.entries(READERS[field as keyof MerchantPaymentFilters](value, field))
  })
  return Object.fromEntries(read)
}

/** @throws {MedusaError} `invalid_data`, naming what can't be read */
export function paymentPagingOf(config: unknown): PaymentPaging {
  const { take, skip, order } = objectOf(config)
  return {
    limit: take === null ? null : wholeIn("take", take, LIMITS.queryPageUsual),
    offset: wholeIn("skip", skip, 0),
    order: orderOf(order),
  }
}

function orderOf(order: unknown): PaymentPaging["order"] {
  const [first, ...others] = Object.entries(objectOf(order))
  if (!first) return undefined
  const [field, direction] = first
  const by = { created_at: "created", amount: "amount" }[field]
  const isAscending = String(direction).toUpperCase() === "ASC"
  if (others.length > 0 || (by !== "created" && by !== "amount")) {
    throw unreadable("order", "is by created_at or by amount")
  }
  return { by, isAscending }
}

function createdWithin(value: unknown, field: string) {
  const { $gte, $lt, ...others } = objectOf(value)
  if (Object.keys(others).length > 0) throw unreadable(field, "takes $gte and $lt")
  return { createdFrom: momentIn($gte, field), createdTo: momentIn($lt, field) }
}

function momentIn(value: unknown, field: string): Date | undefined {
  if (value === undefined) return undefined
  const moment = value instanceof Date || typeof value === "string" ? new Date(value) : undefined
  if (!moment || Number.isNaN(moment.getTime())) throw unreadable(field, "is a moment")
  return moment
}

function wholeIn(name: string, value: unknown, usual: number): number {
  if (value === undefined) return usual
  if (Number.isSafeInteger(value) && Number(value) >= 0) return Number(value)
  throw unreadable(name, "is a whole number")
}

/** A text, several, or either behind the operator of its kind. */
function textsIn(value: unknown, field: string): Values {
  const { $eq, $in, ...others } =
    typeof value === "object" && value !== null && !Array.isArray(value) ? objectOf(value) : {}
  const given = [$eq ?? $in ?? value].flat()
  const isText = (text: unknown): text is string => typeof text === "string"
  if (Object.keys(others).length > 0 || !given.every(isText)) {
    throw unreadable(field, "takes a text, several, $eq or $in")
  }
  return given
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {}
}

const unreadable = (name: string, why: string) =>
  new MedusaError(MedusaError.Types.INVALID_DATA, `merchant payments: ${name} ${why}`)
