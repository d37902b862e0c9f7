/** Parses what admins send about notifications. */
import type { AuthenticatedMedusaRequest } from "@medusajs/framework/http"
import { z } from "zod"
import type { AdminId } from "../../../../core/ids"
import { LIMITS } from "../../../../core/limits"
import { invalidAs } from "../../../../core/refusal"
import { notifyFrom } from "../../../../medusa/wiring/notify-from"
import type { NotificationPorts } from "../../../../notifications/deps"
import { CUSTOMER_KINDS, MERCHANT_KINDS } from "../../../../notifications/rules/kinds"
import { LOCALES } from "../../../../notifications/rules/settings"
import { adminRoute } from "../../../respond"
import { timeZone } from "../../../shape"

const text = (longest: number) =>
  z
    .string()
    .trim()
    .max(longest)
    .regex(/^[^\p{C}]*$/u, invalidAs("text"))
const channel = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,49}$/, invalidAs("printable"))
const address = text(200).nullable()
const locale = z.enum(LOCALES)

const schedule = z.discriminatedUnion("mode", [
  z.strictObject({ mode: z.literal("at_once") }),
  z.strictObject({
    mode: z.literal("daily"),
    hour: z.int().min(0).max(23),
    time_zone: timeZone,
  }),
])

const recipient = z.strictObject({
  id: z.string().regex(/^[a-z0-9_-]{1,60}$/, invalidAs("printable")),
  name: text(100),
  channel,
  address,
  locale,
  kinds: z.array(z.enum(MERCHANT_KINDS)).max(MERCHANT_KINDS.length),
  schedule,
})

export const notificationsBody = z.strictObject({
  version: z.int().min(0).max(2_147_483_647),
  recipients: z.array(recipient).max(LIMITS.notificationRecipientsMax),
  customers: z.strictObject({
    locale,
    rules: z
      .array(
        z.strictObject({
          channel,
          kinds: z.array(z.enum(CUSTOMER_KINDS)).min(1).max(CUSTOMER_KINDS.length),
        }),
      )
      .max(20),
  }),
})

export const testBody = z.strictObject({ channel, address, locale })

/** An admin's route whose `work` gets the dependencies of the flows of notifications. */
export const notificationsRoute = <Body extends object>(
  work: (
    deps: NotificationPorts,
    request: AuthenticatedMedusaRequest,
    adminId: AdminId,
  ) => Promise<Body>,
) => adminRoute((_deps, request, adminId) => work(notifyFrom(request.scope), request, adminId))
