/**
 * Which habits are on, and what follows from the seed: the same seed and the same calls give the
 * same answers.
 */
import { createHash } from "node:crypto"

import { membersOf, type Habit, type HabitGroup } from "./habits"

export type Draws = {
  has(habit: Habit): boolean
  /** The habit of a group for this text, or null for the form of the contract. */
  ofGroup(group: HabitGroup, text: string): Habit | null
  /** Whether a habit that is on meets this text: one text in `oneIn`, always the same. */
  meets(habit: Habit, text: string, oneIn: number): boolean
  /** One of these for this text. */
  oneOf<T>(list: readonly T[], text: string): T | undefined
  /**
   * Counts a call. If the habit meets the run of `RUN` calls that it belongs to, one run in `oneIn`,
   * the run's name; else null.
   */
  struckRun(habit: Habit, call: string, oneIn: number): string | null
}

/** Shorter than the tries of a patient caller, longer than one. */
const RUN = 2
const DRAW_DIGITS = 12

export function createDraws(habits: readonly Habit[], seed: string): Draws {
  const on = new Set(habits)
  const counts = new Map<string, number>()
  const drawn = (text: string): number =>
    parseInt(createHash("sha256").update(`${seed}:${text}`).digest("hex").slice(0, DRAW_DIGITS), 16)
  const oneOf = <T>(list: readonly T[], text: string) => list[drawn(text) % list.length]
  const meets = (habit: Habit, text: string, oneIn: number) =>
    on.has(habit) && drawn(`${habit}:${text}`) % oneIn === 0
  return {
    has: (habit) => on.has(habit),
    ofGroup(group, text) {
      const members = membersOf(group).filter((habit) => on.has(habit))
      const [first = null] = members
      if (members.length < 2) return first
      return oneOf([null, ...members], `${group}:${text}`) ?? null
    },
    meets,
    oneOf,
    struckRun(habit, call, oneIn) {
      if (!on.has(habit)) return null
      const key = `${habit}:${call}`
      const count = counts.get(key) ?? 0
      counts.set(key, count + 1)
      const run = `${call}:${Math.floor(count / RUN)}`
      return meets(habit, run, oneIn) ? run : null
    },
  }
}
