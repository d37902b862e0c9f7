/**
 * Where the processes of one client share its token: one of them asks for the next one, the others
 * take it. Without it each has a token of its own, and at a gateway whose new token ends the former
 * one they end one another's, call by call.
 *
 * A store that is down or slow stops nothing: the client then goes on with a token of its own.
 */
import type { Clock } from "../core/ports"
import { LIMITS } from "../core/limits"
import { waitWithin } from "./wait-within"

/** A secret: the store encrypts it. */
export type SharedToken = {
  readonly accessToken: string
  /** How long it lives in all. */
  readonly minutes: number
  /** Milliseconds since it was got, by the store's own clock. */
  readonly ageMs: number
}

export type TokenClaim =
  | { readonly kind: "granted"; readonly claim: string }
  /** Another process is asking, or a token was kept since. */
  | { readonly kind: "taken" }
  /** All processes together got too many lately. */
  | { readonly kind: "spent"; readonly retryInMs: number }

/** All calls may reject. */
export type TokenStore = {
  /** The token that was kept last; `version` changes with each. An unreadable token is left out. */
  read(): Promise<{ readonly version: number; readonly token?: SharedToken | undefined }>
  /**
   * Asks to be the one process that gets the token after `version`. A claim ends by itself, after
   * some seconds, so that a process that dies stops nobody.
   */
  claim(version: number): Promise<TokenClaim>
  /** Keeps a token that was got just now, and ends the claim. */
  keep(token: Omit<SharedToken, "ageMs">): Promise<void>
  /** Ends the claim of a process that got no token. */
  giveUp(claim: string): Promise<void>
}

/** The store within its time: undefined where it is down, or was a moment ago. */
export type TokenSharing = {
  read(): Promise<Awaited<ReturnType<TokenStore["read"]>> | undefined>
  claim(version: number): Promise<TokenClaim | undefined>
  keep(token: Omit<SharedToken, "ageMs">): Promise<void>
  giveUp(claim: string): Promise<void>
}

export function tokenSharing(clock: Pick<Clock, "monotonicMs">, store: TokenStore): TokenSharing {
  let quietUntilMs = Number.NEGATIVE_INFINITY

  async function within<T>(ask: () => Promise<T>): Promise<T | undefined> {
    if (clock.monotonicMs() < quietUntilMs) return undefined
    const answered = ask().then(
      (answer) => ({ answer }),
      () => undefined,
    )
    const came = await waitWithin(answered, { leftMs: LIMITS.tokenStoreMs })
    if (typeof came === "object") return came.answer
    quietUntilMs = clock.monotonicMs() + LIMITS.tokenStoreQuietMs
    return undefined
  }

  return {
    read: () => within(() => store.read()),
    claim: (version) => within(() => store.claim(version)),
    keep: (token) => within(() => store.keep(token)),
    giveUp: (claim) => within(() => store.giveUp(claim)),
  }
}
