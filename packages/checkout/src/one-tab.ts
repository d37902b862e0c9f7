/** How long a tab waits for another one: longer than most starts take, and no tab hangs another. */
const WAIT_MS = 5_000

/**
 * Runs the work of several tabs one after the other, where the browser can say so. A tab that holds
 * the lock and hangs, or whose browser stops it, keeps another one for seconds at most: the lock
 * only spares the store a race, and the store decides it in any case.
 */
export function oneTabAtATime<T>(name: string, work: () => Promise<T>): Promise<T> {
  const locks = locksOf()
  if (!locks) return work()
  return new Promise<T>((resolve, reject) => {
    const waiting = new AbortController()
    let isBegun = false
    const begin = async () => {
      clearTimeout(timer)
      if (isBegun) return
      isBegun = true
      await work().then(resolve, reject)
    }
    const timer = setTimeout(() => {
      waiting.abort()
      void begin()
    }, WAIT_MS)
    // It refuses where the browser keeps nothing for this page, and once it was waited for too long.
    locks.request(name, { signal: waiting.signal }, begin).catch(begin)
  })
}

function locksOf(): LockManager | undefined {
  if (typeof navigator === "undefined") return undefined
  // Browsers of before 2022 have none, and no page without https has.
  return (navigator as Partial<Navigator>).locks
}
