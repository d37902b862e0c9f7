import type { MedusaContainer } from "@medusajs/framework/types"
import { LIMITS } from "../core/limits"
import { systemClock, systemRandom } from "../core/ports"
import { reconcileWhenDue } from "../flows/reconcile/reconcile"
import { retainWhenDue } from "../flows/reconcile/retain"
import { sweepWhenDue } from "../flows/reconcile/sweep"
import { MERCHANT_PAYMENTS_MODULE } from "../modules/merchant-payments"
import type MerchantPaymentsModuleService from "../modules/merchant-payments/service"
import { reconcileFrom } from "../modules/merchant-payments/wiring/reconcile-from"
import { steadyPass } from "../modules/merchant-payments/wiring/steady-pass"

const run = steadyPass(systemClock, systemRandom)

/** Each of the three is due at its own time, and done by one worker; the others find it taken. */
export default async function keepUp(container: MedusaContainer): Promise<void> {
  const { work }: MerchantPaymentsModuleService = container.resolve(MERCHANT_PAYMENTS_MODULE)
  const deps = reconcileFrom(container)
  await work.run((signal) =>
    run(deps.logger, async () => {
      await sweepWhenDue(deps, signal)
      await reconcileWhenDue(deps, signal)
      await retainWhenDue(deps, signal)
    }),
  )
}

export const config = {
  name: "merchant-payments-upkeep",
  schedule: { interval: LIMITS.upkeepEveryMs, concurrency: "forbid" },
}
