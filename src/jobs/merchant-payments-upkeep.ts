import { LIMITS } from "../core/limits"
import { upkeepJob } from "../medusa/passes/upkeep"

/** Only the turn: the own clock of the process runs the passes. */
export default async function keepUp(): Promise<void> {
  upkeepJob.takeTurn()
}

export const config = {
  name: "merchant-payments-upkeep",
  schedule: { interval: LIMITS.turnEveryMs, concurrency: "forbid" },
}
