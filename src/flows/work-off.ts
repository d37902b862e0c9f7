/**
 * Works things off, so many at once, and asks for more before the last of them is begun, so that nothing
 * stands idle between two helpings.
 */
export type WorkOff<T> = {
  readonly atOnce: number
  /**
   * More to do; none: there is no more, and it is not asked again. Asked when fewer wait than may be
   * under way, one time after the other.
   */
  more(): Promise<readonly T[]>
  /** What it throws ends everything: nothing more is begun, and what is under way is waited for. */
  work(thing: T): Promise<void>
}

/**
 * @returns once nothing is under way; with the first error of `work` or `more` if there was one, and
 * with what was not begun because of it
 */
export async function workOff<T>({
  atOnce,
  more,
  work,
}: WorkOff<T>): Promise<{ readonly left: readonly T[]; readonly failure?: { error: unknown } }> {
  const waiting: T[] = []
  let failure: { error: unknown } | undefined
  let underWay = 0
  let isAsking = false
  let isMore = true
  let wake = () => {}

  const run = async (act: () => Promise<void>) => {
    try {
      await act()
    } catch (error) {
      failure ??= { error }
    }
  }
  const ask = async () => {
    isAsking = true
    await run(async () => {
      const things = await more()
      isMore = things.length > 0
      waiting.push(...things)
    })
    isAsking = false
    wake()
  }
  const begin = async (thing: T) => {
    underWay += 1
    await run(() => work(thing))
    underWay -= 1
    wake()
  }

  for (;;) {
    // Before anything is awaited: whoever ends meanwhile wakes this turn, and not the last one.
    const woken = new Promise<void>((resolve) => (wake = resolve))
    while (!failure && underWay < atOnce) {
      const thing = waiting.shift()
      if (thing === undefined) break
      void begin(thing)
    }
    if (!failure && isMore && !isAsking && waiting.length < atOnce) void ask()
    if (underWay === 0 && !isAsking) break
    await woken
  }
  return { left: waiting, ...(failure && { failure }) }
}
