import type { CallOptions } from "../call-options"
import type { Call } from "../call"
import type { Outcome } from "../outcome"
import { createRealtimeKey } from "../wire/realtime-keys"
import type { CreateRealtimeKeyRequest, RealtimeKey } from "../wire/realtime-keys"

/**
 * Keys for live updates on a screen. They prove nothing: the status operations decide what is paid
 * (contract, 11).
 */
export type RealtimeKeys = {
  /**
   * Makes the key of one checkout session, for the shopper's browser. It opens the channel
   * `payment-intent:{sessionId}:{referenceId}` of the push transport, lives for seconds, and each
   * session needs its own; after 30 seconds without news go back to asking.
   *
   * @returns the token only as `accessToken`: neither JSON nor a console shows it
   * @see specification, "Events"; contract, 11
   */
  collection(
    request: CreateRealtimeKeyRequest,
    options?: CallOptions,
  ): Promise<Outcome<RealtimeKey>>
}

export const realtimeKeysOf = (call: Call): RealtimeKeys => ({
  collection: (request, options) => call(createRealtimeKey, request, options),
})
