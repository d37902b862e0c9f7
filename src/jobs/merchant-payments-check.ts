import type { MedusaContainer } from "@medusajs/framework/types"
import { LIMITS } from "../core/limits"
import { checkDueOperations } from "../flows/check-due-operations"
import { flowsFrom } from "../modules/merchant-payments/wiring/flows-from"

export default async function checkPayments(container: MedusaContainer): Promise<void> {
  await checkDueOperations(flowsFrom(container), { atMost: LIMITS.checksPerRun })
}

export const config = {
  name: "merchant-payments-check",
  schedule: { interval: LIMITS.checkEveryMs, concurrency: "forbid" },
}
