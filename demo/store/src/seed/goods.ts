/** The products with their stock, and the welcome code. Each step looks before it makes. */
import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import {
  createInventoryLevelsWorkflow,
  createProductsWorkflow,
  createPromotionsWorkflow,
} from "@medusajs/medusa/core-flows"
import { pricesOf, type Product, PRODUCTS, STOCK_PER_VARIANT, WELCOME_CODE } from "./catalogue"

type Where = {
  readonly salesChannelId: string
  readonly shippingProfileId: string
  readonly stockLocationId: string
}

export async function ensureProducts(container: MedusaContainer, where: Where): Promise<void> {
  const found = await container
    .resolve(Modules.PRODUCT)
    .listProducts({ handle: PRODUCTS.map(({ handle }) => handle) })
  const missing = PRODUCTS.filter(({ handle }) => !found.some((p) => p.handle === handle))
  if (missing.length > 0) {
    await createProductsWorkflow(container).run({
      input: { products: missing.map((product) => asMedusaProduct(product, where)) },
    })
  }
  await ensureStock(container, where.stockLocationId)
}

function asMedusaProduct(product: Product, { salesChannelId, shippingProfileId }: Where) {
  const sizes = product.sizes ?? ["One size"]
  const prices = pricesOf(product.prices)
  return {
    title: product.title,
    handle: product.handle,
    description: product.description,
    weight: product.weightGrams,
    status: "published" as const,
    shipping_profile_id: shippingProfileId,
    thumbnail: product.image,
    images: [{ url: product.image }],
    sales_channels: [{ id: salesChannelId }],
    options: [{ title: "Size", values: [...sizes] }],
    variants: sizes.map((size, index) => ({
      title: size,
      variant_rank: index,
      sku: `${product.handle}-${size.toLowerCase().replaceAll(" ", "-")}`,
      options: { Size: size },
      manage_inventory: true,
      prices,
    })),
  }
}

async function ensureStock(container: MedusaContainer, stockLocationId: string): Promise<void> {
  const inventory = container.resolve(Modules.INVENTORY)
  const items = await inventory.listInventoryItems({}, { select: ["id"], take: null })
  const levels = await inventory.listInventoryLevels(
    { location_id: stockLocationId },
    { select: ["inventory_item_id"], take: null },
  )
  const stocked = new Set(levels.map(({ inventory_item_id }) => inventory_item_id))
  const missing = items.filter(({ id }) => !stocked.has(id))
  if (missing.length === 0) return
  await createInventoryLevelsWorkflow(container).run({
    input: {
      inventory_levels: missing.map(({ id }) => ({
        inventory_item_id: id,
        location_id: stockLocationId,
        stocked_quantity: STOCK_PER_VARIANT,
      })),
    },
  })
}

export async function ensureWelcomeCode(container: MedusaContainer): Promise<void> {
  const { code, percent } = WELCOME_CODE
  const [known] = await container.resolve(Modules.PROMOTION).listPromotions({ code })
  if (known) return
  await createPromotionsWorkflow(container).run({
    input: {
      promotionsData: [
        {
          code,
          type: "standard",
          status: "active",
          is_automatic: false,
          application_method: {
            type: "percentage",
            target_type: "items",
            allocation: "each",
            value: percent,
            max_quantity: 1_000,
          },
        },
      ],
    },
  })
}
