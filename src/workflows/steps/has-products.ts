import type { CartLineItemDTO, ProductVariantDTO } from "@medusajs/framework/types"
import { MedusaError } from "@medusajs/framework/utils"
import { createStep, StepResponse } from "@medusajs/framework/workflows-sdk"

type Item = CartLineItemDTO & { readonly variant?: ProductVariantDTO | null }

const hasProductsStepId = "merchant-payments-has-products"

/**
 * `complete-cart` ends in a TypeError where a piece to be shipped has lost its variant, and refuses
 * a variant without a product (`validate-shipping.js`, `prepare-line-item-data.js` of 2.21.2).
 */
export const hasProductsStep = createStep(
  hasProductsStepId,
  async ({ items }: { readonly items: readonly Item[] }) => {
    const lost = items.filter(({ variant, requires_shipping }) =>
      variant ? !variant.product : requires_shipping,
    )
    if (lost.length > 0) {
      const titles = lost.map(({ title }) => title).join(", ")
      throw new MedusaError(MedusaError.Types.INVALID_DATA, `No longer sold: ${titles}`)
    }
    return new StepResponse(null)
  },
)
