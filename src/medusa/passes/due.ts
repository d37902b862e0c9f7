/**
 * What is due, as the jobs of one process share it: they ask together, and a shop in which nobody
 * pays is asked half as often.
 */
import { LIMITS } from "../../core/limits"
import type { FlowDeps } from "../../engine/deps"
import { perStore } from "../../ledger/per-store"
import { readWhatIsDue, type WhatIsDue } from "./sql/what-is-due"

type Due = {
  /** For the job that checks payments: what is due now; undefined: nothing was, just before. */
  now(): Promise<WhatIsDue | undefined>
  /** For jobs that may be some seconds late: what was last read. */
  lately(): Promise<WhatIsDue>
}

function dueBoard({ database, clock }: Pick<FlowDeps, "database" | "clock">): Due {
  let last: { readonly atMs: number; readonly what: WhatIsDue } | undefined
  let quietUntilMs = -Infinity
  const ask = async (): Promise<WhatIsDue> => {
    const atMs = clock.monotonicMs()
    const what = await readWhatIsDue(database)
    last = { atMs, what }
    return what
  }
  return {
    async now() {
      const nowMs = clock.monotonicMs()
      if (nowMs < quietUntilMs) return undefined
      const what = await ask()
      if (isQuiet(what)) quietUntilMs = nowMs + LIMITS.quietAskedEveryMs - LIMITS.tickSlackMs
      return what
    },
    async lately() {
      const isFresh = last && clock.monotonicMs() - last.atMs < LIMITS.dueKnownForMs
      return last && isFresh ? last.what : ask()
    },
  }
}

/** The board of this process, for the store that the jobs work on. */
export const dueIn = perStore(dueBoard)

/** Nothing is due, and nothing will be before someone begins it. */
function isQuiet({ checkInMs, hasAnnouncements }: WhatIsDue): boolean {
  return !hasAnnouncements && (checkInMs === null || checkInMs > LIMITS.quietWithoutCheckMs)
}
