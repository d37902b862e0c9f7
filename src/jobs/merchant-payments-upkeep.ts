import type { MedusaContainer } from "@medusajs/framework/types"
import { LIMITS } from "../core/limits"
import { upkeepJob } from "../medusa/passes/upkeep"

export default async function keepUp(container: MedusaContainer): Promise<void> {
  await upkeepJob.run(container)
}

export const config = {
  name: "merchant-payments-upkeep",
  schedule: { interval: LIMITS.upkeepEveryMs, concurrency: "forbid" },
}
