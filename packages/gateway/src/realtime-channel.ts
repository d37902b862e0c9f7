/**
 * Experimental: the push transport that a realtime key opens. The contract does not describe it, so
 * other code depends only on {@link RealtimeChannel}. The only implementation speaks the
 * simulator's protocol: server-sent events with the key as bearer token.
 */
import type { LookupFunction } from "node:net"
import { LIMITS } from "./terms/limits"
import { parseBaseUrl } from "./base-url"
import { openPool } from "./transport"

export type RealtimeChannel = {
  /**
   * Never throws: a channel that can't be joined, or that breaks, is silent.
   * @param onUpdate called when something may have changed; a call proves nothing
   * @returns a function that closes the subscription
   */
  subscribe(key: string, channel: string, onUpdate: () => void): () => void
}

/**
 * @param lookup as in `GatewayOptions`
 * @throws {InvalidConfiguration} if `url` breaks the rules for the gateway's own address
 */
export function eventChannel(url: string, lookup?: LookupFunction): RealtimeChannel {
  const origin = parseBaseUrl(url)
  let pool: ReturnType<typeof openPool> | undefined

  async function listen(key: string, channel: string, onUpdate: () => void, signal: AbortSignal) {
    pool ??= openPool(origin, {
      connections: LIMITS.realtimeChannelsMax,
      bodyPauseDeadlineMs: LIMITS.realtimeSilentMs,
      lookup,
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
      // Only the start of a line is kept, so a line without an end takes no memory.
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
