/** Limits of the gateway's bearer tokens. */
import { DAY, MINUTE, SECOND } from "./time"

export const TOKEN_LIMITS = {
  /** Above the connect deadline, so that "could not connect" keeps its own error. */
  tokenDeadlineMs: 12 * SECOND,
  /** The gateway's advice: a new token when fewer than 5 minutes remain. */
  tokenRefreshBeforeMs: 5 * MINUTE,
  /** For tokens so short that 5 minutes would be their whole life. */
  tokenRefreshBeforeFraction: 0.2,
  /** Token lives outside of this range are not believed. */
  tokenMinutesMin: 1,
  /** A day. */
  tokenMinutesMax: 1_440,
  /** Used when `expires_in` is not believed: short enough to be safe, too long to loop. */
  tokenMinutesFallback: 5,
  /** How long a failed token call answers all callers, instead of each asking again. */
  tokenNegativeCacheMs: 2 * SECOND,
  /** Limits new tokens of a process for a gateway that answers 401 even to a new one. */
  tokenAfter401EveryMs: 10 * SECOND,
  /**
   * A 401 to a token younger than this may be a gateway whose servers do not all know the token
   * yet: another token would be unknown again, and may end this one. Replication takes seconds; a
   * read's whole deadline is 10 s.
   */
  tokenYoungMs: 8 * SECOND,
  /** The first pause before a young token is used again; it doubles, with jitter. */
  tokenPauseMs: 250,
  /** The longest such pause: a token that is valid by now waits no longer. */
  tokenPauseCapMs: 2 * SECOND,
  /** Requests of one call that 401 may bring: the pauses of a young token, and a token after it. */
  tokenSendsPerCallMax: 16,
  /**
   * New tokens of one client, all its processes together. An honest shop needs one an hour and one
   * after each that was ended; processes that each end the other's would ask with each call.
   */
  tokensPerMinute: 6,
  /** The row of a client that nobody uses any more, sealed as it is; a token lives a day at most. */
  tokensKeptForMs: 2 * DAY,
  /** How long one process may be the one that asks: token calls take a second, a dead one for ever. */
  tokenTurnMs: 5 * SECOND,
  /** How often the others look for what that process got. */
  tokenTurnPollMs: 200,
  /** The longest wait for the place where tokens are shared: calls go on without it. */
  tokenStoreMs: 2 * SECOND,
  /** After it failed it is not asked for this time, so that not each call waits for it. */
  tokenStoreQuietMs: 10 * SECOND,
} as const
