/** Reads and changes who is told what. */
import { ask } from "./endpoints"
import { useRead } from "./queries"
import type { NotificationsResponse } from "./responses"
import type { Say } from "./words"

export type Recipient = NotificationsResponse["recipients"][number]
export type Customers = NotificationsResponse["customers"]
export type Address = Pick<Recipient, "channel" | "address" | "locale">

export const FEED = "feed"

export function useNotificationSettings() {
  return useRead("GET notifications", {})
}

type Wanted = Pick<NotificationsResponse, "version" | "recipients" | "customers">

export const notificationActs = {
  save: ({ version, recipients, customers }: Wanted) =>
    ask("POST notifications", { body: { version, recipients, customers } }),
  test: ({ channel, address, locale }: Address) =>
    ask("POST notifications/:action", { action: "test", body: { channel, address, locale } }),
}

const CHANNELS = ["feed", "email", "sms", "whatsapp"] as const

/** A channel that this page has no word for is called as the provider calls it. */
export function channelName(say: Say, channel: string): string {
  const known = CHANNELS.find((one) => one === channel)
  return known ? say(`notifications.channel_${known}`) : channel
}

/** `no_provider` and `no_answer` are the store's; everything else is the provider's own words. */
export function problemText(say: Say, problem: string | null): string {
  if (problem === "no_provider" || problem === "no_answer") {
    return say(`notifications.problem_${problem}`)
  }
  return problem ?? ""
}

export const nameOf = (say: Say, { channel, name, address }: Omit<Recipient, "kinds">): string =>
  channel === FEED ? say("notifications.everyone") : name || (address ?? "")

/** An id that no other recipient has; the store only asks that ids differ. */
export function newId(taken: readonly string[]): string {
  let number = taken.length
  while (taken.includes(`person-${number}`)) number += 1
  return `person-${number}`
}
