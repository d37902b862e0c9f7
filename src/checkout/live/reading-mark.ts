/**
 * Where the shared reading of open pages goes on: at the newest event that was there a while ago.
 * Positions are given out before their writes are seen, so an event may appear after a later one;
 * what was written within the overlap is read again. What takes longer than that to be seen, pages
 * read at their next refresh.
 */
import { LIMITS } from "../../core/limits"
import type { Clock } from "../../core/ports"

export type ReadingMark = {
  /** The position after which events are read; null: everything that is watched is read. */
  since(): number | null
  /** @param newest the position of the newest event, as a reading found it */
  note(newest: number): void
  /** The next reading reads everything. */
  forget(): void
}

export function readingMark(clock: Pick<Clock, "monotonicMs">): ReadingMark {
  let notes: { readonly atMs: number; readonly newest: number }[] = []
  return {
    since: () => notes[0]?.newest ?? null,
    note(newest) {
      const atMs = clock.monotonicMs()
      // Before the first reading others may have written what is not seen yet.
      const from = notes.length === 0 ? Math.max(0, newest - LIMITS.streamsEventsMax / 2) : newest
      notes.push({ atMs, newest: from })
      const old = notes.filter((one) => one.atMs <= atMs - LIMITS.streamsOverlapMs)
      notes = notes.slice(Math.max(0, old.length - 1))
    },
    forget() {
      notes = []
    },
  }
}
