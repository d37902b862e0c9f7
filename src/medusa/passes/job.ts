import type { MedusaContainer } from "@medusajs/framework/types"
import type { Clock } from "../../core/ports"

/** One of the plugin's jobs in this process. */
export type Job = {
  readonly everyMs: number
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
  let isRunning = false
  return {
    everyMs,
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
