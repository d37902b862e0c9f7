import { changeNotifications, readNotifications } from "../../../../notifications/settings"
import type { NotificationsResponse } from "../../../../notifications/rules/responses"
import { parsed } from "../../../validators"
import { notificationsBody, notificationsRoute } from "./input"

export const GET = notificationsRoute<NotificationsResponse>((deps) => readNotifications(deps))

/** Replaces the settings, which the body has in full. */
export const POST = notificationsRoute<NotificationsResponse>((deps, request, adminId) =>
  changeNotifications(deps, parsed(notificationsBody, request.body), adminId),
)
