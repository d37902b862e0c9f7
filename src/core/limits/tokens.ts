/** Limits of the gateway's bearer tokens. */
import { DAY, SECOND } from "./time"

export const TOKEN_LIMITS = {
  /**
   * New tokens of one client, all its processes together. An honest shop needs one an hour, and one
   * more when the gateway ends a token. Processes that end each other's tokens would ask with each
   * call.
   */
  tokensPerMinute: 6,
  /** How long the row of an unused client is kept, sealed as it is; a token lives a day at most. */
  tokensKeptForMs: 2 * DAY,
  /**
   * Two refusals of a client so far apart, with no accepted call in between, are believed: longer
   * than a young token may be refused for.
   */
  clientRefusedAfterMs: 15 * SECOND,
  /** How often each process asks whether the gateway takes a refused client again. */
  refusedAskedEveryMs: 30 * SECOND,
  /**
   * An account that was not called for so long is asked something small, to try its client: once a
   * day, so that an idle shop asks nothing. A gateway may count each call.
   */
  quietAccountMs: DAY,
} as const
