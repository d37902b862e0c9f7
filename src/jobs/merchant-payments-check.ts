import type { MedusaContainer } from "@medusajs/framework/types"
import { LIMITS } from "../core/limits"
import { checkJob } from "../medusa/passes/check"

export default async function checkPayments(container: MedusaContainer): Promise<void> {
  await checkJob.run(container)
}

export const config = {
  name: "merchant-payments-check",
  schedule: { interval: LIMITS.checkEveryMs, concurrency: "forbid" },
}
