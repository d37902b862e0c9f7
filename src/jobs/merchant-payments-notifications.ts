import { LIMITS } from "../core/limits"
import { notificationsJob } from "../medusa/passes/notifications"

/** Only the turn: the own clock of the process runs the passes. */
export default async function sendNotifications(): Promise<void> {
  notificationsJob.takeTurn()
}

export const config = {
  name: "merchant-payments-notifications",
  schedule: { interval: LIMITS.turnEveryMs, concurrency: "forbid" },
}
