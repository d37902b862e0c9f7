/** What admins may say about accounts, fees and regions, parsed before anything reads it. */
import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { z } from "zod"
import { Refusal } from "../../../../core/refusal"
import type { AccountDeps } from "../../../../flows/accounts/deps"
import { accountsFrom } from "../../../../modules/merchant-payments/wiring/accounts-from"
import { answer } from "../../../answer"
import { shapedIn } from "../../../shape"

/** Letters, digits and marks of any script: nothing that a terminal, a page or a table stumbles over. */
const text = (longest: number) =>
  z
    .string()
    .trim()
    .max(longest)
    .regex(/^[^\p{C}]+$/u, "empty, or with characters that can't be shown")
const printable = (longest: number) =>
  z
    .string()
    .trim()
    .max(longest)
    .regex(/^[\x21-\x7e]+$/, "letters, digits and signs, without spaces")
const currency = z.string().regex(/^[A-Za-z]{3}$/, "three letters, as in USD")
const minutes = z.int().min(1).max(1_440)

const amounts = z
  .record(z.string().regex(/^([A-Z]{3}|\*)$/, "a currency, or *"), z.number().min(0).max(1e13))
  .refine((given) => Object.keys(given).length <= 20, "too many")

const accountFields = {
  label: text(100).optional(),
  base_url: printable(500).optional(),
  client_id: printable(500).optional(),
  client_secret: printable(500).optional(),
  source_kind: z.enum(["ORDER", "INVOICE"]).optional(),
  fee_bearer: z.enum(["PAYER", "PAYEE"]).nullish(),
  order_placement: z.enum(["pay_first", "order_first"]).optional(),
  currencies: z.array(currency).max(20).optional(),
  push_window_minutes: minutes.optional(),
  hosted_window_minutes: minutes.optional(),
  policies: z
    .strictObject({
      refund_orphans: z.boolean().optional(),
      refund_currency: z.literal("SOURCE").nullish(),
      refund_second_admin_above: amounts.nullish(),
      money_out: z.boolean().optional(),
      money_out_daily_cap: amounts.nullish(),
      money_out_second_admin_above: amounts.nullish(),
      money_out_by_api_key: z.boolean().optional(),
    })
    .optional(),
  wire_names: z
    .record(z.string().regex(/^[A-Za-z0-9][\w.-]{0,99}$/, "a name of the wire"), text(200))
    .refine((names) => Object.keys(names).length <= 100, "too many")
    .optional(),
  is_default: z.boolean().optional(),
}

export const accountBody = z.strictObject(accountFields)
export const accountChangeBody = z.strictObject({
  ...accountFields,
  version: z.int().min(1).max(2_147_483_647),
})

export const feesQuery = z.object({ account_id: printable(100).optional() })

export const predictionQuery = z.object({
  account_id: printable(100).optional(),
  amount: z.string().regex(/^\d{1,13}(\.\d{1,6})?$/, "an amount, as in 19.99"),
  currency,
  payment_method: printable(100),
  payer_currency: currency.optional(),
  bearer: z.enum(["PAYER", "PAYEE"]).optional(),
})

export const enableBody = z.strictObject({
  provider_ids: z.array(printable(100)).min(1).max(10).optional(),
})

/** As `answer`, for the routes about accounts. */
export function answerAccounts(
  request: AuthenticatedMedusaRequest,
  response: MedusaResponse,
  work: (deps: AccountDeps, adminId: string) => Promise<object>,
): Promise<void> {
  const { actor_id: adminId } = request.auth_context
  return answer(request, response, () => work(accountsFrom(request.scope), adminId))
}

/** @throws Refusal `account_not_found` for what can be no id */
export function idIn(request: AuthenticatedMedusaRequest, name = "id"): string {
  return shapedIn(
    request.params,
    () => new Refusal("account_not_found", "There is no such account."),
    name,
  )
}
