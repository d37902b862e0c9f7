/**
 * The checks that this process has under way, of all passes, and the renewal of their leases.
 * Places are counted by group. An account's questions are a group, so a slow gateway takes no place
 * of another account. Work in Medusa is another group, so Medusa holds up no question.
 */
import type { AccountId } from "../core/ids"
import { LIMITS } from "../core/limits"
import type { Clock } from "../core/ports"
import { keepLeases } from "../ledger/postpone-operation"
import type { Held, UnderWay } from "../engine/deps"

/** The group of work in Medusa on payments and refunds whose money has come or gone. */
export const MEDUSA_WORK = "medusa"

/** Work in Medusa, between questions, for an account's unpaid orders and refused refunds. */
export const closingOf = (accountId: AccountId): string => `${MEDUSA_WORK}:${accountId}`

export function underWay(clock: Pick<Clock, "monotonicMs">): UnderWay {
  const taken = new Map<string, number>()
  const left = new Map<Held, string>()
  const keptAtMs = new Map<Held, number>()
  const listeners = new Set<() => void>()
  let passedAtMs: number | null = null
  let purchases = 0
  let hasEnded = false
  const placesOf = (group: string) =>
    group.startsWith(MEDUSA_WORK) ? LIMITS.settlesInFlight : LIMITS.checksInFlight
  const leftOf = (group: string) => [...left.values()].filter((one) => one === group).length
  const room = (group: string) =>
    leftOf(group) < LIMITS.unansweredMax ? placesOf(group) - (taken.get(group) ?? 0) : 0
  const notifyAll = () => listeners.forEach((listener) => listener())
  return {
    taken: (group) => taken.get(group) ?? 0,
    groups: () => taken.keys(),
    room,
    isRoomy: (group) => room(group) >= placesOf(group) / 2,
    take(group) {
      taken.set(group, (taken.get(group) ?? 0) + 1)
      return () => {
        const rest = (taken.get(group) ?? 0) - 1
        if (rest > 0) taken.set(group, rest)
        else taken.delete(group)
        notifyAll()
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
        notifyAll()
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
    changePurchase() {
      purchases += 1
      return () => void (purchases -= 1)
    },
    purchases: () => purchases,
    end: () => void (hasEnded = true),
    hasEnded: () => hasEnded,
    passed: () => void (passedAtMs = clock.monotonicMs()),
    passedMsAgo: () => (passedAtMs === null ? null : clock.monotonicMs() - passedAtMs),
  }
}
