import type { MedusaContainer } from "@medusajs/framework/types"
import { LIMITS } from "../core/limits"
import { systemClock, systemRandom } from "../core/ports"
import { announce } from "../flows/announce"
import { checkDueOperations } from "../flows/check-due-operations"
import { MERCHANT_PAYMENTS_MODULE } from "../modules/merchant-payments"
import type MerchantPaymentsModuleService from "../modules/merchant-payments/service"
import { announcerFrom } from "../modules/merchant-payments/wiring/announcer-from"
import { flowsFrom } from "../modules/merchant-payments/wiring/flows-from"
import { steadyPass } from "../modules/merchant-payments/wiring/steady-pass"

const run = steadyPass(systemClock, systemRandom)
const tell = steadyPass(systemClock, systemRandom, {
  away: "the shop's subscribers can't be told just now, tried again until they can",
  back: "telling the shop's subscribers again",
})

/**
 * Slow checks are left behind, so that the scheduler begins the next run in time. What the checks found is
 * told in the same run; a bus that is away does not keep the next one waiting.
 */
export default async function checkPayments(container: MedusaContainer): Promise<void> {
  const { work }: MerchantPaymentsModuleService = container.resolve(MERCHANT_PAYMENTS_MODULE)
  const deps = flowsFrom(container)
  const { checksPerRun: atMost } = LIMITS
  await work.run((signal) =>
    run(deps.logger, () => checkDueOperations(deps, { atMost, signal, leave: work.follow })),
  )
  await work.run((signal) => tell(deps.logger, () => announce(announcerFrom(container), signal)))
}

export const config = {
  name: "merchant-payments-check",
  schedule: { interval: LIMITS.checkEveryMs, concurrency: "forbid" },
}
