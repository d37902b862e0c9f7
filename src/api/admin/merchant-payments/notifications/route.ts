import { changeNotifications, readNotifications } from "../../../../notifications/settings"
import { notificationsRoute } from "../../../routes"

export const GET = notificationsRoute("GET notifications", (deps) => readNotifications(deps))

export const POST = notificationsRoute("POST notifications", (deps, { body, adminId }) =>
  changeNotifications(deps, body, adminId),
)
