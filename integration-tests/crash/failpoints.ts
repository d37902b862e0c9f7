/**
 * The other side of the product's failpoints: at the chosen one the process ends or freezes, or loses its
 * line to the database around the next statement.
 */
import type { FailpointName, Failpoints } from "../../src/core/ports"
import type { Cut } from "./database-line"

export type Death = {
  readonly at: FailpointName
  /**
   * SIGKILL ends it without a word; SIGSTOP freezes it until somebody lets it go on. A cut lets it live:
   * the next statement is never heard of, or is committed and its answer lost.
   */
  readonly by: "SIGKILL" | "SIGSTOP" | `cut ${Cut}`
}

export type Means = {
  /** Told right before a freeze, while the process can still speak. */
  beforeStop(): void
  cut(when: Cut): void
}

export function deadly({ at: chosen, by }: Death, means: Means): Failpoints {
  let isOver = false
  return {
    at(name) {
      if (name !== chosen || isOver) return
      // A process that was let go on is not frozen again at the same line.
      isOver = true
      if (by === "cut before") return means.cut("before")
      if (by === "cut after") return means.cut("after")
      if (by === "SIGSTOP") means.beforeStop()
      process.kill(process.pid, by)
    },
  }
}
