import type { Clock } from "../core/ports"

/**
 * What is awaited, or the error of the bound. The work behind it goes on; whatever it answers later is
 * nobody's any more.
 */
export async function within<T>(
  clock: Pick<Clock, "sleep">,
  awaited: Promise<T>,
  bound: { readonly ms: number; readonly error: () => Error },
): Promise<T> {
  const isOver = new AbortController()
  const late = clock.sleep(bound.ms, isOver.signal).then(
    () => Promise.reject(bound.error()),
    // Answered in time: nobody waits for the bound any more.
    () => awaited,
  )
  try {
    return await Promise.race([awaited, late])
  } finally {
    isOver.abort()
  }
}
