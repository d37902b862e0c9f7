import { LIMITS } from "../core/limits"
import { checkJob } from "../medusa/passes/check"

/** Only the turn: the own clock of the process runs the passes. */
export default async function checkPayments(): Promise<void> {
  checkJob.takeTurn()
}

export const config = {
  name: "merchant-payments-check",
  schedule: { interval: LIMITS.turnEveryMs, concurrency: "forbid" },
}
