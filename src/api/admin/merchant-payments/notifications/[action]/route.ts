/**
 * Medusa's build leaves folders called `test` out of the package, so the last word of the route is a
 * parameter; `test` is its only value.
 */
import { testNotification } from "../../../../../notifications/settings"
import { notificationsRoute } from "../../../../routes"

export const POST = notificationsRoute("POST notifications/:action", (deps, { body, adminId }) =>
  testNotification(deps, adminId, body),
)
