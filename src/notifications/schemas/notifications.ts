/** What the routes of the notifications' settings take and answer. */
import { z } from "zod"
import { LIMITS } from "../../core/limits"
import { invalidAs } from "../../core/refusal"
import { count, number, type Output, text, time, timeZone } from "../../core/schemas/shapes"
import { CUSTOMER_KINDS, LOCALES, MERCHANT_KINDS, NOTIFICATION_KINDS } from "../rules/kinds"

const label = (longest: number) =>
  z
    .string()
    .trim()
    .max(longest)
    .regex(/^[^\p{C}]*$/u, invalidAs("text"))
const channel = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,49}$/, invalidAs("printable"))
const address = label(200).nullable()
const locale = z.enum(LOCALES)

export const schedule = z.discriminatedUnion("mode", [
  z.strictObject({ mode: z.literal("at_once") }),
  z.strictObject({
    mode: z.literal("daily"),
    hour: z.int().min(0).max(23),
    time_zone: timeZone,
  }),
])

/** Told by one channel, in one language, about what it has chosen. */
export const recipient = z.strictObject({
  id: z.string().regex(/^[a-z0-9_-]{1,60}$/, invalidAs("printable")),
  name: label(100),
  channel,
  address,
  locale,
  kinds: z.array(z.enum(MERCHANT_KINDS)).max(MERCHANT_KINDS.length),
  schedule,
})

export const customerRule = z.strictObject({
  channel,
  kinds: z.array(z.enum(CUSTOMER_KINDS)).min(1).max(CUSTOMER_KINDS.length),
})

export const settingsChange = z.strictObject({
  what: z.enum(["added", "removed", "changed", "customers"]),
  channel: text,
  name: text,
  fields: z.array(text),
})
export type SettingsChange = Output<typeof settingsChange>

/** The settings in full: what is left out is removed. */
export const notificationsBody = z.strictObject({
  version: z.int().min(0).max(2_147_483_647),
  recipients: z.array(recipient).max(LIMITS.notificationRecipientsMax),
  customers: z.strictObject({
    locale,
    rules: z.array(customerRule).max(20),
  }),
})

export type NotificationsBody = Output<typeof notificationsBody>

export const testBody = z.strictObject({ channel, address, locale })

export const notificationsResponse = z.strictObject({
  /** To be sent with a change; 0: no admin has changed anything yet. */
  version: count,
  recipients: z.array(recipient),
  customers: z.strictObject({
    locale,
    rules: z.array(customerRule),
  }),
  /** The feed, and what the shop's notification providers serve. */
  channels: z.array(text),
  kinds: z.array(z.enum(MERCHANT_KINDS)),
  customer_kinds: z.array(z.enum(CUSTOMER_KINDS)),
  locales: z.array(locale),
  /** Notifications that could not be sent yet and are tried again, counted up to 1,000. */
  waiting: number,
  /** The newest that were given up, at most 20. */
  not_told: z.array(
    z.strictObject({
      kind: z.enum(NOTIFICATION_KINDS),
      /** The recipient's name, or `customer`. */
      recipient: text,
      channel: text,
      operation_id: text.nullable(),
      /** `unknown`: a provider was asked, and it is not known whether it sent. */
      state: z.enum(["failed", "unknown"]),
      /** `no_provider`, `no_answer`, or the provider's own words. */
      problem: text.nullable(),
      at: time,
    }),
  ),
  /** The newest changes of these settings, at most 20. */
  changes: z.array(
    z.strictObject({
      by: text,
      at: time,
      changes: z.array(settingsChange),
    }),
  ),
})
export type NotificationsResponse = Output<typeof notificationsResponse>

export const testResponse = z.strictObject({
  /** `late`: no answer within ten seconds; it may arrive all the same. */
  state: z.enum(["sent", "failed", "late"]),
  /** As in `not_told`; null where it was sent. */
  problem: text.nullable(),
})
export type TestResponse = Output<typeof testResponse>
