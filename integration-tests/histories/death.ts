/**
 * What becomes of a worker at the chosen moment: it ends or freezes, or its line to the database is
 * cut.
 */
import type { Moment } from "../support/moments"
import type { Cut } from "./database-line"

export type Death = {
  readonly at: Moment
  /**
   * SIGKILL ends it without a word; SIGSTOP freezes it until the referee resumes it, and a stall
   * keeps its event loop from turning until then. SIGTERM lets its jobs end as a deploy does. An
   * unhandled rejection ends it a moment later, with whatever that moment has sent. A cut lets it
   * live: the next statement is never heard of, or is committed and its answer lost.
   */
  readonly by: "SIGKILL" | "SIGTERM" | "SIGSTOP" | "stall" | "unhandled rejection" | `cut ${Cut}`
}

export type Means = {
  /** Called right before a freeze, while the process can still report. */
  beforeStop(): void
  /** Returns when the referee resumes the process; until then it does nothing at all. */
  stall(): void
  cut(when: Cut): void
}

export function deadly({ at: chosen, by }: Death, means: Means): (moment: Moment) => void {
  let isOver = false
  return (moment) => {
    if (moment !== chosen || isOver) return
    // A process that was let go on is not frozen again at the same moment.
    isOver = true
    if (by === "cut before") return means.cut("before")
    if (by === "cut after") return means.cut("after")
    if (by === "unhandled rejection") {
      void Promise.reject(new Error("a rejection that nobody handles"))
      return
    }
    if (by === "SIGSTOP" || by === "stall") means.beforeStop()
    if (by === "stall") means.stall()
    else process.kill(process.pid, by)
  }
}
