/**
 * The settings of this shop. They are read at run time, from the page where its server puts them
 * there, else from `/config.json` next to it: one build serves every store and every port.
 */
import { recordOf, textOf } from "./api/wire"

type OrderPlacement = "pay_first" | "order_first"

export type ShopConfig = {
  /** Origin of the Medusa store, without a trailing slash. */
  storeApiUrl: string
  publishableKey: string
  /** Origin of the gateway simulator; null where the store talks to another gateway. */
  simulatorUrl: string | null
  /** Whether the order is placed before the money is there. Must agree with the store's account. */
  orderPlacement: OrderPlacement
  /** Where shoppers ask about a payment. */
  contactEmail: string | null
  contactPhone: string | null
}

/** @throws Error when the file is missing or lacks the store's address or key. */
export async function loadConfig(): Promise<ShopConfig> {
  const file = recordOf(await settings())
  const storeApiUrl = textOf(file.store_api_url)
  const publishableKey = textOf(file.publishable_key)
  if (storeApiUrl === null || publishableKey === null) {
    throw new Error("/config.json needs store_api_url and publishable_key")
  }
  return {
    storeApiUrl,
    publishableKey,
    simulatorUrl: textOf(file.simulator_url),
    orderPlacement: file.order_placement === "order_first" ? "order_first" : "pay_first",
    contactEmail: textOf(file.contact_email),
    contactPhone: textOf(file.contact_phone),
  }
}

async function settings(): Promise<unknown> {
  const inPage = document.getElementById("settings")?.textContent
  if (inPage) return JSON.parse(inPage)
  const response = await fetch("/config.json", { cache: "no-store" })
  if (!response.ok) throw new Error(`/config.json answered ${response.status}`)
  return response.json()
}
