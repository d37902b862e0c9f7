/**
 * The checks that this process has under way, whichever pass began them: a pass leaves slow ones behind,
 * and the next one has to know how many places they take. A check's lease is kept while it is under way,
 * so no other worker begins the same.
 *
 * Places are counted by group. What is asked of an account is a group, so an account whose gateway is slow
 * takes no place of another's; what Medusa is told is another, so Medusa holds up no question.
 */
import { LIMITS } from "../core/limits"
import type { Operation } from "../core/operation"
import type { Clock } from "../core/ports"
import { keepLeases } from "../ledger/keep-lease"
import type { Database } from "../ledger/database"

/** What Medusa is told of money that has come or gone. */
export const TELLING = "medusa"

/** What Medusa is told of an account's unpaid orders and refused refunds, between questions to the gateway. */
export const closingOf = (accountId: string): string => `${TELLING}:${accountId}`

/** A check under way, with the operation as it is held just now. */
export type Held = { operation: Operation }

export type UnderWay = {
  /** How many places of a group there are in all. */
  of(group: string): number
  taken(group: string): number
  /** Those of which places are taken. */
  groups(): Iterable<string>
  /** One more of this group may begin. */
  isFree(group: string): boolean
  /** @returns what gives the place back */
  take(group: string): () => void
  /** Told whenever a place is given back, until what is returned is called. */
  onFree(listener: () => void): () => void
  /** From now on its lease is kept. @returns what ends that */
  hold(held: Held): () => void
  /**
   * Medusa does not answer: the check gives its place to another, and its lease is still kept. Only so
   * many of a group do so; then nothing of the group begins until one is answered.
   * @returns what is called when Medusa has answered
   */
  leave(group: string, held: Held): () => void
  /** The operations of the checks that {@link leave left}. */
  unanswered(): readonly string[]
  /** Keeps the leases that were not kept for some time. */
  keepLeases(database: Database): Promise<void>
}

export function underWay(clock: Pick<Clock, "monotonicMs">): UnderWay {
  const taken = new Map<string, number>()
  const left = new Map<Held, string>()
  const keptAtMs = new Map<Held, number>()
  const listeners = new Set<() => void>()
  const of = (group: string) =>
    group.startsWith(TELLING) ? LIMITS.settlesInFlight : LIMITS.checksInFlight
  const leftOf = (group: string) => [...left.values()].filter((one) => one === group).length
  const tellAll = () => listeners.forEach((listener) => listener())
  return {
    of,
    taken: (group) => taken.get(group) ?? 0,
    groups: () => taken.keys(),
    isFree: (group) =>
      (taken.get(group) ?? 0) < of(group) &&
      (left.size === 0 || leftOf(group) < LIMITS.unansweredMax),
    take(group) {
      taken.set(group, (taken.get(group) ?? 0) + 1)
      return () => {
        const rest = (taken.get(group) ?? 0) - 1
        if (rest > 0) taken.set(group, rest)
        else taken.delete(group)
        tellAll()
      }
    },
    onFree(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    hold(held) {
      keptAtMs.set(held, clock.monotonicMs())
      return () => void keptAtMs.delete(held)
    },
    leave(group, held) {
      left.set(held, group)
      return () => {
        left.delete(held)
        tellAll()
      }
    },
    unanswered: () => [...left.keys()].map(({ operation }) => operation.id),
    async keepLeases(database) {
      const nowMs = clock.monotonicMs()
      const due = [...keptAtMs].flatMap(([held, atMs]) =>
        nowMs - atMs >= LIMITS.leaseKeptEveryMs ? [held] : [],
      )
      if (due.length === 0) return
      const operations = due.map(({ operation }) => operation)
      await keepLeases(database, operations, LIMITS.leaseMs)
      for (const held of due) if (keptAtMs.has(held)) keptAtMs.set(held, nowMs)
    },
  }
}
