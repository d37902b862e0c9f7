/**
 * Server-sent events of STATUS over one response, and how many streams may be open at once. The
 * headers keep Medusa's compression, and proxies, from holding events back.
 */
import { createHash } from "node:crypto"
import type { Server } from "node:net"
import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import type { Status } from "../checkout/schemas/status"
import type { PaymentSessionId } from "../core/ids"
import { LIMITS } from "../core/limits"
import { tooMany } from "../core/refusal"
import type { FlowDeps } from "../engine/deps"
import { streamsOf } from "../telemetry/streams"

/** States that end the stream. After them the page starts again, or asks for STATUS. */
const END_STATES: readonly string[] = ["paid", "failed", "expired", "under_review"]
const ID_BYTES = 12

/** @returns a function that gives the stream's place back. @throws Refusal `too_many_requests` */
export function takeStream(
  deps: Pick<FlowDeps, "database">,
  sessionId: PaymentSessionId,
  network: string,
): () => void {
  const open = streamsOf(deps)
  const countOf = (key: string) => open.get(key) ?? 0
  // Half of what is free: however many networks take what they can, another still finds a place.
  const fairShare = Math.ceil((LIMITS.streamsMax - countOf("all")) / 2)
  const places = [
    ["all", LIMITS.streamsMax],
    [`session ${sessionId}`, LIMITS.streamsOfSessionMax],
    [`network ${network}`, Math.min(LIMITS.streamsOfNetworkMax, fairShare)],
  ] as const
  if (places.some(([key, most]) => countOf(key) >= most)) throw tooMany(LIMITS.streamHeartbeatMs)
  for (const [key] of places) open.set(key, countOf(key) + 1)
  let isTaken = true
  return () => {
    if (!isTaken) return
    isTaken = false
    for (const [key] of places) {
      if (countOf(key) > 1) open.set(key, countOf(key) - 1)
      else open.delete(key)
    }
  }
}

type EventStream = {
  /** Sends the STATUS if it differs from the last one in more than the time of its check. */
  show(status: Status): void
}

/** @param onEnd called once, when the payment ends, the reader disconnects or the server closes */
function eventStream(
  request: MedusaRequest,
  response: MedusaResponse,
  onEnd: () => void,
): EventStream {
  let last = request.get("last-event-id")
  response.writeHead(200, {
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-store, no-transform",
    "X-Accel-Buffering": "no",
  })
  const send = (text: string) => {
    if (response.destroyed || response.writableEnded) return
    response.write(text)
    if (response.writableLength > LIMITS.streamUnreadBytesMax) response.destroy()
  }
  send(`retry: ${LIMITS.streamRetryMs}\n\n`)
  const heartbeat = setInterval(() => send(":\n\n"), LIMITS.streamHeartbeatMs)
  // A server that shuts down no longer listens, and waits until each response has ended.
  const { server } = request.socket as { server?: Server }
  const closing = setInterval(() => {
    if (server?.listening === false) response.end()
  }, LIMITS.streamsReadEveryMs)
  const end = () => {
    clearInterval(heartbeat)
    clearInterval(closing)
    onEnd()
  }
  if (response.closed) end()
  else response.once("close", end)
  return {
    show(status) {
      const id = idOf(status)
      if (id !== last) send(`event: status\nid: ${id}\ndata: ${JSON.stringify(status)}\n\n`)
      last = id
      if (END_STATES.includes(status.state)) response.end()
    },
  }
}

/**
 * Streams the first STATUS, and each that `watch` shows after it. Watching begins before the first
 * one is sent, so no change in between is missed.
 *
 * @param onEnd as of {@link eventStream}
 * @throws what the response throws, after watching has ended
 */
export function streamStatus(
  request: MedusaRequest,
  response: MedusaResponse,
  first: Status,
  watch: (show: EventStream["show"]) => () => void,
  onEnd: () => void,
): void {
  const unwatch = watch((changed) => stream.show(changed))
  const end = () => {
    unwatch()
    onEnd()
  }
  let stream: EventStream
  try {
    stream = eventStream(request, response, end)
    stream.show(first)
  } catch (error) {
    end()
    throw error
  }
}

/**
 * A digest without the time of the check, and without more of the time left than whether it is over:
 * two STATUS that say the same have the same id.
 */
function idOf(status: Status): string {
  const isOver = status.expires_in_seconds === 0
  const said = JSON.stringify({ ...status, checked_at: null, expires_in_seconds: isOver })
  return createHash("sha256").update(said).digest().toString("base64url", 0, ID_BYTES)
}
