/**
 * A check of the shop's own: asked before the shopper's money moves, and once more when the order
 * is made. Copy it into `src/workflows/hooks/` of the store. It may be asked several times for a
 * cart, so it changes nothing.
 */
import { MedusaError } from "@medusajs/framework/utils"
import { completeCartWorkflow } from "@medusajs/medusa/core-flows"
import { cartReadyWorkflow } from "medusa-plugin-merchant-payments/workflows"

type Asked = { readonly cart: { readonly shipping_address?: { readonly city?: string | null } } }

const SERVED = ["Monrovia", "Kigali"]

async function isServed({ cart }: Asked): Promise<void> {
  const city = cart.shipping_address?.city ?? ""
  if (!SERVED.includes(city)) {
    throw new MedusaError(MedusaError.Types.NOT_ALLOWED, `Nothing is delivered to ${city} yet`)
  }
}

completeCartWorkflow.hooks.validate(isServed)
cartReadyWorkflow.hooks.validate(isServed)
