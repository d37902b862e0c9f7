/**
 * Announces the ledger's events to the store's own code, at least once: claim, emit, mark. After a
 * crash in between the claim ends, and the next worker emits the event again with the same
 * `event_id`. While the bus is away the events wait in the ledger.
 */
import { LIMITS } from "../core/limits"
import { claimAccountEvents, markAccountEvents } from "../ledger/accounts/account-events"
import type { FlowDeps } from "../engine/deps"
import { within } from "./bounded"
import {
  accountAnnouncement,
  announcementsOf,
  methodAnnouncement,
  type Announcement,
} from "./rules/announcements"
import { claimHappenings, markAnnounced } from "./sql/announcements"
import { claimMethodEvents, markMethodEvents } from "./sql/method-events"

/** The store's bus. `emit` resolves when the bus has taken the events, as far as it promises. */
export type EventBus = {
  emit(announcements: readonly Announcement[]): Promise<void>
}

export type Announcer = Pick<FlowDeps, "database" | "clock"> & {
  readonly bus: EventBus
}

/**
 * @returns how many of the ledger's events were dealt with
 * @throws the error of the bus or the database; claimed events are emitted after their claim ends
 */
export async function announce(deps: Announcer, signal?: AbortSignal): Promise<number> {
  const { database } = deps
  const ofOperations = await emitAll(deps, signal, {
    claim: () => claimHappenings(database),
    news: (happenings) => happenings.flatMap(announcementsOf),
    mark: (happenings) => markAnnounced(database, happenings),
  })
  const ofAccounts = await emitAll(deps, signal, {
    claim: () => claimAccountEvents(database),
    news: (happenings) => happenings.map(accountAnnouncement),
    mark: (happenings) => markAccountEvents(database, happenings),
  })
  const ofMethods = await emitAll(deps, signal, {
    claim: () => claimMethodEvents(database),
    news: (happenings) => happenings.map(methodAnnouncement),
    mark: (happenings) => markMethodEvents(database, happenings),
  })
  return ofOperations + ofAccounts + ofMethods
}

type Outbox<Happening> = {
  /** Claims {@link LIMITS.announcedAtOnce} events at most. */
  claim(): Promise<Happening[]>
  news(happenings: readonly Happening[]): readonly Announcement[]
  mark(happenings: readonly Happening[]): Promise<void>
}

async function emitAll<Happening>(
  deps: Announcer,
  signal: AbortSignal | undefined,
  { claim, news, mark }: Outbox<Happening>,
): Promise<number> {
  let done = 0
  for (;;) {
    if (signal?.aborted) return done
    const happenings = await claim()
    if (happenings.length === 0) return done
    const announcements = news(happenings)
    if (announcements.length > 0) await emitInTime(deps, announcements)
    await mark(happenings)
    done += happenings.length
    if (happenings.length < LIMITS.announcedAtOnce) return done
  }
}

/** A bus behind a broken line may never answer, and the same job has to check payments. */
function emitInTime(
  { bus, clock }: Announcer,
  announcements: readonly Announcement[],
): Promise<void> {
  const error = () =>
    new Error(`the event bus has not answered within ${LIMITS.announceWithinMs} ms`)
  return within(clock, bus.emit(announcements), { ms: LIMITS.announceWithinMs, error })
}
