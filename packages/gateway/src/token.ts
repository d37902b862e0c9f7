/**
 * The bearer token of one merchant account, for the whole process. At most one refresh runs at a
 * time. It starts in the background shortly before the old token ends. A failure is cached, so that
 * not every call asks a broken token endpoint.
 *
 * A gateway's new token may end the former token of the same client, and may become valid only
 * seconds later. So processes that have a `TokenStore` share one token. A refused token that was
 * just obtained is used again after a pause, and not replaced.
 *
 * Client secret and token stay in this closure, the store, the request body and the header; neither
 * is logged, returned or put into an error. The token's life is measured on the monotonic clock.
 * (Contract, section 1: `expires_in` is in minutes.)
 */
import { LIMITS } from "./terms/limits"
import { attempt, isSlept, type Ports } from "./attempts"
import { Indeterminate, Invalid, NotFound, Unauthenticated, Unavailable } from "./errors"
import { OPERATIONS } from "./operations"
import { invalidRequest, ranOut, tooManyTokens, unknownOf } from "./failure"
import type { Failure, Outcome } from "./outcome"
import { tokenSharing, type SharedToken, type TokenSharing, type TokenStore } from "./token-store"
import type { Transport } from "./transport"
import { readToken, type TokenResponse } from "./wire/token"
import { LONGEST_WAIT_MS, waitWithin } from "./wait-within"

const MINUTE_MS = 60_000
const BEARER = "Bearer "
const operation = "token.obtain"

/** A token in use. It is compared by identity, to know whether it is still the current one. */
export type HeldToken = {
  readonly authorization: string
  readonly minutes: number
  readonly gotAtMs: number
  readonly refreshAtMs: number
  readonly expiresAtMs: number
}

export type TokenSource = {
  /** The current token while it is valid; starts a refresh in the background when one is due. */
  current(): HeldToken | undefined
  /** Waits for a token. A failure is cached for a short time. */
  obtain(): Promise<Outcome<HeldToken>>
  /**
   * Answers after a 401 with another token, or with `refused` if it is too soon to request another.
   * @param sentAtMs when the refused request left, by the monotonic clock
   */
  instead(refused: HeldToken, sentAtMs: number): Promise<Outcome<HeldToken>>
  /** Records that the gateway has accepted the token: a later 401 then means that it has ended. */
  hasServed(token: HeldToken): void
  /** Whether a refused token may not be valid yet, and so is used again after a pause. */
  isYoung(refused: HeldToken, sentAtMs: number): boolean
  /** Requests a new token now, despite a cached failure or a valid token. */
  check(): Promise<Outcome<HeldToken>>
  readonly failures: number
}

export function createTokenSource(
  ports: Ports,
  transport: Transport,
  credentials: { readonly clientId: string; readonly clientSecret: string },
  closing: AbortSignal,
  store?: TokenStore,
): TokenSource {
  const { clock } = ports
  const sharing = store && tokenSharing(clock, store)
  const requests = tokenRequests(clock, asking(ports, transport, credentials, closing), sharing)
  const served = servedToken(clock)
  let held: HeldToken | undefined
  let flight: Promise<Outcome<HeldToken>> | undefined
  /** The refused token: no new call is sent with it while its successor is on the way. */
  let replaced: HeldToken | undefined
  const next = successor({ clock, closing, sharing, requests, served, held: () => held })

  function fly(refused?: HeldToken, sentAtMs?: number): Promise<Outcome<HeldToken>> {
    replaced = refused
    flight = next(refused, sentAtMs)
      .then((outcome) => {
        if (outcome.kind === "done") held = outcome.value
        else if (refused && held === refused) held = undefined
        return outcome
      })
      .finally(() => {
        flight = undefined
        replaced = undefined
      })
    return flight
  }

  const obtain = (refused?: HeldToken, sentAtMs?: number): Promise<Outcome<HeldToken>> =>
    flight ?? requests.quiet() ?? fly(refused, sentAtMs)

  return {
    current() {
      const nowMs = clock.monotonicMs()
      if (!held || held === replaced || nowMs >= held.expiresAtMs) return undefined
      // The old token is still valid for some minutes, so no call waits for the new one, and a
      // shorter outage of the token endpoint has no effect.
      if (nowMs >= held.refreshAtMs && !flight) void obtain()
      return held
    },
    obtain: () => obtain(),
    instead(refused, sentAtMs) {
      if (held && held !== refused) return Promise.resolve({ kind: "done", value: held })
      return obtain(refused, sentAtMs)
    },
    isYoung: served.isYoung,
    hasServed: served.note,
    async check() {
      const answer = await requests.ask()
      if (answer.kind === "done") held = answer.value
      return answer
    },
    get failures() {
      return requests.failures
    },
  }
}

/**
 * The last token that the gateway accepted, and when. It is compared by its text, because each read
 * of a shared token makes a new object. A 401 to a request that left before `atMs` proves nothing:
 * the token may not have been valid yet.
 */
function servedToken(clock: Ports["clock"]) {
  let served: { readonly authorization: string; readonly atMs: number } | undefined
  const hadServed = ({ authorization }: HeldToken, sentAtMs: number) =>
    served?.authorization === authorization && served.atMs <= sentAtMs
  return {
    note({ authorization }: HeldToken): void {
      if (served?.authorization === authorization) return
      served = { authorization, atMs: clock.monotonicMs() }
    },
    isYoung: (token: HeldToken, sentAtMs: number): boolean =>
      !hadServed(token, sentAtMs) && clock.monotonicMs() - token.gotAtMs < LIMITS.tokenYoungMs,
  }
}

/** Requests tokens from the gateway, for this process and all that share its store. */
function tokenRequests(
  clock: Ports["clock"],
  askGateway: () => Promise<Outcome<HeldToken>>,
  sharing: TokenSharing | undefined,
) {
  let failures = 0
  let quiet: { readonly failure: Failure; readonly untilMs: number } | undefined
  return {
    ask: oneFlight(async () => {
      const answer = await askGateway()
      if (answer.kind === "done") {
        failures = 0
        quiet = undefined
        const { authorization, minutes } = answer.value
        await sharing?.keep({ accessToken: authorization.slice(BEARER.length), minutes })
        return answer
      }
      failures += 1
      const asked = Math.min(answer.error.retryAfterMs ?? 0, LIMITS.retryAfterCapMs)
      const nowMs = clock.monotonicMs()
      quiet = { failure: answer, untilMs: nowMs + Math.max(asked, LIMITS.tokenNegativeCacheMs) }
      return answer
    }),
    /** The last failure, as long as it is not asked again. */
    quiet: () =>
      quiet && clock.monotonicMs() < quiet.untilMs ? Promise.resolve(quiet.failure) : undefined,
    get failures() {
      return failures
    },
  }
}

type Succession = {
  readonly clock: Ports["clock"]
  readonly closing: AbortSignal
  readonly sharing: TokenSharing | undefined
  readonly requests: { ask(): Promise<Outcome<HeldToken>> }
  readonly served: Pick<ReturnType<typeof servedToken>, "isYoung">
  held(): HeldToken | undefined
}

/**
 * Makes the function that waits for the next token: the one that another process has obtained, or a
 * new one, when it is this process's turn to request it.
 */
function successor({ clock, closing, sharing, requests, served, held }: Succession) {
  let replacedAtMs = Number.NEGATIVE_INFINITY
  const mayReplace = (token: HeldToken, sentAtMs: number) =>
    !served.isYoung(token, sentAtMs) &&
    clock.monotonicMs() - replacedAtMs >= LIMITS.tokenAfter401EveryMs

  function request(refused?: HeldToken): Promise<Outcome<HeldToken>> {
    if (refused) replacedAtMs = clock.monotonicMs()
    return requests.ask()
  }

  /** @returns `refused` itself if no other token may be requested yet */
  return async (refused?: HeldToken, sentAtMs = 0): Promise<Outcome<HeldToken>> => {
    const endsAtMs = clock.monotonicMs() + LIMITS.tokenDeadlineMs
    for (;;) {
      const seen = await sharing?.read()
      const other = otherOf(seen?.token, clock.monotonicMs(), held(), refused)
      if (other) return { kind: "done", value: other }
      if (refused && !mayReplace(refused, sentAtMs)) return { kind: "done", value: refused }
      const turn = seen && (await sharing?.claim(seen.version))
      if (!turn) return request(refused)
      if (turn.kind === "granted") {
        const answer = await request(refused)
        if (answer.kind !== "done") await sharing?.giveUp(turn.claim)
        return answer
      }
      if (turn.kind === "spent") {
        return refused ? { kind: "done", value: refused } : tooManyTokens(operation, turn.retryInMs)
      }
      const isLate = clock.monotonicMs() >= endsAtMs
      if (isLate || !(await isSlept(clock, LIMITS.tokenTurnPollMs, closing))) {
        return ranOut({ operation }, isLate ? "deadline" : "aborted")
      }
    }
  }
}

/** The shared token, unless it is the one that this process holds or that was refused. */
function otherOf(
  shared: SharedToken | undefined,
  nowMs: number,
  held?: HeldToken,
  refused?: HeldToken,
): HeldToken | undefined {
  if (!shared) return undefined
  const other = hold(shared.accessToken, shared.minutes, nowMs - shared.ageMs)
  const isKnown = [held, refused].some((one) => one?.authorization === other.authorization)
  if (isKnown || nowMs >= other.expiresAtMs) return undefined
  // A shared token that is due for renewal too is no reason to skip the renewal.
  return held && !refused && nowMs >= other.refreshAtMs ? undefined : other
}

/** Makes the function that requests a token from the gateway; it ends when `closing` aborts. */
function asking(
  ports: Ports,
  transport: Transport,
  credentials: { readonly clientId: string; readonly clientSecret: string },
  closing: AbortSignal,
): () => Promise<Outcome<HeldToken>> {
  const { clientId: client_id, clientSecret: client_secret } = credentials
  const { path, deadlineMs } = OPERATIONS[operation]
  return async () => {
    const answer = await attempt<TokenResponse>(ports, {
      operation,
      deadlineMs,
      patience: "job",
      signal: closing,
      send: (remainingMs) =>
        transport.send({
          method: "POST",
          path,
          body: JSON.stringify({ client_id, client_secret }),
          deadlineMs: remainingMs,
          signal: closing,
        }),
      read: (body) => readToken(body, undefined),
    })
    if (answer.kind !== "done") return asCredentialFailure(answer)
    const { accessToken, expiresInMinutes } = answer.value
    const value = hold(accessToken, believedMinutes(expiresInMinutes), ports.clock.monotonicMs())
    return { kind: "done", value }
  }
}

function oneFlight<T>(work: () => Promise<T>): () => Promise<T> {
  let flight: Promise<T> | undefined
  return () =>
    (flight ??= work().finally(() => {
      flight = undefined
    }))
}

/** Runs `token.check`: proves the credentials by a new token, without handing it out. */
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

function believedMinutes(minutes: number | undefined): number {
  const isSensible =
    minutes !== undefined && minutes >= LIMITS.tokenMinutesMin && minutes <= LIMITS.tokenMinutesMax
  return isSensible ? minutes : LIMITS.tokenMinutesFallback
}

function hold(accessToken: string, minutes: number, gotAtMs: number): HeldToken {
  const lifeMs = minutes * MINUTE_MS
  const reserveMs = Math.min(
    LIMITS.tokenRefreshBeforeMs,
    lifeMs * LIMITS.tokenRefreshBeforeFraction,
  )
  return {
    authorization: `${BEARER}${accessToken}`,
    minutes,
    gotAtMs,
    refreshAtMs: gotAtMs + lifeMs - reserveMs,
    expiresAtMs: gotAtMs + lifeMs,
  }
}

/**
 * For the token call, "invalid" means wrong credentials if the gateway itself says so, and a 404
 * means that no gateway is at the address: the call names no record and sends only the credentials.
 */
function asCredentialFailure(failure: Failure): Failure {
  const { error } = failure
  const facts = { operation: error.operation, reason: error.reason, status: error.status }
  if (error instanceof Invalid && error.isOtherForm) return unknownOf(facts)
  if (error instanceof Invalid) {
    const sentence = "the gateway does not accept the form of the credentials."
    return { kind: "refused", error: new Unauthenticated(sentence, facts) }
  }
  // A 404 without the API's JSON too: this call asks for no record that could be missing.
  if (error.status === 404) {
    const sentence = "there is no gateway of this kind at the base address."
    return { kind: "unknown", error: new Unavailable(sentence, facts) }
  }
  return failure
}

/** Without a token the call was not sent, so each failure of the token call becomes `not_sent`. */
export function notSentBecause({ error }: Failure): Failure {
  if (error instanceof NotFound || error instanceof Indeterminate) {
    const { operation, reason, status } = error
    const unavailable = new Unavailable(error.message, { operation, reason, status })
    return { kind: "not_sent", error: unavailable }
  }
  return { kind: "not_sent", error }
}
