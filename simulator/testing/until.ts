/** Waits on the event loop, never on a clock. */

const MOST_MS = 4_000

/** Asks again after each turn of the event loop. Throws when it is not so in time. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const endMs = performance.now() + MOST_MS
  while (!(await isSo())) {
    if (performance.now() > endMs) throw new Error(`Not so after ${MOST_MS} ms.`)
    await new Promise((resolve) => setImmediate(resolve))
  }
}
