import type { BigNumberInput, IPromotionModuleService } from "@medusajs/framework/types"
import { MathBN, MedusaError, Modules } from "@medusajs/framework/utils"
import { createStep, StepResponse } from "@medusajs/framework/workflows-sdk"

type Usage = Parameters<IPromotionModuleService["registerUsage"]>[0]
type Registration = Parameters<IPromotionModuleService["registerUsage"]>[1]

type Budget = {
  readonly id: string
  readonly type: "spend" | "usage" | "use_by_attribute" | "spend_by_attribute"
  readonly limit?: BigNumberInput | null
  readonly used?: BigNumberInput | null
  readonly attribute?: string | null
  readonly usages?: readonly {
    readonly attribute_value: string
    readonly used?: BigNumberInput | null
  }[]
}

type Promotion = {
  readonly code?: string
  readonly limit?: number | null
  readonly used?: number | null
  readonly campaign?: { readonly budget?: Budget | null } | null
}

/** A method that Medusa's service has and its interface does not declare. */
type Promotions = {
  listActivePromotions(
    filters: { readonly code: readonly string[] },
    config: { readonly relations: readonly string[] },
  ): Promise<readonly Promotion[]>
}

type Input = {
  /** The cart's promotions; a deleted promotion leaves a gap. */
  readonly promotions: readonly ({ readonly id?: string } | null | undefined)[]
  readonly computedActions: Usage
  readonly registrationContext: Registration
}

const canUsePromotionsStepId = "merchant-payments-can-use-promotions"

/**
 * Whether `registerUsage` would take the cart's promotions. Medusa offers no call that only asks.
 * To register the usage and take it back would affect every other cart in between. So the limits
 * are compared as `promotion-module.js` of `@medusajs/promotion` 2.21.2 does.
 */
export const canUsePromotionsStep = createStep(
  canUsePromotionsStepId,
  async ({ promotions, computedActions, registrationContext }: Input, { container }) => {
    // complete-cart links the order to each promotion (`complete-cart.js` of 2.21.2).
    if (promotions.some((promotion) => !promotion?.id)) {
      throw new MedusaError(MedusaError.Types.NOT_FOUND, "A promotion of the cart is deleted")
    }
    const code = computedActions.flatMap((action) => action.code || [])
    if (code.length === 0) return new StepResponse(null)
    const active = await container
      .resolve<Promotions>(Modules.PROMOTION)
      .listActivePromotions(
        { code },
        { relations: ["campaign", "campaign.budget", "campaign.budget.usages"] },
      )
    const spent = new Map<string, ReturnType<typeof MathBN.convert>>()
    for (const promotion of active) {
      const amounts = computedActions.filter((action) => action.code === promotion.code)
      assertLimit(promotion, amounts.length)
      assertBudget(promotion, amounts, registrationContext, spent)
    }
    return new StepResponse(null)
  },
)

/** Medusa compares each use with the count from before the cart, so several uses count as one. */
function assertLimit({ limit, used }: Promotion, uses: number): void {
  if (typeof limit === "number" && uses > 0 && (used ?? 0) + 1 > limit) {
    throw exceeded("Promotion usage exceeds the limit.")
  }
}

function assertBudget(
  { campaign }: Promotion,
  uses: Usage,
  registration: Registration,
  spent: Map<string, ReturnType<typeof MathBN.convert>>,
): void {
  const budget = campaign?.budget
  if (!budget?.limit) return
  let used = spent.get(budget.id) ?? MathBN.convert(budget.used ?? 0)
  if (budget.type === "spend") {
    used = uses.reduce((sum, { amount }) => MathBN.add(sum, amount), used)
  } else if (budget.type === "usage") {
    used = MathBN.add(used, 1)
  } else if (budget.type === "use_by_attribute") {
    const value = valueOf(registration, budget.attribute)
    const known = budget.usages?.find((usage) => usage.attribute_value === value)
    // Medusa accepts the first use of an attribute's value, whatever the limit says.
    if (!value || !known) return
    used = MathBN.add(known.used ?? 0, 1)
  } else {
    // For other types of budget Medusa counts no use, so no limit can be exceeded.
    return
  }
  if (MathBN.gt(used, budget.limit)) throw exceeded("Promotion usage exceeds the budget limit.")
  if (budget.type === "spend") spent.set(budget.id, used)
}

function valueOf(registration: Registration, attribute: string | null | undefined): string | null {
  const found = Object.entries(registration).find(([name]) => name === attribute)?.[1]
  return found ?? null
}

function exceeded(sentence: string): MedusaError {
  return new MedusaError(MedusaError.Types.NOT_ALLOWED, sentence)
}
