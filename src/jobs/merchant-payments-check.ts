import type { MedusaContainer } from "@medusajs/framework/types"
import { LIMITS } from "../core/limits"
import { systemClock, systemRandom } from "../core/ports"
import { checkDueOperations } from "../flows/check-due-operations"
import { MERCHANT_PAYMENTS_MODULE } from "../modules/merchant-payments"
import type MerchantPaymentsModuleService from "../modules/merchant-payments/service"
import { flowsFrom } from "../modules/merchant-payments/wiring/flows-from"
import { steadyPass } from "../modules/merchant-payments/wiring/steady-pass"

const run = steadyPass(systemClock, systemRandom)

export default async function checkPayments(container: MedusaContainer): Promise<void> {
  const { work }: MerchantPaymentsModuleService = container.resolve(MERCHANT_PAYMENTS_MODULE)
  const deps = flowsFrom(container)
  await work.run((signal) =>
    run(deps.logger, () => checkDueOperations(deps, { atMost: LIMITS.checksPerRun, signal })),
  )
}

export const config = {
  name: "merchant-payments-check",
  schedule: { interval: LIMITS.checkEveryMs, concurrency: "forbid" },
}
