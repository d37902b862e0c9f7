/** A start on a bad line and at a busy shop: repeated, it gives back the payment that is under way. */
import type { Surroundings } from "./follow.js"
import { isUnderWay, type Status } from "./status.js"
import { Refused, type StartRequest, type Store } from "./store.js"

type Start = {
  readonly store: Pick<Store, "start" | "status">
  readonly around: Surroundings
  readonly sessionId: string
  readonly request: StartRequest
}

/**
 * Starts, and where the answer is lost asks whether the start has reached the store. Whoever comes
 * back to the page meanwhile, as from the phone's own prompt, does not wait for a dead line.
 *
 * @throws what the start throws, if the payment is not under way
 */
export function startedOf({ store, around, sessionId, request }: Start): Promise<Status> {
  const over = new AbortController()
  const underWay = async (fits: (status: Status) => boolean) => {
    const status = await store.status(sessionId, over.signal).catch(() => null)
    return status !== null && isUnderWay(status) && !status.can_retry && fits(status)
      ? status
      : null
  }
  let stopShown = () => undefined as void
  const answer = new Promise<Status>((resolve, reject) => {
    stopShown = around.onShown(() => {
      void underWay(isWithShopper).then((status) => status && resolve(status))
    })
    store.start(sessionId, request, over.signal).then(resolve, async (error: unknown) => {
      const status = error instanceof Refused ? null : await underWay(() => true)
      if (status) resolve(status)
      else reject(error as Error)
    })
  })
  return answer.finally(() => {
    stopShown()
    over.abort()
  })
}

/** Until then the start may still be refused, and only its own answer says why. */
function isWithShopper({ state, flow, prompt, url }: Status): boolean {
  if (state !== "waiting_for_payer") return true
  return flow === "hosted" ? url !== null : prompt === "sent"
}

/** The store keeps the place of a start that it can't take yet, and says when it can. */
export async function inTurn(
  start: () => Promise<Status>,
  around: Surroundings,
  tell: (inSeconds: number | null) => void,
): Promise<Status> {
  for (;;) {
    try {
      return await start()
    } catch (error) {
      const isQueued = error instanceof Refused && error.body["queued"] === true
      if (!isQueued) throw error
      const turnAt = around.now() + Number(error.body["retry_after_seconds"] ?? 1) * 1_000
      let told: number | null = null
      for (let leftMs = turnAt - around.now(); leftMs > 0; leftMs = turnAt - around.now()) {
        const seconds = Math.ceil(leftMs / 1_000)
        // A timer can be early by less than a moment.
        if (seconds !== told) tell(seconds)
        told = seconds
        await new Promise((resolve) => setTimeout(resolve, Math.min(leftMs, 1_000)))
      }
      tell(null)
    }
  }
}
