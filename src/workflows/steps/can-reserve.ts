import type { BigNumberInput } from "@medusajs/framework/types"
import { MathBN, MedusaError, Modules } from "@medusajs/framework/utils"
import { createStep, StepResponse } from "@medusajs/framework/workflows-sdk"

type Wanted = {
  readonly inventory_item_id: string
  readonly required_quantity: number
  readonly allow_backorder: boolean
  readonly quantity: BigNumberInput
  readonly location_ids: readonly string[]
}

const canReserveStepId = "merchant-payments-can-reserve"

/**
 * `complete-cart` reserves each piece at the first of its locations (`reserve-inventory.js` of
 * 2.21.2), while Medusa's own check adds up the stock of all locations.
 */
export const canReserveStep = createStep(
  canReserveStepId,
  async ({ items }: { readonly items: readonly Wanted[] }, { container }) => {
    const inventory = container.resolve(Modules.INVENTORY)
    await Promise.all(
      items.map(async (item) => {
        const id = item.inventory_item_id
        const [location = ""] = item.location_ids
        // A backorder needs no stock at the location, but an inventory level to reserve from.
        if (item.allow_backorder) {
          await inventory.retrieveInventoryLevelByItemAndLocation(id, location)
          return
        }
        const pieces = MathBN.mult(item.required_quantity, item.quantity)
        if (!(await inventory.confirmInventory(id, [location], pieces))) {
          throw new MedusaError(
            MedusaError.Types.NOT_ALLOWED,
            `Not enough stock available for item ${id} at location ${location}`,
          )
        }
      }),
    )
    return new StepResponse(null)
  },
)
