/**
 * The store in which the processes of one client share its token: one process requests the next
 * token, the others use it. Without a store each process has its own token. At a gateway whose new
 * token ends the former one, the processes would then end one another's tokens, call by call.
 *
 * A store that is down or slow stops nothing: the process then goes on with a token of its own.
 */
import type { Clock } from "./terms/ports"
import { LIMITS } from "./terms/limits"
import { waitWithin } from "./wait-within"

/** A token as the store keeps it. It is a secret, so the store encrypts it. */
export type SharedToken = {
  readonly accessToken: string
  /** The token's whole lifetime in minutes. */
  readonly minutes: number
  /** Milliseconds since the token was obtained, by the store's own clock. */
  readonly ageMs: number
}

export type TokenClaim =
  | { readonly kind: "granted"; readonly claim: string }
  /** Another process is requesting a token, or a newer token was kept meanwhile. */
  | { readonly kind: "taken" }
  /** All processes together have obtained too many tokens lately. */
  | { readonly kind: "spent"; readonly retryInMs: number }

/** The store that an application provides. Each of its calls may reject. */
export type TokenStore = {
  /** The last kept token; `version` changes with each token. An unreadable token is left out. */
  read(): Promise<{ readonly version: number; readonly token?: SharedToken | undefined }>
  /**
   * Asks to be the one process that obtains the token after `version`. A claim ends by itself after
   * some seconds, so that a process that dies does not stop the others.
   */
  claim(version: number): Promise<TokenClaim>
  /** Keeps a token that was just obtained, and ends the claim. */
  keep(token: Omit<SharedToken, "ageMs">): Promise<void>
  /** Ends the claim of a process that obtained no token. */
  giveUp(claim: string): Promise<void>
}

/**
 * The store with a time limit. A call answers undefined if the store rejects or is too slow, and
 * for `LIMITS.tokenStoreQuietMs` after that.
 */
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
