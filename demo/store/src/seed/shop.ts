/** The shop itself: its name, its currencies, its administrator and the key of its storefront. */
import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { createUsersWorkflow, updateStoresWorkflow } from "@medusajs/medusa/core-flows"
import { REGIONS } from "./catalogue"

const SHOP_NAME = "Harbour & Hills"

/** @returns what Medusa made by itself when the store first booted */
export async function shopDefaults(
  container: MedusaContainer,
): Promise<{ storeId: string; salesChannelId: string; publishableKey: string }> {
  const [store] = await container.resolve(Modules.STORE).listStores({})
  const [key] = await container.resolve(Modules.API_KEY).listApiKeys({ type: "publishable" })
  if (!store?.default_sales_channel_id || !key) {
    throw new Error("Medusa made no store, no sales channel or no publishable key.")
  }
  return {
    storeId: store.id,
    salesChannelId: store.default_sales_channel_id,
    publishableKey: key.token,
  }
}

/** Prices and regions need the currencies first. */
export async function ensureCurrencies(container: MedusaContainer, storeId: string): Promise<void> {
  const supported_currencies = REGIONS.map(({ currency }) => ({
    currency_code: currency,
    is_default: currency === "usd",
  }))
  await updateStoresWorkflow(container).run({
    input: { selector: { id: storeId }, update: { name: SHOP_NAME, supported_currencies } },
  })
}

export async function ensureDefaultRegion(
  container: MedusaContainer,
  storeId: string,
  regionId: string,
): Promise<void> {
  await updateStoresWorkflow(container).run({
    input: { selector: { id: storeId }, update: { default_region_id: regionId } },
  })
}

/** @throws if the login exists and is not this administrator's */
export async function ensureAdministrator(
  container: MedusaContainer,
  { email, password }: { email: string; password: string },
): Promise<void> {
  const [known] = await container.resolve(Modules.USER).listUsers({ email })
  const user = known ?? (await makeUser(container, email))

  const auth = container.resolve(Modules.AUTH)
  const login = { entity_id: email, provider: "emailpass" }
  const [registered] = await auth.listProviderIdentities(login)
  if (registered) return
  const { authIdentity, error } = await auth.register("emailpass", { body: { email, password } })
  if (!authIdentity) throw new Error(error ?? "Medusa did not register the administrator.")
  await auth.updateAuthIdentities({ id: authIdentity.id, app_metadata: { user_id: user.id } })
}

async function makeUser(container: MedusaContainer, email: string): Promise<{ id: string }> {
  const { result } = await createUsersWorkflow(container).run({ input: { users: [{ email }] } })
  const [user] = result
  if (!user) throw new Error("Medusa made no user.")
  return user
}
