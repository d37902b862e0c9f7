import type { MedusaContainer } from "@medusajs/framework/types"
import { LIMITS } from "../../core/limits"
import type { Clock } from "../../core/ports"

/** One of the plugin's jobs in this process. */
export type Job = {
  readonly everyMs: number
  /** Medusa's schedule chose this process: its own clock runs the passes in time for a while. */
  takeTurn(): void
  hasTurn(): boolean
  /** Runs a pass, unless one is running. Never two at once, however many ask. */
  run(container: MedusaContainer): Promise<void>
  /** Milliseconds since a pass began; null: none has. While one runs: 0. */
  begunMsAgo(): number | null
}

export function job(
  clock: Pick<Clock, "monotonicMs">,
  everyMs: number,
  pass: (container: MedusaContainer) => Promise<void>,
): Job {
  let begunAtMs: number | null = null
  let turnUntilMs = -Infinity
  let isRunning = false
  return {
    everyMs,
    takeTurn() {
      turnUntilMs = clock.monotonicMs() + LIMITS.turnMs
    },
    hasTurn: () => clock.monotonicMs() < turnUntilMs,
    async run(container) {
      if (isRunning) return
      isRunning = true
      begunAtMs = clock.monotonicMs()
      try {
        await pass(container)
      } finally {
        isRunning = false
      }
    },
    begunMsAgo() {
      if (isRunning) return 0
      return begunAtMs === null ? null : clock.monotonicMs() - begunAtMs
    },
  }
}
