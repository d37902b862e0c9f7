/**
 * Runs one HTTP exchange: sends a request and returns one whole JSON answer, or the reason why
 * there is none. It gets no token, repeats nothing and judges nothing.
 *
 * The pool limits the time to connect, to the head of the answer, and between two pieces of its
 * body. A timer limits the whole exchange, which also stops a body that drips; it is a real timer,
 * monotonic in Node, because it guards a real socket.
 *
 * Redirects are never followed: undici's bare `dispatch` has no code for them. It is used because
 * one buffer and one `JSON.parse` are enough. The first exchange loads undici, so a program that
 * makes no call does not wait for it.
 */
import type { LookupFunction } from "node:net"
import type { Pool } from "undici"
import { LIMITS } from "./terms/limits"
import type { Happened } from "./classify"
import { ConnectFailure, marking } from "./connector"
import { Exchange } from "./exchange"
import type { OperationSpec } from "./operations"
import type { BodyStream } from "./stream/list-body"

export type Sending = {
  readonly method: OperationSpec["method"]
  /** The encoded path and query. */
  readonly path: string
  readonly body?: string | undefined
  /** The `authorization` header, `Bearer …`. Absent only for the token call. */
  readonly authorization?: string | undefined
  readonly deadlineMs: number
  readonly signal?: AbortSignal | undefined
  /** The longest answer that is read, in bytes. Default: `LIMITS.bodyLimitBytes`. */
  readonly bodyLimitBytes?: number | undefined
  /** Reads the body of a good answer while it arrives; it then has limits of its own. */
  readonly stream?: BodyStream | undefined
}

export type Transport = {
  /** Never rejects: a failure is a value of {@link Happened}. */
  send(sending: Sending): Promise<Happened>
  /** Waits for exchanges under way, then closes the connections. */
  close(): Promise<void>
}

export type TransportLimits = {
  readonly connectDeadlineMs?: number | undefined
  readonly headDeadlineMs?: number | undefined
  readonly bodyPauseDeadlineMs?: number | undefined
  readonly connections?: number | undefined
  /** Finds the address of a name at each connection. Default: Node's `dns.lookup`. */
  readonly lookup?: LookupFunction | undefined
}

/**
 * @param origin as {@link parseBaseUrl} returns it
 * @param onDate gets the `Date` header of each answer that has one; must not throw
 */
export function createTransport(
  origin: string,
  limits: TransportLimits = {},
  onDate?: (date: string) => void,
): Transport {
  let pool: Pool | undefined
  let opening: Promise<Pool> | undefined
  let isClosed = false

  async function open(): Promise<Pool> {
    const isTooLate = isClosed
    pool = await openPool(origin, limits)
    // A closed pool rejects requests with an error that counts as "never sent".
    if (isTooLate) await pool.close()
    return pool
  }

  return {
    async send(sending) {
      const happened = await new Promise<Happened>((resolve) => {
        const limitBytes = sending.bodyLimitBytes ?? LIMITS.bodyLimitBytes
        const exchange = new Exchange(limitBytes, resolve, sending.stream)
        exchange.watch(sending.deadlineMs, sending.signal)
        if (pool) return dispatch(pool, sending, exchange)
        opening ??= open()
        opening.then(
          (opened) => dispatch(opened, sending, exchange),
          // undici could not be loaded, so there is no connection.
          (error: unknown) => {
            opening = undefined
            exchange.onResponseError(undefined, new ConnectFailure("network", error))
          },
        )
      })
      if (happened.what === "answered" && happened.date !== undefined) onDate?.(happened.date)
      return happened
    },
    close: async () => {
      isClosed = true
      const opened = await opening?.catch(() => undefined)
      if (opened && !opened.closed) await opened.close()
    },
  }
}

export async function openPool(origin: string, limits: TransportLimits): Promise<Pool> {
  const { Pool, buildConnector } = await import("undici")
  return new Pool(origin, {
    connections: limits.connections ?? LIMITS.connectionsPerOrigin,
    connect: marking(
      buildConnector({
        timeout: limits.connectDeadlineMs ?? LIMITS.connectDeadlineMs,
        // Set here because NODE_TLS_REJECT_UNAUTHORIZED=0 would otherwise switch the check off.
        rejectUnauthorized: true,
        ...(limits.lookup && { lookup: limits.lookup }),
      }),
    ),
    keepAliveTimeout: LIMITS.keepAliveMs,
    keepAliveMaxTimeout: LIMITS.keepAliveMs,
    // One request on a connection at a time: a cut connection takes exactly one call with it.
    pipelining: 1,
    headersTimeout: limits.headDeadlineMs ?? LIMITS.headDeadlineMs,
    bodyTimeout: limits.bodyPauseDeadlineMs ?? LIMITS.bodyPauseDeadlineMs,
  })
}

/** The gateway gathers a long list before its head, and may rest between two parts of it. */
const STREAMED = {
  headersTimeout: LIMITS.streamedHeadDeadlineMs,
  bodyTimeout: LIMITS.streamedPauseDeadlineMs,
}

function dispatch(pool: Pool, sending: Sending, exchange: Exchange): void {
  const { method, path, body, authorization } = sending
  const headers = [
    "accept",
    "application/json",
    // Without this header the gateway could compress; nothing here decompresses.
    "accept-encoding",
    "identity",
    "user-agent",
    "merchant-payments-gateway",
  ]
  if (authorization !== undefined) headers.push("authorization", authorization)
  if (body !== undefined) headers.push("content-type", "application/json")
  try {
    const patience = sending.stream ? STREAMED : undefined
    pool.dispatch({ method, path, headers, body: body ?? null, ...patience }, exchange)
  } catch (error) {
    exchange.onResponseError(undefined, error)
  }
}
