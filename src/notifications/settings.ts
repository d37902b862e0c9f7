/** Reads, changes and tests the settings of notifications, for the admin. */
import { randomUUID } from "node:crypto"
import { isPerson } from "../core/account-policies"
import type { AdminId } from "../core/ids"
import { LIMITS } from "../core/limits"
import { invalid, refusal, tooMany } from "../core/refusal"
import { takeFromBuckets } from "../ledger/limits/buckets"
import type { NotificationPorts } from "./deps"
import { CUSTOMER_KINDS, MERCHANT_KINDS, templateOf } from "./rules/kinds"
import { addressProblem } from "./rules/address"
import { LOCALES, type Locale } from "./rules/kinds"
import {
  changesBetween,
  DEFAULT_SETTINGS,
  FEED,
  settled,
  type NotificationSettings,
  type SettingsInput,
} from "./rules/settings"
import { movedSummary } from "./rules/schedule"
import type { NotificationsResponse, TestResponse } from "./schemas/notifications"
import { wordsOf } from "./rules/words"
import { handOver } from "./send"
import { countWaiting, listNotTold, moveCollected, noteTest } from "./sql/outbox"
import { findSettings, listChanges, saveSettings } from "./sql/settings"

export async function readNotifications(deps: NotificationPorts): Promise<NotificationsResponse> {
  const { database } = deps
  const [stored, channels, notTold, waiting, changes] = await Promise.all([
    findSettings(database),
    channelsOf(deps),
    listNotTold(database, LIMITS.notificationProblemsShown),
    countWaiting(database),
    listChanges(database, LIMITS.notificationChangesShown),
  ])
  const { recipients, customers } = stored?.body ?? DEFAULT_SETTINGS
  const named = new Map(recipients.map(({ id, name }) => [id, name]))
  return {
    version: stored?.version ?? 0,
    recipients: recipients.map(({ since: _since, ...one }) => one),
    customers: {
      locale: customers.locale,
      rules: customers.rules.map(({ channel, kinds }) => ({ channel, kinds })),
    },
    channels,
    kinds: MERCHANT_KINDS,
    customer_kinds: CUSTOMER_KINDS,
    locales: LOCALES,
    waiting,
    not_told: notTold.map((one) => ({
      kind: one.kind,
      recipient: named.get(one.recipientId) ?? one.recipientId,
      channel: one.channel,
      operation_id: one.operationId,
      state: one.state,
      problem: one.problem,
      at: one.at.toISOString(),
    })),
    changes: changes.map(({ by, at, changes: what }) => ({
      by,
      at: at.toISOString(),
      changes: what,
    })),
  }
}

/** The feed is always there: it is Medusa's own table. */
async function channelsOf({ notifier }: NotificationPorts): Promise<readonly string[]> {
  const served = await notifier.channels()
  return [FEED, ...served.filter((channel) => channel !== FEED)]
}

/**
 * @throws Refusal `invalid_request` for what no provider serves or could send to;
 *   `changed_meanwhile` where another admin was faster
 */
export async function changeNotifications(
  deps: NotificationPorts,
  { version, ...wanted }: SettingsInput & { readonly version: number },
  adminId: AdminId,
): Promise<NotificationsResponse> {
  const stored = await findSettings(deps.database)
  const before = stored?.body ?? DEFAULT_SETTINGS
  if ((stored?.version ?? 0) !== version) throw refusal("changed_meanwhile")
  const used = [...before.recipients, ...before.customers.rules].map(({ channel }) => channel)
  // A channel whose provider is gone may stay: removing it is the admin's to decide.
  refuseUnusable(wanted, new Set([...(await channelsOf(deps)), ...used]))
  const after = settled(before, wanted, deps.clock.now())
  const changes = changesBetween(before, after)
  const isSaved = await saveSettings(deps.database, version, after, { by: adminId, changes })
  if (!isSaved) throw refusal("changed_meanwhile")
  await moveSummaries(deps, before, after)
  return readNotifications(deps)
}

/** What waits for a summary at another hour is in one summary: else a day would be told in two. */
async function moveSummaries(
  { database, clock }: NotificationPorts,
  before: NotificationSettings,
  after: NotificationSettings,
): Promise<void> {
  const now = clock.now()
  for (const { id, schedule } of after.recipients) {
    const former = before.recipients.find((one) => one.id === id)?.schedule
    if (!former || JSON.stringify(former) === JSON.stringify(schedule)) continue
    await moveCollected(database, id, (occurredAt) =>
      schedule.mode === "daily" ? movedSummary(schedule, occurredAt, now) : now,
    )
  }
}

function refuseUnusable({ recipients, customers }: SettingsInput, channels: ReadonlySet<string>) {
  const expected = [...channels]
  const refuseChannel = (channel: string, field: string) => {
    if (!channels.has(channel)) throw invalid(field, "one_of", { expected })
  }
  for (const { id, channel, address } of recipients) {
    refuseChannel(channel, "recipients")
    if ((channel === FEED) !== (id === FEED)) throw invalid("recipients", "feed_recipient")
    const problem = addressProblem(channel, address)
    if (problem) throw invalid("recipients", problem)
  }
  const ids = recipients.map(({ id }) => id)
  if (new Set(ids).size < ids.length) throw invalid("recipients", "recipient_twice")
  for (const { channel } of customers.rules) {
    refuseChannel(channel, "customers")
    if (channel === FEED) throw invalid("customers", "feed_recipient")
  }
  const rules = customers.rules.map(({ channel }) => channel)
  if (new Set(rules).size < rules.length) throw invalid("customers", "recipient_twice")
}

type TestAsked = {
  readonly channel: string
  readonly address: string | null
  readonly locale: Locale
}

/**
 * Sends one message now, outside of the outbox, and answers what the provider said. Each costs the
 * shop money, and may go to anyone: so only a named admin sends it, few go, and each is recorded.
 *
 * @throws Refusal `invalid_request`, `request_needs_person`, `too_many_requests`
 */
export async function testNotification(
  deps: NotificationPorts,
  adminId: AdminId,
  { channel, address, locale }: TestAsked,
): Promise<TestResponse> {
  const problem = addressProblem(channel, address)
  if (problem) throw invalid("address", problem)
  if (!isPerson(adminId)) throw refusal("request_needs_person.test")
  const costMs = LIMITS.testMessageEveryMs
  const bucket = { key: "test messages", costMs, fillsInMs: LIMITS.testMessagesAtOnce * costMs }
  const [waitMs] = (await takeFromBuckets(deps.database, [bucket])).values()
  if (waitMs !== undefined) throw tooMany(waitMs)
  const key = `test:${randomUUID()}`
  const shop = await deps.notifier.shopName()
  const words = wordsOf("test", { locale, channel }, { shop })
  const handed = await handOver(deps, {
    key,
    to: address ?? "",
    channel,
    template: channel === FEED ? "admin-ui" : templateOf("test"),
    ...words,
    operationId: null,
    data: {
      kind: "test",
      locale,
      shop,
      subject: words.subject,
      text: words.text,
      ...(channel === FEED ? { title: words.subject, description: words.text } : {}),
    },
  })
  const { state } = handed
  const failure = state === "sent" ? null : handed.problem
  await noteTest(deps.database, { key, channel, adminId, problem: failure })
  return { state, problem: failure }
}
