/** The store's events of one payment: one stream at a time, and for how long it can be relied on. */
import { readEvents } from "./events.js"
import type { Surroundings } from "./follow.js"
import type { Status } from "./status.js"
import { Refused, type Store } from "./store.js"

/** After so many streams that told nothing, none is begun for so long. */
const TRIES = 2
const WITHOUT_MS = 60_000
/** A stream that is not heard for so long does not keep the page from asking: at first, and later. */
const FIRST_MS = 3_000
const HEARD_MS = 20_000

export type Streaming = {
  /** Unless one is open, or the last ones told nothing. */
  begin(): void
  end(): void
  /** How much longer its silence says that nothing has changed; 0: ask. */
  heardForMs(): number
  /** How many it has told. */
  events(): number
}

export function streaming(
  store: Pick<Store, "events">,
  sessionId: string,
  { now }: Pick<Surroundings, "now">,
  on: { told(status: Status): void; gone(): void; ended(): void },
): Streaming {
  let open: AbortController | undefined
  let quietAt = 0
  let events = 0
  let lastEventId: string | null = null
  let emptyStreams = 0
  let noStreamUntil = 0

  const listen = async (own: AbortController) => {
    const before = events
    const told = (status: Status, id: string | null) => {
      if (own.signal.aborted) return
      events += 1
      lastEventId = id
      on.told(status)
    }
    const heard = () => {
      if (!own.signal.aborted) quietAt = now() + HEARD_MS
    }
    try {
      const { body } = await store.events(sessionId, own.signal, lastEventId)
      if (body) await readEvents(body, { told, heard, ended: own.signal })
    } catch (error) {
      if (isGone(error)) on.gone()
    }
    if (own.signal.aborted) return
    open = undefined
    emptyStreams = events > before ? 0 : emptyStreams + 1
    if (emptyStreams >= TRIES) noStreamUntil = now() + WITHOUT_MS
    on.ended()
  }

  return {
    begin() {
      if (open || now() < noStreamUntil) return
      open = new AbortController()
      quietAt = now() + FIRST_MS
      void listen(open)
    },
    end() {
      open?.abort()
      open = undefined
    },
    heardForMs: () => (open ? Math.max(0, quietAt - now()) : 0),
    events: () => events,
  }
}

export function isGone(error: unknown): boolean {
  return error instanceof Refused && error.code === "session_not_found"
}
