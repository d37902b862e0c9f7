/**
 * Sends what is due, through Medusa's notification module, each channel apart from the others: a
 * provider that is down or hangs delays its own channel alone. Under one key Medusa asks a provider
 * once; after a crash, and after a provider that was late, Medusa's record of the key is read first.
 *
 * Exactly once can't be had from a provider: where a process died while one was asked, nobody knows
 * whether it sent. Then nothing is sent again; the row ends as `unknown`, and the settings show it.
 */
import { errorText } from "../core/error-text"
import { LIMITS } from "../core/limits"
import { maskNumbers } from "../core/said/masked-numbers"
import { databaseFault, isAway } from "../ledger/database-error"
import { within } from "../worker/bounded"
import type { Message, NotificationPorts } from "./deps"
import { messageOf } from "./message"
import { settingsOf } from "./queue"
import type { NotificationKind } from "./rules/kinds"
import { retryAfterMs } from "./rules/schedule"
import { FEED } from "./rules/settings"
import {
  claimNotifications,
  dueChannels,
  endNotification,
  postponeNotification,
  type Claimed,
} from "./sql/outbox"

/**
 * @param behind `busy`: channels that are still being sent, kept from run to run; `leave`: takes the
 *   rest of the work, which never rejects. Left out: the work is waited for
 * @param kinds left out: of every kind
 * @throws the database's error
 */
export async function sendDue(
  deps: NotificationPorts,
  signal?: AbortSignal,
  behind?: { readonly busy: Set<string>; leave(rest: Promise<void>): void },
  kinds?: readonly NotificationKind[],
): Promise<void> {
  const { busy, leave } = behind ?? { busy: new Set<string>() }
  for (const channel of await dueChannels(deps.database, [...busy])) {
    busy.add(channel)
    const sent = sendChannel(deps, channel, signal, kinds).finally(() => busy.delete(channel))
    // If the database is away, the claims end, and the next run reports it.
    if (leave) leave(sent.catch(() => undefined))
    else await sent
  }
}

async function sendChannel(
  deps: NotificationPorts,
  channel: string,
  signal: AbortSignal | undefined,
  kinds: readonly NotificationKind[] | undefined,
): Promise<void> {
  for (let batch = 0; batch < LIMITS.notificationBatchesPerRun; batch++) {
    if (signal?.aborted) return
    const claimed = await claimNotifications(deps.database, channel, kinds)
    await Promise.all(claimed.map((one) => sendOne(deps, one)))
    if (claimed.length < LIMITS.notificationsAtOnce) return
  }
}

/** @throws only the database's error, when it is away: the claim then ends by itself */
async function sendOne(deps: NotificationPorts, claimed: Claimed): Promise<void> {
  const { database, logger } = deps
  try {
    const isNews = claimed.tries === 1 || !(await isSettledBefore(deps, claimed))
    if (!isNews) return
    const made = await messageOf(deps, await settingsOf(deps), claimed)
    if ("drop" in made) return await endNotification(database, claimed.key, "dropped", made.drop)
    if ("waitMs" in made) {
      return await postponeNotification(database, claimed.key, made.waitMs, made.why)
    }
    await attempt(deps, claimed, made.send)
  } catch (error) {
    if (isAway(databaseFault(error))) throw error
    logger.warn(`merchant payments: a notification could not be made: ${errorText(error)}`)
    await tryLater(deps, claimed, "not_made")
  }
}

/** Whether an earlier try is all that there is to do about it for now. */
async function isSettledBefore(deps: NotificationPorts, claimed: Claimed): Promise<boolean> {
  const { notifier, database } = deps
  switch (await notifier.fateOf(claimed.key)) {
    case "none":
      return false
    case "sent":
      await endNotification(database, claimed.key, "sent")
      return true
    case "failed":
      if (claimed.channel === FEED) await endNotification(database, claimed.key, "sent")
      else await notifier.dropFailed(claimed.key)
      return claimed.channel === FEED
    case "pending":
      // Medusa's record is what the admin's feed shows.
      if (claimed.channel === FEED) await endNotification(database, claimed.key, "sent")
      else await tryLater(deps, claimed, "no_answer", "unknown")
      return true
  }
}

async function attempt(deps: NotificationPorts, claimed: Claimed, message: Message): Promise<void> {
  const outcome = await handOver(deps, message)
  if (outcome.state === "sent") return endNotification(deps.database, claimed.key, "sent")
  await tryLater(deps, claimed, outcome.problem, outcome.state === "late" ? "unknown" : "failed")
}

export type HandedOver =
  | { readonly state: "sent" }
  /** `no_provider`, or the provider's own words. */
  | { readonly state: "failed"; readonly problem: string }
  /** The provider has not answered in time; it may have sent. */
  | { readonly state: "late"; readonly problem: "no_answer" }

/** Gives a message to Medusa, and waits {@link LIMITS.notifyWithinMs} at most. Never throws. */
export async function handOver(
  { notifier, clock }: Pick<NotificationPorts, "notifier" | "clock">,
  message: Message,
): Promise<HandedOver> {
  try {
    await within(clock, given(notifier, message), {
      ms: LIMITS.notifyWithinMs,
      error: () => new Late("no answer in time"),
    })
    return { state: "sent" }
  } catch (error) {
    if (error instanceof Late) return { state: "late", problem: "no_answer" }
    return {
      state: "failed",
      problem: error instanceof NoProvider ? "no_provider" : wordsOf(error),
    }
  }
}

class Late extends Error {}
class NoProvider extends Error {}

async function given(notifier: NotificationPorts["notifier"], message: Message): Promise<void> {
  if (message.channel !== FEED) {
    // Medusa would keep a failed record of each try at a channel that it can't serve.
    if (!(await notifier.channels()).includes(message.channel)) throw new NoProvider()
    return notifier.send(message)
  }
  try {
    await notifier.send(message)
  } catch (error) {
    // The admin's feed shows Medusa's own record, which is there with or without a provider.
    if ((await notifier.fateOf(message.key)) === "none") throw error
  }
}

/** A provider's words may repeat the number or the address that it was given. */
const wordsOf = (error: unknown): string =>
  maskNumbers(errorText(error).replace(/^Failed to send notification with id \S+:\s*/, ""))
    .replace(/[^\s@<>]+@[^\s@<>]+/g, "…@…")
    .slice(0, LIMITS.notificationProblemLength)

/** The next try, or the end after a day, with one line in the log. */
async function tryLater(
  { database, logger }: NotificationPorts,
  { key, kind, channel, tries, ageMs }: Claimed,
  problem: string,
  end: "failed" | "unknown" = "failed",
): Promise<void> {
  if (ageMs < LIMITS.notificationGivenUpMs) {
    return postponeNotification(database, key, retryAfterMs(tries), problem)
  }
  logger.error(
    `merchant payments: the notification ${key} (${kind}, by ${channel}) ` +
      (end === "failed" ? "could not be sent for a day" : "may not have been sent") +
      ` and is given up: ${problem}`,
  )
  await endNotification(database, key, end, problem)
}
