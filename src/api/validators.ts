/** Every body and query of our routes, parsed before anything reads it. */
import { z } from "zod"
import { Refusal } from "../core/refusal"
import type { ShownSession } from "../flows/rebind"
import { id } from "./shape"

const phone = z.string().max(40)
const address = z.string().max(2_000)

export const methodsQuery = z.object({ cart_id: id })

export const quoteQuery = z.object({
  cart_id: id,
  payment_method: id,
  payer_currency: z
    .string()
    .regex(/^[A-Za-z]{3}$/, "not a currency")
    .optional(),
})

export const operatorBody = z.object({ phone, country_code: z.string().length(2).optional() })

export const startBody = z.object({
  phone: phone.nullish(),
  payment_method: id.nullish(),
  payer_currency: z.string().length(3).nullish(),
  expected_payer_amount: z.number().positive().max(1e15).nullish(),
  success_url: address.nullish(),
  cancel_url: address.nullish(),
})

export const returnQuery = z.object({ result: z.enum(["success", "cancel"]).catch("success") })

const sessionsAnswer = z.object({
  payment_collection: z.object({
    payment_sessions: z.array(
      z.object({
        id: z.string(),
        provider_id: z.string(),
        amount: z.union([z.number(), z.string()]).transform(String),
        currency_code: z.string(),
      }),
    ),
  }),
})

/** The payment sessions that Medusa answers a storefront with; none where it answers something else. */
export function sessionsIn(body: unknown): ShownSession[] {
  const result = sessionsAnswer.safeParse(body)
  if (!result.success) return []
  return result.data.payment_collection.payment_sessions.map((session) => ({
    id: session.id,
    providerId: session.provider_id,
    amount: session.amount,
    currency: session.currency_code,
  }))
}

/**
 * @throws Refusal `invalid_request`, naming the field. No key and no value that was given is repeated: a
 *   secret may stand where a name is expected
 */
export function parsed<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value ?? {})
  if (result.success) return result.data
  const [issue] = result.error.issues
  const field = knownNames(schema, issue?.path ?? []).join(".")
  const isUnknownKey = issue?.code === "unrecognized_keys"
  const why = isUnknownKey ? "has a field that is not known" : (issue?.message ?? "not valid")
  throw new Refusal("invalid_request", `${field || "body"}: ${why}`, { field: field || null })
}

/** The part of an issue's path that the schema names itself: below a record the names are the caller's. */
function knownNames(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  const names: string[] = []
  let at: unknown = schema
  for (const name of path) {
    while (at instanceof z.ZodOptional || at instanceof z.ZodNullable) at = at.unwrap()
    if (!(at instanceof z.ZodObject) || typeof name !== "string") break
    names.push(name)
    at = at.shape[name]
  }
  return names
}
