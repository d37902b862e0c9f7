import type { Clock } from "../core/ports"

/**
 * What is awaited, or the error of the bound. The work behind it goes on, and its answer is
 * dropped. A process that was frozen beyond the bound takes the answer that came meanwhile.
 */
export async function within<T>(
  clock: Pick<Clock, "sleep">,
  awaited: Promise<T>,
  bound: { readonly ms: number; readonly error: () => Error },
): Promise<T> {
  const isOver = new AbortController()
  const late = clock.sleep(bound.ms, isOver.signal).then(
    async () => {
      // After a freeze Node runs the timers first, and reads what has arrived second.
      await new Promise((resolve) => setImmediate(resolve))
      throw bound.error()
    },
    // Answered in time: the bound is over.
    () => awaited,
  )
  try {
    return await Promise.race([awaited, late])
  } finally {
    isOver.abort()
  }
}
