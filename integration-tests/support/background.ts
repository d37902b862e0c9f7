/**
 * Work that goes on after the request that began it, as in the store; a test can wait for its end.
 */
import type { InBackground } from "../../src/reconciliation/read-period"

export function background() {
  const works: Promise<void>[] = []
  const ending = new AbortController()
  const begin: InBackground = (work) => works.push(work(ending.signal))
  return {
    begin,
    /** How many were begun. */
    begun: () => works.length,
    ended: () => Promise.all(works),
    /** The process is to end. */
    end: () => ending.abort(),
  }
}
