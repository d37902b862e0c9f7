/**
 * The bearer token of one merchant account, for the whole process. At most one refresh is under
 * way. It starts in the background shortly before the old token ends, and a failure is cached so
 * that a broken token endpoint is not asked by every call.
 *
 * Client secret and token stay in this closure, the request body and the header; neither is logged,
 * returned or put into an error. Life is measured on the monotonic clock. (Contract, section 1:
 * `expires_in` is in minutes.)
 */
import { LIMITS } from "../core/limits"
import { attempt, type Ports } from "./attempts"
import { Indeterminate, Invalid, NotFound, Unauthenticated, Unavailable } from "./errors"
import { OPERATIONS } from "./operations"
import { invalidRequest, ranOut, unknownOf } from "./failure"
import type { Failure, Outcome } from "./outcome"
import type { Transport } from "./transport"
import { readToken, type TokenResponse } from "./wire/token"
import { LONGEST_WAIT_MS, waitWithin } from "./wait-within"

const MINUTE_MS = 60_000
const operation = "token.obtain"

/** A token in use. Compared by identity: whether it is still the current one. */
export type HeldToken = {
  readonly authorization: string
  readonly minutes: number
  readonly refreshAtMs: number
  readonly expiresAtMs: number
}

export type TokenSource = {
  /** The current token while it is valid; starts a refresh in the background when one is due. */
  current(): HeldToken | undefined
  /** Waits for a token. A failure is cached for a short time. */
  obtain(): Promise<Outcome<HeldToken>>
  /** After a 401: another token, or undefined if it is too soon to ask for one. */
  instead(refused: HeldToken): Promise<Outcome<HeldToken>> | undefined
  /** Asks for a new token now, past the cache. */
  check(): Promise<Outcome<HeldToken>>
  readonly failures: number
}

export function createTokenSource(
  ports: Ports,
  transport: Transport,
  credentials: { readonly clientId: string; readonly clientSecret: string },
  closing: AbortSignal,
): TokenSource {
  const { clock } = ports
  let held: HeldToken | undefined
  let flight: Promise<Outcome<HeldToken>> | undefined
  let failures = 0
  let quiet: { readonly failure: Failure; readonly untilMs: number } | undefined
  let replacedAtMs = Number.NEGATIVE_INFINITY

  async function request(): Promise<Outcome<HeldToken>> {
    const answer = await attempt<TokenResponse>(ports, {
      operation,
      deadlineMs: OPERATIONS[operation].deadlineMs,
      patience: "job",
      signal: closing,
      send: (remainingMs) =>
        transport.send({
          method: "POST",
          path: OPERATIONS[operation].path,
          body: JSON.stringify({
            client_id: credentials.clientId,
            client_secret: credentials.clientSecret,
          }),
          deadlineMs: remainingMs,
          signal: closing,
        }),
      read: (body) => readToken(body, undefined),
    })
    const nowMs = clock.monotonicMs()
    if (answer.kind === "done") {
      held = hold(answer.value, nowMs)
      failures = 0
      quiet = undefined
      return { kind: "done", value: held }
    }
    const failure = asCredentialFailure(answer)
    failures += 1
    const asked = Math.min(failure.error.retryAfterMs ?? 0, LIMITS.retryAfterCapMs)
    quiet = { failure, untilMs: nowMs + Math.max(asked, LIMITS.tokenNegativeCacheMs) }
    return failure
  }

  function refresh(): Promise<Outcome<HeldToken>> {
    flight ??= request().finally(() => {
      flight = undefined
    })
    return flight
  }

  function obtain(): Promise<Outcome<HeldToken>> {
    if (flight) return flight
    if (quiet && clock.monotonicMs() < quiet.untilMs) return Promise.resolve(quiet.failure)
    return refresh()
  }

  return {
    current() {
      const nowMs = clock.monotonicMs()
      if (!held || nowMs >= held.expiresAtMs) return undefined
      // The old token is still valid for some minutes, so no call waits for the new one, and a
      // shorter outage of the token endpoint has no effect.
      if (nowMs >= held.refreshAtMs && !flight) void obtain()
      return held
    },
    obtain,
    instead(refused) {
      if (held && held !== refused) return Promise.resolve({ kind: "done", value: held })
      const nowMs = clock.monotonicMs()
      if (!flight && nowMs - replacedAtMs < LIMITS.tokenAfter401EveryMs) return undefined
      held = undefined
      replacedAtMs = nowMs
      return obtain()
    },
    check: refresh,
    get failures() {
      return failures
    },
  }
}

/** `token.check`: proves the credentials by a new token, without handing it out. */
export async function checkToken(
  token: TokenSource,
  {
    signal,
    deadlineMs = LONGEST_WAIT_MS,
  }: { readonly signal?: AbortSignal; readonly deadlineMs?: number } = {},
): Promise<Outcome<{ readonly expiresInMinutes: number }>> {
  if (signal?.aborted) {
    return invalidRequest(operation, [{ path: "signal", message: "already aborted" }], undefined)
  }
  // Only this caller's wait is limited: the token call keeps its own deadline for other callers.
  const leftMs = Math.min(deadlineMs, LONGEST_WAIT_MS)
  if (!(leftMs > 0)) return ranOut({ operation }, "deadline")
  const checked = await waitWithin(token.check(), { leftMs, signal })
  if (typeof checked === "string") return unknownOf({ operation, reason: checked })
  if (checked.kind !== "done") return checked
  return { kind: "done", value: { expiresInMinutes: checked.value.minutes } }
}

function hold({ accessToken, expiresInMinutes }: TokenResponse, nowMs: number): HeldToken {
  const isSensible =
    expiresInMinutes !== undefined &&
    expiresInMinutes >= LIMITS.tokenMinutesMin &&
    expiresInMinutes <= LIMITS.tokenMinutesMax
  const minutes = isSensible ? expiresInMinutes : LIMITS.tokenMinutesFallback
  const lifeMs = minutes * MINUTE_MS
  const reserveMs = Math.min(
    LIMITS.tokenRefreshBeforeMs,
    lifeMs * LIMITS.tokenRefreshBeforeFraction,
  )
  return {
    authorization: `Bearer ${accessToken}`,
    minutes,
    refreshAtMs: nowMs + lifeMs - reserveMs,
    expiresAtMs: nowMs + lifeMs,
  }
}

/** Wrong credentials, or not the gateway: the token call can't be "not found" or "invalid". */
function asCredentialFailure(failure: Failure): Failure {
  const { error } = failure
  const facts = { operation: error.operation, reason: error.reason, status: error.status }
  if (error instanceof Invalid) {
    const sentence = "the gateway does not accept the form of the credentials."
    return { kind: "refused", error: new Unauthenticated(sentence, facts) }
  }
  // Also without the API's JSON: here it is not the thing asked for that is unknown.
  if (error.status === 404) {
    const sentence = "there is no gateway of this kind at the base address."
    return { kind: "unknown", error: new Unavailable(sentence, facts) }
  }
  return failure
}

/** Without a token the call itself was not sent, whatever the error of the token call. */
export function notSentBecause({ error }: Failure): Failure {
  if (error instanceof NotFound || error instanceof Indeterminate) {
    const { operation, reason, status } = error
    const unavailable = new Unavailable(error.message, { operation, reason, status })
    return { kind: "not_sent", error: unavailable }
  }
  return { kind: "not_sent", error }
}
