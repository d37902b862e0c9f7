import type { Clock } from "../core/ports"
import type { CallOptions } from "../gateway"

/** Makes the options of each call of a series that ends within `ms`: an admin waits for it. */
export function callsWithin(clock: Pick<Clock, "monotonicMs">, ms: number): () => CallOptions {
  const endsAtMs = clock.monotonicMs() + ms
  return () => ({
    patience: "shopper",
    deadlineMs: Math.max(1, endsAtMs - clock.monotonicMs()),
  })
}

/** Runs a limited number of tasks at a time; the others wait in order. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T>

export function gate(atOnce: number): Gate {
  let free = atOnce
  const queue: (() => void)[] = []
  return async (work) => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => queue.push(resolve))
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next) next()
      else free += 1
    }
  }
}
