/** Parses every body and query of the store's routes. */
import { z } from "zod"
import { type CartId, idFrom } from "../core/ids"
import type { ShownSession } from "../core/operation"
import { invalid, invalidAs, isInvalidSituation, type Refusal } from "../core/refusal"
import { PAPER_LANGUAGES } from "../papers/words"
import { currency, id, idOf, phone } from "./shape"

const address = z.string().max(2_000)

export const methodsQuery = z.object({ cart_id: idOf<CartId>() })

export const quoteQuery = z.object({
  cart_id: idOf<CartId>(),
  payment_method: id,
  payer_currency: currency.optional(),
})

export const operatorBody = z.object({ phone, country_code: z.string().length(2).optional() })

export const startBody = z.object({
  phone: phone.nullish(),
  payment_method: id.nullish(),
  payer_currency: z.string().length(3).nullish(),
  card_token: z
    .string()
    .regex(/^[\x21-\x7e]{1,500}$/, invalidAs("printable"))
    .nullish(),
  captcha_token: z
    .string()
    .regex(/^[\x21-\x7e]{1,8192}$/, invalidAs("printable"))
    .nullish(),
  expected_payer_amount: z.number().positive(invalidAs("positive")).max(1e15).nullish(),
  success_url: address.nullish(),
  cancel_url: address.nullish(),
})

export const returnQuery = z.object({ result: z.enum(["success", "cancel"]).catch("success") })

/** A customer's link may have been cut or added to; a language that is not known is no mistake. */
export const paperQuery = z.object({
  lang: z.enum(PAPER_LANGUAGES).optional().catch(undefined),
})

const sessionsResponse = z.object({
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

/** The payment sessions in Medusa's response to a storefront; none if it is another response. */
export function sessionsIn(body: unknown): ShownSession[] {
  const result = sessionsResponse.safeParse(body)
  if (!result.success) return []
  return result.data.payment_collection.payment_sessions.map((session) => ({
    id: idFrom(session.id),
    providerId: session.provider_id,
    amount: session.amount,
    currency: session.currency_code,
  }))
}

/**
 * @throws Refusal `invalid_request`, naming the field. It repeats no given key or value: a secret
 * may stand where a name is expected
 */
export function parsed<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value ?? {})
  if (result.success) return result.data
  const [issue] = result.error.issues
  const field = knownNames(schema, issue?.path ?? []).join(".") || null
  throw issue ? refusalOf(field, issue) : invalid(field)
}

/** A schema's own message is a situation; otherwise the kind of Zod's issue decides. */
function refusalOf(field: string | null, issue: z.core.$ZodIssue): Refusal {
  if (isInvalidSituation(issue.message)) return invalid(field, issue.message)
  switch (issue.code) {
    case "invalid_type":
      return invalid(field, "type", { expected: issue.expected })
    case "invalid_value":
      return invalid(field, "one_of", { expected: issue.values.map(String) })
    case "too_small":
      return invalid(field, "at_least", { least: Number(issue.minimum) })
    case "too_big":
      return invalid(field, "at_most", { most: Number(issue.maximum) })
    case "unrecognized_keys":
      return invalid(field, "unknown_field")
    case "invalid_key":
      return issue.issues[0] ? refusalOf(field, issue.issues[0]) : invalid(field)
    default:
      return invalid(field)
  }
}

/** The part of an issue's path that the schema names; below a record the names are the caller's. */
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
