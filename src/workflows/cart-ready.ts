/**
 * Whether `complete-cart` would take a cart now, asked of Medusa's own steps and services before
 * any money moves. The order of the questions and the fields follow `complete-cart` of
 * `@medusajs/core-flows` 2.21.2 (`cart/workflows/complete-cart.js`). Nothing is written.
 */
import { createHook, createWorkflow, transform } from "@medusajs/framework/workflows-sdk"
import { WorkflowResponse, type WorkflowData } from "@medusajs/framework/workflows-sdk"
import {
  confirmVariantInventoryWorkflow,
  useQueryGraphStep,
  validateCartItemsStep,
  validateShippingStep,
} from "@medusajs/medusa/core-flows"
import type {
  CartLineItemDTO,
  CartWorkflowDTO,
  ConfirmVariantInventoryWorkflowInputDTO,
  ProductVariantDTO,
  ShippingOptionDTO,
} from "@medusajs/framework/types"
import { linesOf } from "../medusa/adapters/basket-lines"
import { noteEmptyHook } from "../medusa/adapters/shop-check"
import { canUsePromotionsStep } from "./steps/can-use-promotions"
import { canReserveStep } from "./steps/can-reserve"
import { hasProductsStep } from "./steps/has-products"

export const cartReadyWorkflowId = "merchant-payments-cart-ready"

/** Fields from `completeCartFields` (`cart/utils/fields.js`), which Medusa does not export. */
const CART_FIELDS = [
  "id",
  "currency_code",
  "email",
  "locale",
  "metadata",
  "created_at",
  "updated_at",
  "completed_at",
  "total",
  "subtotal",
  "tax_total",
  "discount_total",
  "item_total",
  "shipping_total",
  "credit_line_total",
  "sales_channel_id",
  "region_id",
  "customer_id",
  "items.*",
  "items.tax_lines.*",
  "items.adjustments.*",
  // Beside what `complete-cart` reads: what the payer is shown.
  "items.total",
  "customer.*",
  "shipping_methods.*",
  "shipping_methods.tax_lines.*",
  "shipping_methods.adjustments.*",
  "shipping_methods.total",
  "shipping_address.*",
  "billing_address.*",
  "region.*",
  "credit_lines.*",
  "payment_collection.*",
  "payment_collection.payment_sessions.*",
  "promotions.id",
  "items.variant.id",
  "items.variant.product.id",
  "items.variant.product.is_giftcard",
  "items.variant.product.shipping_profile.id",
  "items.variant.manage_inventory",
  "items.variant.allow_backorder",
  "items.variant.inventory_items.inventory_item_id",
  "items.variant.inventory_items.required_quantity",
  "items.variant.inventory_items.inventory.requires_shipping",
  "items.variant.inventory_items.inventory.location_levels.stocked_quantity",
  "items.variant.inventory_items.inventory.location_levels.reserved_quantity",
  "items.variant.inventory_items.inventory.location_levels.raw_stocked_quantity",
  "items.variant.inventory_items.inventory.location_levels.raw_reserved_quantity",
  "items.variant.inventory_items.inventory.location_levels.location_id",
  "items.variant.inventory_items.inventory.location_levels.stock_locations.id",
  "items.variant.inventory_items.inventory.location_levels.stock_locations.name",
  "items.variant.inventory_items.inventory.location_levels.stock_locations.sales_channels.id",
  "items.variant.inventory_items.inventory.location_levels.stock_locations.sales_channels.name",
]

type Stocked = ConfirmVariantInventoryWorkflowInputDTO["variants"][number]
type Item = CartLineItemDTO & { variant: ProductVariantDTO & Stocked }
type ReadyCart = Omit<CartWorkflowDTO, "items"> & {
  items: Item[]
  promotions?: (Pick<CartLineItemDTO, "id"> | null)[]
}

/**
 * The hook `validate` gets what `complete-cart` gives its own hook of that name, and runs last. A
 * handler that throws keeps the cart from being paid.
 */
export const cartReadyWorkflow = createWorkflow(
  cartReadyWorkflowId,
  (input: WorkflowData<{ id: string }>) => {
    // Named as in complete-cart, so that a handler of its hook finds the cart here, too.
    const queried = useQueryGraphStep({
      entity: "cart",
      fields: CART_FIELDS,
      filters: { id: input.id },
      options: { isList: false },
    }).config({ name: "cart-query" })
    const cart = transform({ queried }, ({ queried }) => queried.data as ReadyCart)
    validateCartItemsStep({ cart })
    hasProductsStep({ items: cart.items })
    const optionIds = transform({ cart }, ({ cart }) =>
      (cart.shipping_methods ?? []).flatMap((method) => method.shipping_option_id ?? []),
    )
    const options = useQueryGraphStep({
      entity: "shipping_option",
      fields: ["id", "shipping_profile_id"],
      filters: { id: optionIds },
    }).config({ name: "shipping-options-query" })
    const shippingOptions = transform(
      { options },
      ({ options }) => options.data as ShippingOptionDTO[],
    )
    validateShippingStep({ cart, shippingOptions })
    const stock = confirmVariantInventoryWorkflow.runAsStep({
      input: transform({ cart }, ({ cart }) => wantedOf(cart)),
    })
    canReserveStep(stock)
    canUsePromotionsStep(transform({ cart }, ({ cart }) => usageOf(cart)))
    const validate = createHook("validate", { input, cart })
    return new WorkflowResponse(
      transform({ cart }, ({ cart }) => ({ id: cart.id, ...linesOf(cart) })),
      {
        hooks: [validate],
      },
    )
  },
)

function wantedOf(cart: ReadyCart): ConfirmVariantInventoryWorkflowInputDTO {
  const variants = new Map(cart.items.map(({ variant_id, variant }) => [variant_id, variant]))
  return {
    sales_channel_id: cart.sales_channel_id ?? "",
    variants: [...variants.values()],
    items: cart.items.map(({ id, variant_id, quantity }) => ({ id, variant_id, quantity })),
  }
}

function usageOf(cart: ReadyCart) {
  const lines = [...cart.items, ...(cart.shipping_methods ?? [])]
  return {
    promotions: cart.promotions ?? [],
    computedActions: lines.flatMap(({ adjustments }) =>
      // An adjustment without a code belongs to no promotion, and Medusa leaves it out.
      (adjustments ?? []).map(({ amount, code = "" }) => ({ amount, code })),
    ),
    registrationContext: {
      customer_id: cart.customer?.id ?? null,
      customer_email: cart.email ?? null,
    },
  }
}

noteEmptyHook()
