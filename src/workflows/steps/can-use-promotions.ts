import type { IPromotionModuleService } from "@medusajs/framework/types"
import { MedusaError, Modules } from "@medusajs/framework/utils"
import { createStep, StepResponse } from "@medusajs/framework/workflows-sdk"

type Usage = Parameters<IPromotionModuleService["registerUsage"]>[0]
type Registration = Parameters<IPromotionModuleService["registerUsage"]>[1]

type Input = {
  /** Of the cart; one that is deleted leaves a gap. */
  readonly promotions: readonly ({ readonly id?: string } | null | undefined)[]
  readonly computedActions: Usage
  readonly registrationContext: Registration
}

type Inside = { readonly transactionManager: unknown }

/** What Medusa's service has and does not declare: its repository, and a transaction to be in. */
type Promotions = {
  registerUsage(usage: Usage, registration: Registration, context: Inside): Promise<void>
  readonly baseRepository_: {
    transaction(task: (transactionManager: unknown) => Promise<void>): Promise<void>
  }
}

export const canUsePromotionsStepId = "merchant-payments-can-use-promotions"

/**
 * Limits and budgets can be asked only by using them: `registerUsage` runs in a transaction that
 * is rolled back. It bounds its own wait for other usages to three seconds.
 */
export const canUsePromotionsStep = createStep(
  canUsePromotionsStepId,
  async ({ promotions, computedActions, registrationContext }: Input, { container }) => {
    // complete-cart links the order to each of them (`complete-cart.js` of 2.21.2).
    if (promotions.some((promotion) => !promotion?.id)) {
      throw new MedusaError(MedusaError.Types.NOT_FOUND, "A promotion of the cart is deleted")
    }
    if (computedActions.length === 0) return new StepResponse(null)
    const service = container.resolve<Promotions>(Modules.PROMOTION)
    await undone(service, (context) =>
      service.registerUsage(computedActions, registrationContext, context),
    )
    return new StepResponse(null)
  },
)

async function undone(
  { baseRepository_ }: Promotions,
  act: (context: Inside) => Promise<void>,
): Promise<void> {
  const undo = new Error("undone on purpose")
  try {
    await baseRepository_.transaction(async (transactionManager) => {
      await act({ transactionManager })
      throw undo
    })
  } catch (error) {
    if (error !== undo) throw error
  }
}
