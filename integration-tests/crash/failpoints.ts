/** The other side of the product's failpoints: the process ends, or freezes, at the chosen one. */
import type { FailpointName, Failpoints } from "../../src/core/ports"

export type Death = {
  readonly at: FailpointName
  /** SIGKILL ends it without a word; SIGSTOP freezes it until somebody lets it go on. */
  readonly signal: "SIGKILL" | "SIGSTOP"
}

/** @param beforeStop told right before a freeze, while the process can still speak */
export function deadly({ at: chosen, signal }: Death, beforeStop: () => void): Failpoints {
  let isOver = false
  return {
    at(name) {
      if (name !== chosen || isOver) return
      // A process that was let go on is not frozen again at the same line.
      isOver = true
      if (signal === "SIGSTOP") beforeStop()
      process.kill(process.pid, signal)
    },
  }
}
