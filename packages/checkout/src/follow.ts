/**
 * Follows one payment until it ends, by the store's events, and by asking while no stream is heard.
 * While the page is hidden nothing is asked; shown again, it asks at once, whatever hangs. A
 * question without an answer changes nothing: the payment goes on without this page.
 */
import { canComeLate, hasEnded, isPayable, type Status } from "./status.js"
import type { Store } from "./store.js"
import { isGone, streaming } from "./streaming.js"

/** The store checks a prompt that ended for this long while its shopper is on the page. */
const AFTER_END_MS = 90_000
/** A page that is shown again says so several times at once. */
const SHOWN_MS = 500

export type Told =
  | { readonly kind: "status"; readonly status: Status }
  /** The last question had no answer. */
  | { readonly kind: "no_answer" }
  /** The store does not know the session. */
  | { readonly kind: "gone" }

/** What a browser has of it; a test drives it. */
export type Surroundings = {
  isHidden(): boolean
  /** Calls back whenever the page is shown or the line is back. @returns what ends that */
  onShown(listener: () => void): () => void
  /** Milliseconds of a clock that nobody sets; it may stand still while the device sleeps. */
  now(): number
}

export const browser: Surroundings = {
  isHidden: () => typeof document !== "undefined" && document.hidden,
  onShown(listener) {
    if (typeof window === "undefined") return () => undefined
    const shown = () => {
      if (!document.hidden) listener()
    }
    // The first is the document's, and does not come up to the window in every browser.
    const names = ["visibilitychange", "focus", "online"]
    for (const name of names) window.addEventListener(name, shown, true)
    return () => {
      for (const name of names) window.removeEventListener(name, shown, true)
    }
  },
  now: () => performance.now(),
}

/** @returns what ends it */
export function follow(
  store: Pick<Store, "status" | "events">,
  sessionId: string,
  tell: (told: Told) => void,
  around: Surroundings = browser,
): () => void {
  const since = around.now()
  const pauses = pausing()
  let isOver = false
  let endedAt: number | null = null
  let isHeld = false
  /** When the time to pay is over as far as this page can count: the store is asked then. */
  let overAt = Infinity
  let asked: AbortController | undefined
  let shownAt = -Infinity
  let isDue = false

  const told = (status: Status) => {
    if (isOver) return
    tell({ kind: "status", status })
    isHeld = status.state === "under_review"
    const leftMs = isPayable(status) ? (status.expires_in_seconds ?? 0) * 1_000 : 0
    overAt = leftMs > 0 ? around.now() + leftMs : Infinity
    endedAt = canComeLate(status) ? (endedAt ?? around.now()) : null
    const isWatched = endedAt !== null && around.now() - endedAt < AFTER_END_MS
    if (hasEnded(status) && !isWatched) end()
  }
  const gone = () => {
    if (isOver) return
    tell({ kind: "gone" })
    end()
  }
  const stream = streaming(store, sessionId, around, { told, gone, ended: pauses.wake })

  const end = () => {
    isOver = true
    stopShown()
    stream.end()
    asked?.abort()
    pauses.wake()
  }
  // A stream or a question may have died unseen while the page was hidden or the line was away.
  const stopShown = around.onShown(() => {
    if (asked && around.now() - shownAt < SHOWN_MS) return
    shownAt = around.now()
    isDue = true
    stream.end()
    asked?.abort()
    pauses.wake()
  })

  const ask = async () => {
    const own = new AbortController()
    const before = stream.events()
    asked = own
    isDue = false
    try {
      const status = await store.status(sessionId, own.signal)
      // A slow answer is older than what the stream has said meanwhile.
      if (stream.events() === before) told(status)
    } catch (error) {
      if (isGone(error)) gone()
      else if (!own.signal.aborted) tell({ kind: "no_answer" })
    }
    asked = undefined
  }

  const run = async () => {
    let mayListen = true
    while (!isOver) {
      if (around.isHidden()) {
        await pauses.sleep(Infinity)
        continue
      }
      // The events of what ended have ended; a late yes, or the shop's decision, is asked for.
      if (mayListen && endedAt === null && !isHeld) stream.begin()
      mayListen = false
      const waitMs = isDue ? 0 : Math.min(stream.heardForMs(), overAt - around.now())
      if (waitMs > 0) {
        await pauses.sleep(waitMs)
        continue
      }
      await ask()
      if (!isOver && !isDue)
        await pauses.sleep(pauseMsAfter(isHeld ? Infinity : around.now() - since))
      mayListen = true
    }
  }
  void run()
  return end
}

/** One pause at a time, which `wake` ends at once. */
function pausing(): { sleep(ms: number): Promise<void>; wake(): void } {
  let wake = () => undefined as void
  return {
    sleep: (ms) =>
      new Promise((resolve) => {
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
        const timer = ms === Infinity ? undefined : setTimeout(wake, ms)
      }),
    wake: () => wake(),
  }
}

/** Most shoppers approve within a minute; who needs longer does not watch every second. */
export function pauseMsAfter(askingMs: number): number {
  if (askingMs < 60_000) return 2_000
  return askingMs < 300_000 ? 4_000 : 10_000
}
