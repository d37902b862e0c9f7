import type { MedusaContainer } from "@medusajs/framework/types"
import { LIMITS } from "../core/limits"
import { notificationsJob } from "../medusa/passes/notifications"

export default async function sendNotifications(container: MedusaContainer): Promise<void> {
  await notificationsJob.run(container)
}

export const config = {
  name: "merchant-payments-notifications",
  schedule: { interval: LIMITS.notifyEveryMs, concurrency: "forbid" },
}
