/**
 * The content of a cart or an order, from Medusa's query engine. Line totals after discount and tax
 * are Medusa's own.
 */
import type {
  BigNumberValue,
  MedusaContainer,
  OrderDTO,
  RemoteQueryFunction,
} from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import type { CartId, OrderId } from "../../core/ids"
import { rowsOf, type Database } from "../../ledger/database"
import type { MedusaBasket } from "../../engine/medusa-port"
import { BUYER, refusedBy, type Buyer } from "./readiness"

type Query = Omit<RemoteQueryFunction, symbol>

const CART_FIELDS = [
  "id",
  "total",
  "items.title",
  "items.product_title",
  "items.quantity",
  "items.total",
  "items.tax_lines.*",
  "items.adjustments.*",
  "shipping_methods.name",
  "shipping_methods.total",
  "shipping_methods.tax_lines.*",
  "shipping_methods.adjustments.*",
  "credit_lines.*",
]

const ORDER_FIELDS = [
  "id",
  "display_id",
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

/** A cart's fields are named as an order's. */
type Basket = Partial<
  Pick<
    OrderDTO,
    "display_id" | "email" | "total" | "items" | "shipping_methods" | "shipping_address"
  >
>

/** Lines, total and what is missing come from Medusa; buyer and address from one SQL statement. */
export async function basketOfCart(
  container: MedusaContainer,
  database: Database,
  cartId: CartId,
): Promise<MedusaBasket | undefined> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const [{ data }, shop, [buyer]] = await Promise.all([
    query.graph({ entity: "cart", fields: CART_FIELDS, filters: { id: cartId } }),
    shopName(query),
    rowsOf<Buyer>(database, BUYER, [cartId]),
  ])
  const cart = data[0] as Basket | undefined
  if (!cart || !buyer) return undefined
  const refused = await refusedBy(container, cartId)
  return {
    ...linesFrom(cart),
    ...buyer,
    title: shop,
    missing: refused === undefined ? buyer.missing : [...buyer.missing, refused],
  }
}

export async function basketOfOrder(
  query: Query,
  orderId: OrderId,
): Promise<MedusaBasket | undefined> {
  const [{ data }, shop] = await Promise.all([
    query.graph({ entity: "order", fields: ORDER_FIELDS, filters: { id: orderId } }),
    shopName(query),
  ])
  const order = data[0] as Basket | undefined
  if (!order) return undefined
  const address = order.shipping_address
  return {
    ...linesFrom(order),
    title: order.display_id === undefined ? shop : `${shop} #${order.display_id}`,
    email: order.email ?? null,
    phone: address?.phone ?? null,
    name: [address?.first_name, address?.last_name].filter(Boolean).join(" ") || null,
    country: address?.country_code ?? null,
    missing: [],
  }
}

/** As the merchant has named the store in Medusa. */
async function shopName(query: Query): Promise<string> {
  const { data } = await query.graph({ entity: "store", fields: ["name"] })
  const [store] = data as { readonly name?: string | null }[]
  return store?.name || "Online order"
}

function linesFrom(basket: Basket): Pick<MedusaBasket, "positions" | "total"> {
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
  }
}

/** Medusa's amounts are numbers or its own big numbers; both print as exact decimals. */
function amountText(amount: BigNumberValue | null | undefined): string {
  return amount === null || amount === undefined ? "0" : String(amount)
}

function present<T>(list: readonly (T | null)[] | null | undefined): T[] {
  return (list ?? []).filter((entry): entry is T & {} => entry !== null)
}
