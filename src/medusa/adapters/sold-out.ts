/** Which items of a cart Medusa has too few of, as its storefront counts what is available. */
import type { BigNumberValue, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, getVariantAvailability } from "@medusajs/framework/utils"
import type { SoldOutItem } from "../../core/cart-lines"
import { present, titleOf, type Basket } from "./basket-lines"

type Item = Parameters<typeof titleOf>[0] & {
  readonly quantity?: BigNumberValue | null
  readonly variant_id?: string | null
  readonly variant?: { readonly manage_inventory?: boolean } | null
}

/** A cart with what its stock is asked by. */
export type StockedBasket = Omit<Basket, "items"> & {
  readonly items?: readonly (Item | null)[] | null
  readonly sales_channel_id?: string | null
}

/**
 * Medusa has refused the cart for its stock. Where the sum of all locations suffices, a single
 * location holds too few: then each item with managed stock is named, without a number.
 */
export async function soldOutOf(
  container: MedusaContainer,
  cart: StockedBasket,
): Promise<readonly SoldOutItem[]> {
  const wanted = new Map<string, { title: string; quantity: number }>()
  for (const item of present(cart.items)) {
    if (!item.variant_id || item.variant?.manage_inventory !== true) continue
    const before = wanted.get(item.variant_id)?.quantity ?? 0
    const quantity = before + Number(item.quantity ?? 1)
    wanted.set(item.variant_id, { title: titleOf(item), quantity })
  }
  const found = await getVariantAvailability(container.resolve(ContainerRegistrationKeys.QUERY), {
    variant_ids: [...wanted.keys()],
    sales_channel_id: cart.sales_channel_id ?? "",
  })
  const counted = [...wanted].map(([id, { title, quantity }]) => ({
    title,
    lacking: quantity - Math.max(0, found[id]?.availability ?? 0),
  }))
  const soldOut = counted.filter(({ lacking }) => lacking > 0)
  return soldOut.length > 0 ? soldOut : counted.map(({ title }) => ({ title, lacking: null }))
}
