/**
 * Payments as the shop's own code finds them, through `query.graph` or `findPayments`: their filters,
 * pages and GraphQL. `schemas/merchant-payment.ts` has the fields.
 */
import { z } from "zod"
import { merchantPayment, type MerchantPayment } from "./schemas/merchant-payment"

type OneOrMore<T> = T | readonly T[] | { readonly $eq: T } | { readonly $in: readonly T[] }
type Moment = Date | string

/** The filters of payments. All that are given have to match. */
export type MerchantPaymentFilters = {
  readonly id?: OneOrMore<string>
  readonly order_id?: OneOrMore<string>
  readonly cart_id?: OneOrMore<string>
  readonly payment_collection_id?: OneOrMore<string>
  readonly payment_session_id?: OneOrMore<string>
  readonly state?: OneOrMore<MerchantPayment["state"]>
  readonly flow?: OneOrMore<MerchantPayment["flow"]>
  readonly account_id?: string
  /** In upper case. */
  readonly currency?: string
  readonly reference?: string
  /** `$gte` includes the moment, `$lt` does not. */
  readonly created_at?: { readonly $gte?: Moment; readonly $lt?: Moment }
}

/** The page of a list. Without one it has the newest 15. */
export type MerchantPaymentPage = {
  /** How many at most; null: all. */
  readonly take?: number | null
  readonly skip?: number
  readonly order?:
    | { readonly created_at: "ASC" | "DESC" }
    /** By currency first, then by amount. */
    | { readonly amount: "ASC" | "DESC" }
}

/** The names under which `query.graph` knows payments. */
export const PAYMENT_ALIASES = ["merchant_payment", "merchant_payments"] as const

/** The type of a field in GraphQL; without a null it ends in `!`. */
function graphField(owner: string, field: string, shape: z.ZodType): string {
  if (shape instanceof z.ZodNullable) {
    return graphField(owner, field, shape.unwrap() as z.ZodType).replace("!", "")
  }
  if (field === "id") return "ID!"
  if (shape instanceof z.ZodObject) return `${owner}${field[0]?.toUpperCase()}${field.slice(1)}!`
  if (shape instanceof z.ZodNumber) return "Float!"
  if (shape instanceof z.ZodBoolean) return "Boolean!"
  return shape instanceof z.ZodISODateTime ? "DateTime!" : "String!"
}

/** The type, and those of its fields that are objects. */
function graphTypes(name: string, { shape }: z.ZodObject): readonly string[] {
  const fields = Object.entries(shape) as [string, z.ZodType][]
  const lines = fields.map(([field, type]) => `  ${field}: ${graphField(name, field, type)}`)
  const inner = fields.flatMap(([field, type]) => {
    const bare = type instanceof z.ZodNullable ? type.unwrap() : type
    if (!(bare instanceof z.ZodObject)) return []
    return graphTypes(`${name}${field[0]?.toUpperCase()}${field.slice(1)}`, bare)
  })
  return [`type ${name} {\n${lines.join("\n")}\n}`, ...inner]
}

export const MERCHANT_PAYMENT_FIELDS = Object.keys(
  merchantPayment.shape,
) as readonly (keyof MerchantPayment)[]

/** The fields in GraphQL, from which Medusa generates the types of a shop's `query.graph`. */
export const MERCHANT_PAYMENT_GRAPH = [
  "scalar DateTime",
  ...graphTypes("MerchantPayment", merchantPayment),
].join("\n\n")
