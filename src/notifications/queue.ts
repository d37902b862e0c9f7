/**
 * Turns the ledger's events into notifications: one for each event, recipient and channel. It reads
 * no provider and no network, so that nothing that is down keeps an event from being queued.
 */
import type { OperationId } from "../core/ids"
import { LIMITS } from "../core/limits"
import { announcementsOf } from "../worker/rules/announcements"
import type { NotificationPorts } from "./deps"
import { audienceOf, kindsOf, type NotificationKind } from "./rules/kinds"
import { summaryMoment } from "./rules/schedule"
import { DEFAULT_SETTINGS, targetsOf, type NotificationSettings } from "./rules/settings"
import {
  insertNotifications,
  listUnnotified,
  notifyOf,
  type NewNotification,
  type Unnotified,
} from "./sql/outbox"
import { findSettings } from "./sql/settings"
import { listTakenBack } from "./sql/taken-back"
import { listWaitingRequests } from "./sql/waiting-requests"

/** What happened, for {@link queueNotifications}. */
export type NotifiedEvent = {
  /** The same each time for the same event: it is queued once for each recipient and channel. */
  readonly eventId: string
  readonly kind: NotificationKind
  readonly operationId: OperationId | null
  readonly occurredAt: Date
  /** Ids, amounts, codes and counts; no names, no addresses, no phone numbers. */
  readonly facts?: Readonly<Record<string, unknown>>
}

/**
 * Queues what the settings say of an event. Called again with the same `eventId`, it adds nothing.
 * The words, the address and the order's number are found when the notification is sent.
 *
 * @returns how many notifications were made
 */
export async function queueNotifications(
  { database, clock }: Pick<NotificationPorts, "database" | "clock">,
  event: NotifiedEvent,
): Promise<number> {
  const settings = await settingsOf({ database })
  return insertNotifications(database, notificationsOf(settings, event, clock.now()))
}

/** The settings as an admin has saved them; before that, trouble is told in the admin's feed. */
export async function settingsOf({
  database,
}: Pick<NotificationPorts, "database">): Promise<NotificationSettings> {
  return (await findSettings(database))?.body ?? DEFAULT_SETTINGS
}

/**
 * Turns events of operations into notifications until none is left.
 *
 * @returns how many events were turned into notifications, or into none
 * @throws the database's error; the events are then read again
 */
export async function queueHappenings(
  { database }: Pick<NotificationPorts, "database">,
  signal?: AbortSignal,
): Promise<number> {
  let done = 0
  for (;;) {
    if (signal?.aborted) return done
    const unnotified = await listUnnotified(database)
    if (unnotified.length === 0) return done
    const settings = await settingsOf({ database })
    await notifyOf(
      database,
      unnotified.map((event) => ({ event, made: madeOf(settings, event) })),
    )
    done += unnotified.length
    if (unnotified.length < LIMITS.notifiedAtOnce) return done
  }
}

/**
 * Queues what waits for a second admin, each request once. It is read from the requests themselves,
 * so that no process that dies between asking and telling keeps a request from being told.
 */
export async function queueRequests({
  database,
  clock,
}: Pick<NotificationPorts, "database" | "clock">): Promise<void> {
  for (const { id, kind, askedAt, amount, currency } of await listWaitingRequests(database)) {
    await queueNotifications(
      { database, clock },
      {
        eventId: `${id}:request_waiting`,
        kind: "request_waiting",
        operationId: null,
        occurredAt: askedAt,
        facts: { request_id: id, type: kind, amount, currency },
      },
    )
  }
}

/**
 * Queues what operators took back, each time once. That is a note of the ledger and no change of
 * state, so it is read from the payments, as a request is from the requests.
 */
export async function queueTakenBack({
  database,
  clock,
}: Pick<NotificationPorts, "database" | "clock">): Promise<void> {
  for (const { id, at } of await listTakenBack(database)) {
    await queueNotifications(
      { database, clock },
      {
        eventId: `${id}:${at.toISOString()}:taken_back`,
        kind: "customer_taken_back",
        operationId: id,
        occurredAt: at,
      },
    )
  }
}

function madeOf(settings: NotificationSettings, happening: Unnotified): NewNotification[] {
  return announcementsOf(happening).flatMap(({ name, data }) =>
    kindsOf(name)
      // Money for what is paid already: no customer is told to have bought it.
      .filter((kind) => kind !== "customer_paid" || !happening.isDuplicate)
      .flatMap((kind) =>
        notificationsOf(
          settings,
          {
            eventId: `${data.event_id}:${kind}`,
            kind,
            operationId: happening.operationId,
            occurredAt: happening.occurredAt,
            facts: { type: data.type, reason: data.reason },
          },
          happening.readAt,
        ),
      ),
  )
}

function notificationsOf(
  settings: NotificationSettings,
  { eventId, kind, operationId, occurredAt, facts = {} }: NotifiedEvent,
  now: Date,
): NewNotification[] {
  return targetsOf(settings, kind, occurredAt).map(({ recipientId, channel, schedule }) => ({
    kind,
    audience: audienceOf(kind),
    recipientId,
    channel,
    eventId,
    operationId,
    facts,
    occurredAt,
    summaryAt: schedule.mode === "daily" ? summaryMoment(schedule, occurredAt, now) : null,
  }))
}
