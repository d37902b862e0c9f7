/** Waits on the event loop, never for a fixed time. */

/** A bound, not an expectation: a busy machine is slow. */
const MOST_MS = 120_000

/** Asks again after each turn of the event loop. Throws if it does not become true in time. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const endMs = performance.now() + MOST_MS
  while (!(await isSo())) {
    if (performance.now() > endMs) throw new Error(`Not so after ${MOST_MS} ms.`)
    await new Promise((resolve) => setImmediate(resolve))
  }
}
