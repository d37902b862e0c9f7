/** Limits of the gateway's bearer tokens. */
import { DAY, MINUTE, SECOND } from "./time"

export const TOKEN_LIMITS = {
  /** A token call: above the connect deadline, so that "could not connect" keeps its own error. */
  tokenDeadlineMs: 12 * SECOND,
  /** The gateway's advice: a new token when fewer than 5 minutes remain. */
  tokenRefreshBeforeMs: 5 * MINUTE,
  /** The same as a share of a token's life, where 5 minutes would be all of it. */
  tokenRefreshBeforeFraction: 0.2,
  /** The shortest life of a token that is believed. */
  tokenMinutesMin: 1,
  /** The longest life of a token that is believed: a day. */
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
  /** The longest pause of a young token: once it is valid, it waits no longer than this. */
  tokenPauseCapMs: 2 * SECOND,
  /** Requests of one call with 401s between: a young token's, after pauses, and a new token's. */
  tokenSendsPerCallMax: 16,
  /**
   * New tokens of one client, all its processes together. An honest shop needs one an hour, and one
   * after each that the gateway ended; processes that end each other's would ask with each call.
   */
  tokensPerMinute: 6,
  /** How long the row of an unused client is kept, sealed as it is; a token lives a day at most. */
  tokensKeptForMs: 2 * DAY,
  /** How long one process alone may ask for a token: a call takes a second, a dead one for ever. */
  tokenTurnMs: 5 * SECOND,
  /** How often the other processes check for the token that this process got. */
  tokenTurnPollMs: 200,
  /** The longest wait for the place where tokens are shared: calls go on without it. */
  tokenStoreMs: 2 * SECOND,
  /** How long the shared store of tokens rests after a failure, so that not each call waits. */
  tokenStoreQuietMs: 10 * SECOND,
} as const
