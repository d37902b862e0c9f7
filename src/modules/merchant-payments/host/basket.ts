/**
 * What a cart or an order holds, through Medusa's query engine: line totals after discount and tax are
 * Medusa's own computation and are taken as they are.
 */
import type { RemoteQueryFunction } from "@medusajs/framework/types"
import { getVariantAvailability } from "@medusajs/framework/utils"
import type { HostBasket, MissingPart } from "../../../flows/host"

type Query = Omit<RemoteQueryFunction, symbol>

const CART_FIELDS = [
  "id",
  "email",
  "currency_code",
  "sales_channel_id",
  "total",
  "items.id",
  "items.title",
  "items.product_title",
  "items.quantity",
  "items.total",
  "items.requires_shipping",
  "items.variant_id",
  "items.variant.manage_inventory",
  "items.variant.allow_backorder",
  "items.variant.product.shipping_profile.id",
  "items.tax_lines.*",
  "items.adjustments.*",
  "shipping_methods.id",
  "shipping_methods.name",
  "shipping_methods.total",
  "shipping_methods.shipping_option_id",
  "shipping_methods.shipping_option.shipping_profile_id",
  "shipping_methods.tax_lines.*",
  "shipping_methods.adjustments.*",
  "shipping_address.first_name",
  "shipping_address.last_name",
  "shipping_address.phone",
  "shipping_address.country_code",
  "shipping_address.address_1",
  "region.countries.iso_2",
  "credit_lines.*",
]

const ORDER_FIELDS = [
  "id",
  "email",
  "currency_code",
  "total",
  "items.*",
  "items.tax_lines.*",
  "items.adjustments.*",
  "shipping_methods.*",
  "shipping_methods.tax_lines.*",
  "shipping_methods.adjustments.*",
  "shipping_address.*",
]

type Amount = number | string | { toString(): string } | null | undefined
type Item = {
  id: string
  title?: string | null
  product_title?: string | null
  quantity?: Amount
  total?: Amount
  requires_shipping?: boolean | null
  variant_id?: string | null
  variant?: {
    manage_inventory?: boolean | null
    allow_backorder?: boolean | null
    product?: { shipping_profile?: { id?: string | null } | null } | null
  } | null
}
type Method = {
  name?: string | null
  total?: Amount
  shipping_option?: { shipping_profile_id?: string | null } | null
}
type Address = {
  first_name?: string | null
  last_name?: string | null
  phone?: string | null
  country_code?: string | null
  address_1?: string | null
}
type Basket = {
  email?: string | null
  total?: Amount
  sales_channel_id?: string | null
  items?: (Item | null)[] | null
  shipping_methods?: (Method | null)[] | null
  shipping_address?: Address | null
  region?: { countries?: ({ iso_2?: string | null } | null)[] | null } | null
}

export async function basketOfCart(query: Query, cartId: string): Promise<HostBasket | undefined> {
  const { data } = await query.graph({
    entity: "cart",
    fields: CART_FIELDS,
    filters: { id: cartId },
  })
  const cart = data[0] as Basket | undefined
  if (!cart) return undefined
  return { ...basketFrom(cart), missing: await missingOf(query, cart) }
}

export async function basketOfOrder(
  query: Query,
  orderId: string,
): Promise<HostBasket | undefined> {
  const { data } = await query.graph({
    entity: "order",
    fields: ORDER_FIELDS,
    filters: { id: orderId },
  })
  const order = data[0] as Basket | undefined
  return order && { ...basketFrom(order), missing: [] }
}

export async function totalOfCart(query: Query, cartId: string): Promise<string | undefined> {
  const { data } = await query.graph({
    entity: "cart",
    fields: ["id", "total"],
    filters: { id: cartId },
  })
  const cart = data[0] as Basket | undefined
  return cart && amountText(cart.total)
}

function basketFrom(basket: Basket): Omit<HostBasket, "missing"> {
  const address = basket.shipping_address
  const names = [address?.first_name, address?.last_name].filter(Boolean)
  const countries = present(basket.region?.countries)
  const only = countries.length === 1 ? countries[0]?.iso_2 : undefined
  return {
    positions: [
      ...present(basket.items).map((item) => ({
        title: item.product_title ?? item.title ?? "Item",
        quantity: Number(item.quantity ?? 1),
        total: amountText(item.total),
      })),
      ...present(basket.shipping_methods).map((method) => ({
        title: method.name ?? "Shipping",
        quantity: 1,
        total: amountText(method.total),
      })),
    ],
    total: amountText(basket.total),
    email: basket.email ?? null,
    phone: address?.phone ?? null,
    name: names.length > 0 ? names.join(" ") : null,
    country: address?.country_code ?? only ?? null,
  }
}

/** What `complete-cart` will ask for, asked before any money moves. */
async function missingOf(query: Query, cart: Basket): Promise<MissingPart[]> {
  const items = present(cart.items)
  const methods = present(cart.shipping_methods)
  const missing: MissingPart[] = []
  if (items.length === 0) missing.push("items")
  if (!cart.email) missing.push("email")
  const shipped = items.filter((item) => item.requires_shipping)
  if (shipped.length > 0 && !cart.shipping_address?.address_1) missing.push("shipping_address")
  const offered = methods.map((method) => method.shipping_option?.shipping_profile_id)
  const isShippable = shipped.every((item) =>
    offered.includes(item.variant?.product?.shipping_profile?.id),
  )
  if (!isShippable) missing.push("shipping_method")
  if (!(await isInStock(query, cart, items))) missing.push("stock")
  return missing
}

async function isInStock(query: Query, cart: Basket, items: readonly Item[]): Promise<boolean> {
  const wanted = new Map<string, number>()
  for (const item of items) {
    const isCounted = item.variant?.manage_inventory && !item.variant.allow_backorder
    if (!isCounted || !item.variant_id) continue
    wanted.set(item.variant_id, (wanted.get(item.variant_id) ?? 0) + Number(item.quantity ?? 1))
  }
  if (wanted.size === 0 || !cart.sales_channel_id) return true
  const stock = await getVariantAvailability(query, {
    variant_ids: [...wanted.keys()],
    sales_channel_id: cart.sales_channel_id,
  })
  return [...wanted].every(([id, quantity]) => {
    const availability = stock[id]?.availability
    return availability === null || availability === undefined || availability >= quantity
  })
}

/** Medusa's amounts are numbers or its own big numbers; both print as exact decimals. */
function amountText(amount: Amount): string {
  return amount === null || amount === undefined ? "0" : String(amount)
}

function present<T>(list: readonly (T | null)[] | null | undefined): T[] {
  return (list ?? []).filter((entry): entry is T & {} => entry !== null)
}
