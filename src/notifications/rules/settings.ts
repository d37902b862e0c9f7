/** The shop's choice of who is told what, by which channel, and when. */
import { choiceOf, type NotificationKind } from "./kinds"
import { canonical } from "../../core/canonical"
import type { NotificationsBody, SettingsChange } from "../schemas/notifications"
import type { NotificationSettings, Recipient } from "../schemas/stored-settings"

export type { NotificationSettings, Recipient }

/** Medusa's own list of notifications in the admin: one for all admins, always there. */
export const FEED = "feed"
export const EMAIL = "email"
export const SMS = "sms"

export type SettingsInput = Pick<NotificationsBody, "recipients" | "customers">

const FEED_RECIPIENT: Recipient = {
  id: FEED,
  name: "",
  channel: FEED,
  address: null,
  locale: "en",
  kinds: [
    "decision_needed",
    "refund_failed",
    "payout_failed",
    "operator_trouble",
    "job_stopped",
    "account_refused",
  ],
  schedule: { mode: "at_once" },
  since: null,
}

/** Before an admin has chosen: trouble is told in the admin, and nothing else anywhere. */
export const DEFAULT_SETTINGS: NotificationSettings = {
  recipients: [FEED_RECIPIENT],
  customers: { locale: "en", rules: [] },
}

/** One who is told: `recipientId` is `customer` for the customer of the payment. */
export type Target = {
  readonly recipientId: string
  readonly channel: string
  readonly schedule: Recipient["schedule"]
}

const CUSTOMER = "customer"

/** @param occurredAt when the ledger wrote the event; a later choice does not reach back */
export function targetsOf(
  { recipients, customers }: NotificationSettings,
  kind: NotificationKind,
  occurredAt: Date,
): readonly Target[] {
  const choice = choiceOf(kind)
  const isAfter = ({ since }: { readonly since: string | null }) =>
    since === null || occurredAt.getTime() >= Date.parse(since)
  const people = recipients
    .filter((one) => one.kinds.some((chosen) => chosen === choice) && isAfter(one))
    .map(({ id, channel, schedule }) => ({ recipientId: id, channel, schedule }))
  const shoppers = customers.rules
    .filter((one) => one.kinds.some((chosen) => chosen === choice) && isAfter(one))
    .map(({ channel }): Target => {
      return { recipientId: CUSTOMER, channel, schedule: { mode: "at_once" } }
    })
  return [...people, ...shoppers]
}

/** The settings that an admin wants, with the moment from which what is new in them counts. */
export function settled(
  before: NotificationSettings,
  wanted: SettingsInput,
  now: Date,
): NotificationSettings {
  const since = now.toISOString()
  const recipients = wanted.recipients.map((one) => {
    const known = before.recipients.find(
      ({ id, channel, address }) =>
        id === one.id && channel === one.channel && address === one.address,
    )
    return { ...one, since: known ? known.since : since }
  })
  const rules = wanted.customers.rules.map((one) => {
    const known = before.customers.rules.find(
      ({ channel, kinds }) =>
        channel === one.channel && one.kinds.every((kind) => kinds.includes(kind)),
    )
    return { ...one, since: known ? known.since : since }
  })
  return { recipients, customers: { locale: wanted.customers.locale, rules } }
}

/** What differs, by names of fields: an address is never in it. */
export function changesBetween(
  before: NotificationSettings,
  after: NotificationSettings,
): readonly SettingsChange[] {
  const old = new Map(before.recipients.map((one) => [one.id, one]))
  const kept = new Set(after.recipients.map(({ id }) => id))
  const people = after.recipients.flatMap((one): SettingsChange[] => {
    const { channel, name } = one
    const known = old.get(one.id)
    if (!known) return [{ what: "added", channel, name, fields: [] }]
    const fields = FIELDS.filter((field) => !isSame(known[field], one[field]))
    return fields.length > 0 ? [{ what: "changed", channel, name, fields }] : []
  })
  const gone = before.recipients
    .filter(({ id }) => !kept.has(id))
    .map(({ channel, name }): SettingsChange => ({ what: "removed", channel, name, fields: [] }))
  const isOfCustomers = !isSame(withoutSince(before), withoutSince(after))
  const customers: SettingsChange = { what: "customers", channel: "", name: "", fields: [] }
  return [...people, ...gone, ...(isOfCustomers ? [customers] : [])]
}

const withoutSince = ({ customers: { locale, rules } }: NotificationSettings) => ({
  locale,
  rules: rules.map(({ channel, kinds }) => ({ channel, kinds })),
})

const FIELDS = ["name", "channel", "address", "locale", "kinds", "schedule"] as const

/** The database gives the keys of an object in an order of its own. */
const isSame = (one: unknown, other: unknown) => canonical(one) === canonical(other)
