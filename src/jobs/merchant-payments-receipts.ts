import type { MedusaContainer } from "@medusajs/framework/types"
import { LIMITS } from "../core/limits"
import { receiptsJob } from "../medusa/passes/receipts"

export default async function fetchReceiptsOfPaid(container: MedusaContainer): Promise<void> {
  await receiptsJob.run(container)
}

export const config = {
  name: "merchant-payments-receipts",
  schedule: { interval: LIMITS.receiptsEveryMs, concurrency: "forbid" },
}
