import type { MedusaContainer } from "@medusajs/framework/types"
import { LIMITS } from "../core/limits"
import { checkDueOperations } from "../flows/check-due-operations"
import { flowsFrom } from "../modules/merchant-payments/wiring/flows-from"

let isAway = false

/** Never throws: a database that is away for an hour is one line in the log, not 3,600. */
export default async function checkPayments(container: MedusaContainer): Promise<void> {
  const deps = flowsFrom(container)
  try {
    await checkDueOperations(deps, { atMost: LIMITS.checksPerRun })
    if (isAway) deps.logger.info("merchant payments: looking at payments again")
    isAway = false
  } catch (error) {
    if (!isAway) {
      const message = error instanceof Error ? error.message : String(error)
      deps.logger.error(
        "merchant payments: payments can't be looked at just now, tried again every second: " +
          message.slice(0, LIMITS.messageLengthMax),
      )
    }
    isAway = true
  }
}

export const config = {
  name: "merchant-payments-check",
  schedule: { interval: LIMITS.checkEveryMs, concurrency: "forbid" },
}
