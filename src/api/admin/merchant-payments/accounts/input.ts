/** Parses what admins send about accounts, fees and regions. */
import type { AuthenticatedMedusaRequest } from "@medusajs/framework/http"
import { z } from "zod"
import { invalidAs } from "../../../../core/refusal"
import type { AccountDeps } from "../../../../accounts/deps"
import { type AccountId, type AdminId, type CredentialId, idFrom } from "../../../../core/ids"
import { settingShapes } from "../../../../medusa/setting-shapes"
import { accountsFrom } from "../../../../medusa/wiring/flows-from"
import { adminRoute } from "../../../respond"
import { currency, shapedIn } from "../../../shape"

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

const amounts = z
  .record(z.string().regex(/^([A-Z]{3}|\*)$/, invalidAs("amounts")), z.number().min(0).max(1e13))
  .refine((given) => Object.keys(given).length <= 20, invalidAs("too_many"))

const address = printable(500)
const names = z
  .record(z.string().regex(/^[A-Za-z0-9][\w.-]{0,99}$/, invalidAs("printable")), text(200))
  .refine((given) => Object.keys(given).length <= 100, invalidAs("too_many"))

const fields = {
  ...settingShapes({
    amounts,
    text: text(100),
    address,
    currencies: z.array(currency).max(20),
    names,
  }),
  base_url: address.optional(),
  client_id: printable(500).optional(),
  client_secret: printable(500).optional(),
  is_default: z.boolean().optional(),
}

export const accountBody = z.strictObject(fields)
export const accountChangeBody = z.strictObject({
  ...fields,
  version: z.int().min(1).max(2_147_483_647),
})

const accountId = printable(100).transform((text) => idFrom<AccountId>(text))

export const feesQuery = z.object({ account_id: accountId.optional() })

export const predictionQuery = z.object({
  account_id: accountId.optional(),
  amount: z.string().regex(/^\d{1,13}(\.\d{1,6})?$/, invalidAs("amount")),
  currency,
  payment_method: printable(100),
  payer_currency: currency.optional(),
  bearer: z.enum(["PAYER", "PAYEE"]).optional(),
})

export const enableBody = z.strictObject({
  provider_ids: z.array(printable(100)).min(1).max(10).optional(),
})

/** An admin's route whose `work` gets the dependencies of the flows about accounts. */
export const accountsRoute = <Body extends object>(
  work: (deps: AccountDeps, request: AuthenticatedMedusaRequest, adminId: AdminId) => Promise<Body>,
) => adminRoute((_deps, request, adminId) => work(accountsFrom(request.scope), request, adminId))

/** @throws Refusal `account_not_found` if the id in the address has an impossible shape */
export function accountIdIn(request: AuthenticatedMedusaRequest): AccountId {
  return idFrom(shapedIn(request.params, "account_not_found"))
}

/** As {@link accountIdIn}, for the id of a credential. */
export function credentialIdIn(request: AuthenticatedMedusaRequest): CredentialId {
  return idFrom(shapedIn(request.params, "account_not_found", "credential_id"))
}
