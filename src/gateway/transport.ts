/**
 * One HTTP exchange: a request out, one whole JSON answer in, or what became of it instead. No token, no
 * repeats, no judgement.
 *
 * Four deadlines and a size: connecting, the head of the answer, the pause between two pieces of its body
 * (these three by the pool), and the whole exchange, which also stops a body that drips. The whole one is
 * a real timer because it guards a real socket; Node's timers are monotonic.
 *
 * Redirects are not followed: undici's `dispatch` has no code for it, and nothing here adds it. It is
 * used bare, without its body streams, because one buffer and one `JSON.parse` are all that is needed.
 * It is loaded by the first exchange: a program that has the client in it and makes no call does not wait
 * for it.
 */
import type { Dispatcher, Pool } from "undici"
import { LIMITS } from "../core/limits"
import type { Happened } from "./classify"
import { ConnectFailure, marking, outerLookup } from "./connector"
import { Exchange } from "./exchange"
import type { OperationSpec } from "./operations"

export type Sending = {
  readonly method: OperationSpec["method"]
  /** Path and query, encoded. */
  readonly path: string
  readonly body?: string | undefined
  /** `Bearer …`. Absent only for the token call. */
  readonly authorization?: string | undefined
  readonly deadlineMs: number
  readonly signal?: AbortSignal | undefined
  /** The longest answer that is read. Default: the transport's own. */
  readonly bodyLimitBytes?: number | undefined
}

export type Transport = {
  /** Never rejects. */
  send(sending: Sending): Promise<Happened>
  /** Waits for exchanges under way, then closes the connections. */
  close(): Promise<void>
}

export type TransportLimits = {
  readonly connectDeadlineMs?: number | undefined
  readonly headDeadlineMs?: number | undefined
  readonly bodyPauseDeadlineMs?: number | undefined
  readonly bodyLimitBytes?: number | undefined
  /** No connection to this machine or its own link, whatever the origin's name leads to. */
  readonly isOuterOnly?: boolean | undefined
}

/** @param origin as {@link parseBaseUrl} returns it */
export function createTransport(origin: string, limits: TransportLimits = {}): Transport {
  const bodyLimitBytes = limits.bodyLimitBytes ?? LIMITS.bodyLimitBytes
  let pool: Pool | undefined
  let opening: Promise<Pool> | undefined
  let isClosed = false

  async function open(): Promise<Pool> {
    const isTooLate = isClosed
    pool = await openPool(origin, limits)
    // A closed pool refuses what is sent, in its own words for "never sent".
    if (isTooLate) await pool.close()
    return pool
  }

  return {
    send: (sending) =>
      new Promise((resolve) => {
        const exchange = new Exchange(sending.bodyLimitBytes ?? bodyLimitBytes, resolve)
        exchange.watch(sending.deadlineMs, sending.signal)
        if (pool) return dispatch(pool, sending, exchange)
        opening ??= open()
        opening.then(
          (opened) => dispatch(opened, sending, exchange),
          // Without undici there is no connection either.
          (error: unknown) => {
            opening = undefined
            exchange.onResponseError(undefined, new ConnectFailure("network", error))
          },
        )
      }),
    close: async () => {
      isClosed = true
      const opened = await opening?.catch(() => undefined)
      if (opened && !opened.closed) await opened.close()
    },
  }
}

async function openPool(origin: string, limits: TransportLimits): Promise<Pool> {
  const { Pool, buildConnector } = await import("undici")
  return new Pool(origin, {
    connections: LIMITS.connectionsPerOrigin,
    connect: marking(
      buildConnector({
        timeout: limits.connectDeadlineMs ?? LIMITS.connectDeadlineMs,
        // Said, not left to Node: NODE_TLS_REJECT_UNAUTHORIZED=0 would take the check away.
        rejectUnauthorized: true,
        ...(limits.isOuterOnly && { lookup: outerLookup() }),
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

function dispatch(pool: Pool, sending: Sending, exchange: Exchange): void {
  try {
    pool.dispatch(dispatchOptions(sending), exchange)
  } catch (error) {
    exchange.onResponseError(undefined, error)
  }
}

function dispatchOptions(sending: Sending): Dispatcher.DispatchOptions {
  const headers = [
    "accept",
    "application/json",
    // Without it any coding would be welcome, and nothing here unpacks one.
    "accept-encoding",
    "identity",
    "user-agent",
    "medusa-plugin-merchant-payments",
  ]
  if (sending.authorization !== undefined) headers.push("authorization", sending.authorization)
  if (sending.body !== undefined) headers.push("content-type", "application/json")
  return {
    method: sending.method,
    path: sending.path,
    headers,
    body: sending.body ?? null,
  }
}
