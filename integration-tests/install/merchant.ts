/** What a merchant sets up before the first sale, through Medusa's own admin API. */
import { adminAt, type Admin } from "../http/support/admin"
import { expectOk, shopAt, type Shop } from "../http/support/shop"
import type { Store } from "./store"

/** Where the shop sells; a starter has others. */
export const REGION = "Liberia"
export const MERCHANT = { email: "merchant@example.com", password: "a-long-password" }

export type Merchant = {
  readonly admin: Admin
  readonly shop: Shop
  readonly publishableKey: string
}

type Id = { readonly id: string }

/** Logs in; nothing is set up. */
export async function merchantOf({ innerUrl }: Store): Promise<Merchant> {
  const admin = adminAt(shopAt(innerUrl, ""), MERCHANT)
  const { api_keys: keys } = await expectOk(
    admin.call<{ api_keys: { token: string }[] }>("GET", "/admin/api-keys?type=publishable"),
  )
  const publishableKey = keys[0]?.token ?? ""
  return { admin, publishableKey, shop: shopAt(innerUrl, publishableKey) }
}

/** A region, a place with shipping, and one product; no payment provider of ours yet. */
export async function setUpShop({ admin }: Merchant): Promise<{ readonly regionId: string }> {
  const post = <T>(path: string, body: object) =>
    expectOk(admin.call<T>("POST", `/admin/${path}`, body))
  const list = async (kind: string, key: string): Promise<Id> => {
    const answer = await expectOk(admin.call<Record<string, Id[]>>("GET", `/admin/${kind}`))
    const [first] = answer[key] ?? []
    if (!first) throw new Error(`Medusa made no ${kind} by itself.`)
    return first
  }
  const store = await list("stores", "stores")
  const channel = await list("sales-channels", "sales_channels")
  const profile = await list("shipping-profiles", "shipping_profiles")
  await post(`stores/${store.id}`, {
    supported_currencies: [{ currency_code: "lrd", is_default: true }],
  })
  const { region } = await post<{ region: Id }>("regions", {
    ...{ name: REGION, currency_code: "lrd", countries: ["lr"] },
    payment_providers: ["pp_system_default"],
  })
  await post("tax-regions", { country_code: "lr", provider_id: "tp_system" })
  await setUpShipping(post, { channel, profile })
  const key = await list("api-keys?type=publishable", "api_keys")
  await post(`api-keys/${key.id}/sales-channels`, { add: [channel.id] })
  await post("products", {
    ...{ title: "Market tote", handle: "market-tote", status: "published" },
    shipping_profile_id: profile.id,
    options: [{ title: "Size", values: ["One"] }],
    sales_channels: [{ id: channel.id }],
    variants: [
      {
        ...{ title: "One", options: { Size: "One" }, manage_inventory: false },
        prices: [{ currency_code: "lrd", amount: 1_250 }],
      },
    ],
  })
  return { regionId: region.id }
}

async function setUpShipping(
  post: <T>(path: string, body: object) => Promise<T>,
  { channel, profile }: { channel: Id; profile: Id },
): Promise<void> {
  const { stock_location: place } = await post<{ stock_location: Id }>("stock-locations", {
    name: "Monrovia",
    address: { address_1: "1 Main Street", country_code: "lr" },
  })
  const at = `stock-locations/${place.id}`
  await post(`${at}/sales-channels`, { add: [channel.id] })
  await post(`${at}/fulfillment-providers`, { add: ["manual_manual"] })
  const { stock_location: withSets } = await post<{
    stock_location: { fulfillment_sets: Id[] }
  }>(`${at}/fulfillment-sets?fields=*fulfillment_sets`, { name: "Delivery", type: "shipping" })
  const set = withSets.fulfillment_sets[0]?.id ?? ""
  const { fulfillment_set: zones } = await post<{ fulfillment_set: { service_zones: Id[] } }>(
    `fulfillment-sets/${set}/service-zones`,
    { name: "Liberia", geo_zones: [{ type: "country", country_code: "lr" }] },
  )
  await post("shipping-options", {
    ...{ name: "Courier", provider_id: "manual_manual", price_type: "flat", rules: [] },
    service_zone_id: zones.service_zones[0]?.id,
    shipping_profile_id: profile.id,
    type: { label: "Courier", description: "By motorbike", code: "courier" },
    prices: [{ currency_code: "lrd", amount: 200 }],
  })
}

export async function ordersOf({
  admin,
}: Merchant): Promise<
  readonly { readonly id: string; readonly payment_status: string; readonly total: number }[]
> {
  const path = "/admin/orders?fields=id,payment_status,total"
  return (
    await expectOk(
      admin.call<{ orders: { id: string; payment_status: string; total: number }[] }>("GET", path),
    )
  ).orders
}
