/**
 * Works items off, a limited number of each group at once. More items are asked for before the last
 * one is begun. A group's places are shared with the work that earlier runs have left behind.
 */
import type { Clock } from "../core/ports"
import type { UnderWay } from "../engine/deps"

export type Batch<T> = {
  readonly things: readonly T[]
  /** Whether another request may bring more. */
  readonly isMore: boolean
}

export type WorkOff<T> = {
  readonly places: Pick<UnderWay, "of" | "taken" | "groups" | "isFree" | "take" | "onFree">
  groupOf(thing: T): string
  /**
   * Fetches more items. It is never called twice at the same time.
   * @param busy groups that have enough queued: further items would only wait
   */
  more(busy: readonly string[]): Promise<Batch<T>>
  /**
   * Works on one item. An error ends the run: nothing more is begun.
   * @param add queues a follow-up item, which begins when its group has a place
   */
  work(thing: T, add: (thing: T) => void): Promise<void>
  /** Leaves work behind that is under way `afterMs` after the last batch. Absent: waits for it. */
  readonly leave?: {
    readonly clock: Pick<Clock, "monotonicMs" | "sleep">
    readonly afterMs: number
  }
}

export type WorkedOff<T> = {
  /** Items that were not begun. */
  readonly left: readonly T[]
  /** The first error of `work` or `more`. */
  readonly failure?: { readonly error: unknown }
  /** Resolves when no item is under way any more. Never rejects. */
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
  /** When the last batch with items came, by the monotonic clock. */
  let cameAtMs: number | undefined
  /** The groups, joined, that alone may have more: the last request left them out. */
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
  /** With one queued item for each place, the places stay filled until the next batch. */
  const isBusy = (group: string) =>
    (queues.get(group)?.length ?? 0) >= places.of(group) - behind(group)
  const askForMore = () => {
    if (failure || isLeaving || !isMore || isAsking) return
    const busy = [...new Set([...queues.keys(), ...places.groups()])].filter(isBusy)
    // A group that is busy with this run's own items is free soon. One with work left behind by
    // earlier runs is not, so more is asked for without that group.
    const isAround = busy.every((group) => behind(group) > 0) && busy.join() !== onlyMoreOf
    if (busy.length === 0 || isAround) void ask(busy)
  }

  const unlisten = places.onFree(() => wake())
  for (;;) {
    // Made before anything begins, so that work which ends at once wakes this turn.
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
