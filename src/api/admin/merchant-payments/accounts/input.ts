/** Parses what admins send about accounts, fees and regions. */
import type { AuthenticatedMedusaRequest } from "@medusajs/framework/http"
import { z } from "zod"
import { invalidAs } from "../../../../core/refusal"
import type { AccountDeps } from "../../../../accounts/deps"
import { accountsFrom } from "../../../../medusa/wiring/accounts-from"
import { adminRoute } from "../../../respond"
import { shapedIn } from "../../../shape"

/**
 * Any script's letters, digits and marks. Control and format characters are refused: they could
 * break a terminal, a page or a table.
 */
const text = (longest: number) =>
  z
    .string()
    .trim()
    .max(longest)
    .regex(/^[^\p{C}]+$/u, invalidAs("text"))
const printable = (longest: number) =>
  z
    .string()
    .trim()
    .max(longest)
    .regex(/^[\x21-\x7e]+$/, invalidAs("printable"))
const currency = z.string().regex(/^[A-Za-z]{3}$/, invalidAs("currency"))
const minutes = z.int().min(1).max(1_440)

const amounts = z
  .record(z.string().regex(/^([A-Z]{3}|\*)$/, invalidAs("amounts")), z.number().min(0).max(1e13))
  .refine((given) => Object.keys(given).length <= 20, invalidAs("too_many"))

const accountFields = {
  label: text(100).optional(),
  base_url: printable(500).optional(),
  realtime_url: printable(500).nullish(),
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
    .record(z.string().regex(/^[A-Za-z0-9][\w.-]{0,99}$/, invalidAs("printable")), text(200))
    .refine((names) => Object.keys(names).length <= 100, invalidAs("too_many"))
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
  amount: z.string().regex(/^\d{1,13}(\.\d{1,6})?$/, invalidAs("amount")),
  currency,
  payment_method: printable(100),
  payer_currency: currency.optional(),
  bearer: z.enum(["PAYER", "PAYEE"]).optional(),
})

export const enableBody = z.strictObject({
  provider_ids: z.array(printable(100)).min(1).max(10).optional(),
})

/** A route about accounts. */
export const accountsRoute = <Body extends object>(
  work: (deps: AccountDeps, request: AuthenticatedMedusaRequest, adminId: string) => Promise<Body>,
) => adminRoute((_deps, request, adminId) => work(accountsFrom(request.scope), request, adminId))

/** @throws Refusal `account_not_found` if it has not the shape of an id */
export function idIn(request: AuthenticatedMedusaRequest, name = "id"): string {
  return shapedIn(request.params, "account_not_found", name)
}
