import type { Harness } from "./harness"

/** As if somebody counted the shelf: what is there of a product, reserved or not. */
export async function setStock(harness: Harness, handle: string, quantity: number): Promise<void> {
  await harness.sql(
    `update inventory_level set stocked_quantity = $1::numeric,
            raw_stocked_quantity = jsonb_build_object('value', $1::text, 'precision', 20)
      where inventory_item_id in (
            select inventory_item_id from product_variant_inventory_item where variant_id = $2)`,
    [quantity, await harness.shop.variant(handle)],
  )
}

/**
 * Acts, one after the other, while Medusa's completions can't write an order's link to its cart.
 */
export async function whileUnlinked(
  harness: Harness,
  ...acts: readonly (() => unknown)[]
): Promise<void> {
  await harness.sql("begin")
  await harness.sql("lock table order_cart in share mode")
  try {
    for (const act of acts) await act()
  } finally {
    await harness.sql("commit")
  }
}
