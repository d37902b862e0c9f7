/**
 * Works things off, so many of a group at once; more is asked for before the last of them is begun.
 * The places of a group are shared with what earlier runs have left behind.
 */
import type { Clock } from "../core/ports"
import type { UnderWay } from "../engine/deps"

export type Batch<T> = {
  readonly things: readonly T[]
  /** There may be more where these came from. */
  readonly isMore: boolean
}

export type WorkOff<T> = {
  readonly places: Pick<UnderWay, "of" | "taken" | "groups" | "isFree" | "take" | "onFree">
  groupOf(thing: T): string
  /**
   * More to do; asked one time after the other.
   * @param busy groups that have enough to do: more of them would only wait
   */
  more(busy: readonly string[]): Promise<Batch<T>>
  /**
   * What it throws ends everything: nothing more is begun.
   * @param add something that came of it; begun when its group has a place
   */
  work(thing: T, add: (thing: T) => void): Promise<void>
  /** What is under way this long after the last batch is left behind; left out: waited for. */
  readonly leave?: {
    readonly clock: Pick<Clock, "monotonicMs" | "sleep">
    readonly afterMs: number
  }
}

export type WorkedOff<T> = {
  /** What was not begun. */
  readonly left: readonly T[]
  /** The first error of `work` or `more`. */
  readonly failure?: { readonly error: unknown }
  /** Resolves when nothing is under way any more. Never rejects. */
  readonly rest: Promise<void>
}

export async function workOff<T>(options: WorkOff<T>): Promise<WorkedOff<T>> {
  const { places, groupOf } = options
  const queues = new Map<string, T[]>()
  const own = new Map<string, number>()
  const running = new Set<Promise<void>>()
  const isOver = new AbortController()
  let failure: { readonly error: unknown } | undefined
  let isAsking = false
  let isMore = true
  let isLeaving = false
  /** When something came last. */
  let cameAtMs: number | undefined
  /** There was no more but of these groups. */
  let onlyMoreOf: string | undefined
  let wake = () => {}

  const run = async (act: () => Promise<void>) => {
    try {
      await act()
    } catch (error) {
      failure ??= { error }
    }
  }
  const add = (thing: T) => {
    const queue = queues.get(groupOf(thing))
    if (queue) queue.push(thing)
    else queues.set(groupOf(thing), [thing])
  }
  const ask = async (busy: readonly string[]) => {
    isAsking = true
    await run(async () => {
      const batch = await options.more(busy)
      if (!batch.isMore && busy.length === 0) isMore = false
      onlyMoreOf = batch.isMore ? undefined : busy.join()
      batch.things.forEach(add)
      if (batch.things.length > 0) came()
    })
    isAsking = false
    wake()
  }
  const came = () => {
    const { leave } = options
    const isFirst = cameAtMs === undefined
    cameAtMs = leave?.clock.monotonicMs()
    if (leave && isFirst) watch(leave).catch(() => undefined)
  }
  const watch = async ({ clock, afterMs }: NonNullable<WorkOff<T>["leave"]>) => {
    for (;;) {
      const leftMs = (cameAtMs ?? 0) + afterMs - clock.monotonicMs()
      if (leftMs <= 0) break
      await clock.sleep(leftMs, isOver.signal)
    }
    isLeaving = true
    wake()
  }
  const begin = (group: string, thing: T) => {
    const giveBack = places.take(group)
    own.set(group, (own.get(group) ?? 0) + 1)
    const works = run(() => options.work(thing, add)).then(() => {
      own.set(group, (own.get(group) ?? 0) - 1)
      running.delete(works)
      giveBack()
      wake()
    })
    running.add(works)
  }
  const behind = (group: string) => places.taken(group) - (own.get(group) ?? 0)
  /** Twice as many as have a place keep it filled until the next helping. */
  const isBusy = (group: string) =>
    (queues.get(group)?.length ?? 0) >= places.of(group) - behind(group)
  const askForMore = () => {
    if (failure || isLeaving || !isMore || isAsking) return
    const busy = [...new Set([...queues.keys(), ...places.groups()])].filter(isBusy)
    // Its own things of a busy group are done soon. What others left behind is not: ask around it.
    const isAround = busy.every((group) => behind(group) > 0) && busy.join() !== onlyMoreOf
    if (busy.length === 0 || isAround) void ask(busy)
  }

  const unlisten = places.onFree(() => wake())
  for (;;) {
    // Before anything is awaited: work that ends meanwhile wakes this turn, and not the last one.
    const woken = new Promise<void>((resolve) => (wake = resolve))
    for (const [group, queue] of queues) {
      while (!failure && !isLeaving && places.isFree(group)) {
        const thing = queue.shift()
        if (thing === undefined) break
        begin(group, thing)
      }
    }
    askForMore()
    if (!isAsking && (isLeaving || running.size === 0)) break
    await woken
  }
  unlisten()
  isOver.abort()
  const left = [...queues.values()].flat()
  const rest = Promise.all(running).then(() => undefined)
  return { left, rest, ...(failure && { failure }) }
}
