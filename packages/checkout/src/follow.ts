/**
 * Follows one payment until it ends, by the store's events, and by asking where no stream holds.
 * While the page is hidden nothing is asked; shown again, it asks at once. A question without an
 * answer changes nothing: the payment goes on without this page.
 */
import { readEvents } from "./events.js"
import { canComeLate, hasEnded, type Status } from "./status.js"
import { Refused, type Store } from "./store.js"

/** The store checks a prompt that ended for this long while its shopper is on the page. */
const AFTER_END_MS = 90_000
/** After so many streams that told nothing, it only asks; this long. */
const STREAM_TRIES = 2
const WITHOUT_STREAM_MS = 60_000

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
  now(): number
}

export const browser: Surroundings = {
  isHidden: () => typeof document !== "undefined" && document.hidden,
  onShown(listener) {
    if (typeof window === "undefined") return () => undefined
    const shown = () => {
      if (!document.hidden) listener()
    }
    const ended = new AbortController()
    const { signal } = ended
    // The first is the document's, and does not come up to the window in every browser.
    for (const name of ["visibilitychange", "focus", "online"]) {
      window.addEventListener(name, shown, { signal, capture: true })
    }
    return () => ended.abort()
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
  let isOver = false
  let stream: AbortController | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let wake: (() => void) | undefined
  let endedAt: number | null = null
  let isHeld = false
  let lastEventId: string | null = null
  let emptyStreams = 0
  let noStreamUntil = 0

  const end = () => {
    isOver = true
    stopShown()
    stream?.abort()
    clearTimeout(timer)
    wake?.()
  }
  // A stream may have died unseen while the page was hidden.
  const stopShown = around.onShown(() => (wake ? wake() : stream?.abort()))

  const told = (status: Status) => {
    if (isOver) return
    tell({ kind: "status", status })
    isHeld = status.state === "under_review"
    endedAt = canComeLate(status) ? (endedAt ?? around.now()) : null
    const isWatched = endedAt !== null && around.now() - endedAt < AFTER_END_MS
    if (hasEnded(status) && !isWatched) end()
  }
  const wrong = (error: unknown) => {
    if (isOver) return
    tell({ kind: isGone(error) ? "gone" : "no_answer" })
    if (isGone(error)) end()
  }
  /** Ends at once when the page is shown again. */
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      wake = () => {
        clearTimeout(timer)
        wake = undefined
        resolve()
      }
      timer = ms === Infinity ? undefined : setTimeout(wake, ms)
    })

  const listen = async () => {
    stream = new AbortController()
    let heard = 0
    try {
      const { body } = await store.events(sessionId, stream.signal, lastEventId)
      const heardOne = (status: Status, id: string | null) => {
        heard += 1
        lastEventId = id
        told(status)
      }
      if (body) await readEvents(body, heardOne)
    } catch (error) {
      if (isGone(error)) wrong(error)
    }
    emptyStreams = heard > 0 ? 0 : emptyStreams + 1
    if (emptyStreams >= STREAM_TRIES) noStreamUntil = around.now() + WITHOUT_STREAM_MS
  }

  const run = async () => {
    while (!isOver) {
      if (around.isHidden()) {
        await pause(Infinity)
        continue
      }
      // The events of what ended have ended; a late yes, or the shop's decision, is asked for.
      if (endedAt === null && !isHeld && around.now() >= noStreamUntil) await listen()
      if (isOver) return
      await store.status(sessionId).then(told, wrong)
      if (!isOver) await pause(pauseMsAfter(isHeld ? Infinity : around.now() - since))
    }
  }
  void run()
  return end
}

function isGone(error: unknown): boolean {
  return error instanceof Refused && error.code === "session_not_found"
}

/** Most shoppers approve within a minute; who needs longer does not watch every second. */
export function pauseMsAfter(askingMs: number): number {
  if (askingMs < 60_000) return 2_000
  return askingMs < 300_000 ? 4_000 : 10_000
}
