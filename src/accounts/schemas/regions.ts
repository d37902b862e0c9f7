/** Where the plugin's payment providers are offered. */
import { z } from "zod"
import { PROVIDER_FLOWS } from "../../core/flows"
import { type Output, text, trimmedPrintable } from "../../core/schemas/shapes"

export const regionResponse = z.strictObject({
  id: text,
  name: text,
  currency_code: text,
  /** ISO two letters, lower case. */
  countries: z.array(text),
  /** Our providers; cards on the shop's own page are listed only if the merchant has added them. */
  providers: z.array(
    z.strictObject({
      provider_id: text,
      flow: z.enum(PROVIDER_FLOWS),
      is_enabled: z.boolean(),
    }),
  ),
  /** The account that takes the region's currency; null if none does. */
  account_id: text.nullable(),
})
export type RegionResponse = Output<typeof regionResponse>

/** `GET regions` */
export const regionsResponse = z.strictObject({
  regions: z.array(regionResponse),
})
export type RegionsResponse = Output<typeof regionsResponse>

export const oneRegionResponse = z.strictObject({ region: regionResponse })

/** Without ids, the providers that put no card fields on the shop's page. */
export const enableBody = z.strictObject({
  provider_ids: z.array(trimmedPrintable(100)).min(1).max(10).optional(),
})
