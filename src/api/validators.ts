/** Every body and query of our routes, parsed before anything reads it. */
import { z } from "zod"
import { Refusal } from "../core/refusal"

const phone = z.string().max(40)
const address = z.string().max(2_000)

export const methodsQuery = z.object({ cart_id: z.string().min(1).max(100) })

export const operatorBody = z.object({ phone, country_code: z.string().length(2).optional() })

export const startBody = z.object({
  phone: phone.nullish(),
  payment_method: z.string().min(1).max(100).nullish(),
  payer_currency: z.string().length(3).nullish(),
  success_url: address.nullish(),
  cancel_url: address.nullish(),
})

export const returnQuery = z.object({ result: z.enum(["success", "cancel"]).catch("success") })

/** @throws Refusal `invalid_request`, naming the field */
export function parsed<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value ?? {})
  if (result.success) return result.data
  const [issue] = result.error.issues
  const field = issue?.path.join(".") ?? ""
  throw new Refusal("invalid_request", `${field || "body"}: ${issue?.message ?? "not valid"}`, {
    field: field || null,
  })
}
