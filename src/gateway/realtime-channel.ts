/**
 * Experimental: the push transport that a realtime key opens. It is not in the contract, so the
 * rest knows {@link RealtimeChannel} alone, and its only implementation speaks the simulator's
 * channel: server-sent events with the key as bearer token.
 */
import { LIMITS } from "../core/limits"
import { isProduction, parseBaseUrl } from "./base-url"
import { openPool } from "./transport"

export type RealtimeChannel = {
  /**
   * Never throws: a channel that can't be joined, or breaks, is silent.
   * @param onUpdate something may have changed; it proves nothing
   * @returns what closes it
   */
  subscribe(key: string, channel: string, onUpdate: () => void): () => void
}

/** @throws {InvalidConfiguration} under the rules of the gateway's own address */
export function eventChannel(url: string): RealtimeChannel {
  const origin = parseBaseUrl(url)
  let pool: ReturnType<typeof openPool> | undefined

  async function listen(key: string, channel: string, onUpdate: () => void, signal: AbortSignal) {
    pool ??= openPool(origin, {
      connections: LIMITS.realtimeChannelsMax,
      bodyPauseDeadlineMs: LIMITS.realtimeSilentMs,
      isOuterOnly: isProduction(),
    })
    const { statusCode, body } = await (
      await pool
    ).request({
      method: "GET",
      path: `/realtime?channel=${encodeURIComponent(channel)}`,
      headers: {
        accept: "text/event-stream",
        "accept-encoding": "identity",
        authorization: `Bearer ${key}`,
      },
      signal,
    })
    if (statusCode !== 200) return body.dump({ limit: 0, signal })
    let line = ""
    for await (const chunk of body.setEncoding("utf8")) {
      const lines = (line + String(chunk)).split("\n")
      // Only how a line begins is read: one without an end takes no memory.
      line = (lines.pop() ?? "").slice(0, CHANGE.length)
      if (lines.some((one) => one.startsWith(CHANGE))) onUpdate()
    }
  }

  return {
    subscribe(key, channel, onUpdate) {
      const closing = new AbortController()
      listen(key, channel, onUpdate, closing.signal).catch(() => undefined)
      return () => closing.abort()
    },
  }
}

const CHANGE = "event: change"
