import { LIMITS } from "../core/limits"
import { receiptsJob } from "../medusa/passes/receipts"

/** Only the turn: the own clock of the process runs the passes. */
export default async function fetchReceiptsOfPaid(): Promise<void> {
  receiptsJob.takeTurn()
}

export const config = {
  name: "merchant-payments-receipts",
  schedule: { interval: LIMITS.turnEveryMs, concurrency: "forbid" },
}
