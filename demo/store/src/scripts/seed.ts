/**
 * Fills the demo store: regions, taxes, shipping, products, stock, a code, an administrator.
 *
 * Runs at every start (`npx medusa exec` can run it, too). Once all of it is there, a mark on the
 * store says so and nothing is touched again: what a person changed in the admin stays.
 */
import type { ExecArgs, MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { ensureProducts, ensureWelcomeCode } from "../seed/goods"
import { ensureRegions, ensureShipping, ensureStockLocation, ensureTaxes } from "../seed/places"
import {
  ensureAdministrator,
  ensureCurrencies,
  ensureDefaultRegion,
  shopDefaults,
} from "../seed/shop"

const MARK = "demo_seeded"

/** @returns the key that the storefront sends */
export default async function seed({ container }: ExecArgs): Promise<{ publishableKey: string }> {
  const { storeId, salesChannelId, publishableKey } = await shopDefaults(container)
  const stores = container.resolve(Modules.STORE)
  const { metadata } = await stores.retrieveStore(storeId)
  if (metadata?.[MARK]) return { publishableKey }

  await fill(container, storeId, salesChannelId)
  await stores.updateStores(storeId, { metadata: { ...metadata, [MARK]: true } })
  return { publishableKey }
}

async function fill(
  container: MedusaContainer,
  storeId: string,
  salesChannelId: string,
): Promise<void> {
  await ensureCurrencies(container, storeId)
  await ensureDefaultRegion(container, storeId, await ensureRegions(container))
  await ensureTaxes(container)
  const stockLocationId = await ensureStockLocation(container, salesChannelId)
  const shippingProfileId = await ensureShipping(container, stockLocationId)
  await ensureProducts(container, { salesChannelId, shippingProfileId, stockLocationId })
  await ensureWelcomeCode(container)
  await ensureAdministrator(container, {
    email: process.env.DEMO_ADMIN_EMAIL ?? "admin@example.com",
    password: process.env.DEMO_ADMIN_PASSWORD ?? "supersecret",
  })
}
