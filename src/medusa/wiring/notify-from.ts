/** What the flows of notifications need, from Medusa's container. */
import type { MedusaContainer } from "@medusajs/framework/types"
import { receiptUrlOf } from "../../checkout/receipt-url"
import type { NotificationPorts } from "../../notifications/deps"
import { medusaNotifications } from "../adapters/medusa-notifications"
import { flowsFrom } from "./flows-from"

export function notifyFrom(container: MedusaContainer): NotificationPorts {
  const deps = flowsFrom(container)
  const { database, clock, logger, medusa, accounts } = deps
  return {
    database,
    clock,
    logger,
    medusa,
    accounts,
    notifier: medusaNotifications(container, database),
    receiptUrl: (orderId) => receiptUrlOf(deps, orderId),
  }
}
