/**
 * The content of a cart or an order, from Medusa's query engine. Line totals after discount and tax
 * are Medusa's own.
 */
import type { MedusaContainer, OrderDTO, RemoteQueryFunction } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import type { CartId, OrderId } from "../../core/ids"
import { rowsOf, type Database } from "../../ledger/database"
import type { MedusaBasket } from "../../engine/medusa-port"
import { linesOf, type Basket } from "./basket-lines"
import { OPEN_ORDER_FIELDS, openOrderOf, type ReadOrder } from "./open-order"
import { askReadiness, BUYER, type Buyer } from "./readiness"
import type { SessionReader } from "./session-reader"
import { soldOutOf, type StockedBasket } from "./sold-out"

type OrderBasket = Basket &
  ReadOrder &
  Partial<Pick<OrderDTO, "display_id" | "email" | "shipping_address">>

type Query = Omit<RemoteQueryFunction, symbol>

const CART_FIELDS = [
  "id",
  "total",
  "sales_channel_id",
  "items.title",
  "items.product_title",
  "items.quantity",
  "items.total",
  "items.variant_id",
  "items.variant.manage_inventory",
  "items.tax_lines.*",
  "items.adjustments.*",
  "shipping_methods.name",
  "shipping_methods.total",
  "shipping_methods.tax_lines.*",
  "shipping_methods.adjustments.*",
  "credit_lines.*",
]

const ORDER_FIELDS = [
  ...OPEN_ORDER_FIELDS,
  "display_id",
  "email",
  "items.*",
  "items.tax_lines.*",
  "items.adjustments.*",
  "shipping_methods.*",
  "shipping_methods.tax_lines.*",
  "shipping_methods.adjustments.*",
  "credit_lines.*",
  "shipping_address.*",
]

/**
 * Lines, total and what is missing come from Medusa, with the answer whether the cart can be
 * ordered; buyer and address from one SQL statement.
 */
export async function basketOfCart(
  container: MedusaContainer,
  database: Database,
  cartId: CartId,
): Promise<MedusaBasket | undefined> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const [shop, [buyer]] = await Promise.all([
    shopName(query),
    rowsOf<Buyer>(database, BUYER, [cartId]),
  ])
  if (!buyer) return undefined
  const ready = await askReadiness(container, cartId)
  // Medusa says nothing of a cart that it refuses, so that one is read by itself.
  const refused = ready.lines ? undefined : await readCart(query, cartId)
  const lines = ready.lines ?? (refused && linesOf(refused))
  if (!lines) return undefined
  return {
    ...lines,
    ...buyer,
    title: shop,
    missing: ready.missing === undefined ? buyer.missing : [...buyer.missing, ready.missing],
    soldOut: refused && ready.missing === "stock" ? await soldOutOf(container, refused) : [],
    order: null,
  }
}

async function readCart(query: Query, cartId: CartId): Promise<StockedBasket | undefined> {
  const { data } = await query.graph({
    entity: "cart",
    fields: CART_FIELDS,
    filters: { id: cartId },
  })
  return data[0] as StockedBasket | undefined
}

/** Medusa's sum alone: it may be asked just before money moves. */
export async function cartTotal(query: Query, cartId: CartId): Promise<string | undefined> {
  const { data } = await query.graph({
    entity: "cart",
    fields: ["id", "total"],
    filters: { id: cartId },
  })
  const cart = data[0] as Basket | undefined
  return cart && linesOf(cart).total
}

export async function basketOfOrder(
  query: Query,
  reader: Pick<SessionReader, "uncapturedOf">,
  orderId: OrderId,
): Promise<MedusaBasket | undefined> {
  const [{ data }, uncapturedIn, shop] = await Promise.all([
    query.graph({ entity: "order", fields: ORDER_FIELDS, filters: { id: orderId } }),
    reader.uncapturedOf(orderId),
    shopName(query),
  ])
  const order = data[0] as OrderBasket | undefined
  if (!order) return undefined
  const address = order.shipping_address
  return {
    ...linesOf(order),
    title: order.display_id === undefined ? shop : `${shop} #${order.display_id}`,
    email: order.email ?? null,
    phone: address?.phone ?? null,
    name: [address?.first_name, address?.last_name].filter(Boolean).join(" ") || null,
    country: address?.country_code ?? null,
    missing: [],
    soldOut: [],
    order: openOrderOf(order, uncapturedIn),
  }
}

/** As the merchant has named the store in Medusa. */
async function shopName(query: Query): Promise<string> {
  const { data } = await query.graph({ entity: "store", fields: ["name"] })
  const [store] = data as { readonly name?: string | null }[]
  return store?.name || "Online order"
}
