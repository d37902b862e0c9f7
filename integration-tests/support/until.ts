/** Waits for a fact, bounded; the only way these tests wait. */
/**
 * Most facts are asked of the store itself: asked more often, it is the asking that keeps it busy.
 */
const EVERY_MS = 250
/** A bound, not an expectation: a busy machine is slow. */
const WITHIN_MS = 240_000

export async function until<T>(
  fact: () => Promise<T | undefined | false | null>,
  what: string,
  withinMs = WITHIN_MS,
  everyMs = EVERY_MS,
): Promise<T> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const value = await fact()
    if (value !== undefined && value !== false && value !== null) return value
    if (performance.now() > deadline) throw new Error(`did not happen: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}
