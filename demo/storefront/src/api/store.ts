/**
 * Medusa's own store routes, through its SDK, with the fields that the pages read.
 */
import Medusa from "@medusajs/js-sdk"
import type { ShopConfig } from "../config"
import { words } from "../words"

export type Store = Medusa["store"]

type Entry<List> = List extends readonly (infer One)[] ? One : never

export type Cart = Awaited<ReturnType<Store["cart"]["retrieve"]>>["cart"]
export type CartItem = Entry<Cart["items"]>
export type CartChanges = Parameters<Store["cart"]["update"]>[1]
export type Region = Awaited<ReturnType<Store["region"]["retrieve"]>>["region"]
export type Product = Awaited<ReturnType<Store["product"]["retrieve"]>>["product"]
export type Variant = Entry<Product["variants"]>
export type Order = Awaited<ReturnType<Store["order"]["retrieve"]>>["order"]
export type ShippingOption = Entry<
  Awaited<ReturnType<Store["fulfillment"]["listCartOptions"]>>["shipping_options"]
>

/** What the pages read beyond what a cart answers by itself. */
export const CART_FIELDS = { fields: "+shipping_methods.name,+items.total" } as const
export const PRODUCT_FIELDS = "*variants.calculated_price,+variants.inventory_quantity,*images"

/** Prices with the tax of the region's first country; the cart has those of the address. */
export function pricedFor({ id, countries }: Region): { region_id: string; country_code?: string } {
  const country = countries?.[0]?.iso_2
  return { region_id: id, ...(country && { country_code: country }) }
}

export type Price = { amount: number; currency: string; isWithTax: boolean }

export function priceOf(variant: Variant | undefined): Price | null {
  const price = variant?.calculated_price
  const taxed = price?.calculated_amount_with_tax
  const amount = taxed ?? price?.calculated_amount
  if (amount == null || !price?.currency_code) return null
  return { amount, currency: price.currency_code, isWithTax: taxed != null }
}

export function storeOf(config: ShopConfig): Store {
  const sdk = new Medusa({
    baseUrl: config.storeApiUrl,
    publishableKey: config.publishableKey,
    // The shop has no accounts, so nothing of a login is kept in the browser.
    auth: { type: "jwt", jwtTokenStorageMethod: "nostore" },
  })
  return sdk.store
}

/** HTTP status of a failed SDK call; null when there was no answer. */
export function httpStatusOf(error: unknown): number | null {
  if (!(error instanceof Error) || !("status" in error)) return null
  return typeof error.status === "number" ? error.status : null
}

/** The sentence to show for a failed call. */
export function sentenceOf(error: unknown): string {
  if (error instanceof TypeError) {
    return words.common.noAnswer
  }
  if (error instanceof Error && error.message !== "") return error.message
  return words.common.wentWrong
}
