import type { Call, Method } from "../call"
import { createRealtimeKey } from "../wire/realtime-keys"
import type { CreateRealtimeKeyRequest, RealtimeKey } from "../wire/realtime-keys"

/**
 * Keys for live updates on a screen. They prove nothing: the status operations decide what is paid
 * (contract, 11).
 */
export type RealtimeKeys = {
  /**
   * Makes the key of one checkout session, for the shopper's browser. It opens the channel
   * `payment-intent:{sessionId}:{referenceId}` of the push transport and lives for seconds. After
   * 30 seconds without news go back to asking (specification, "Events"; contract, 11).
   */
  readonly collection: Method<CreateRealtimeKeyRequest, RealtimeKey>
}

export const realtimeKeysOf = (call: Call): RealtimeKeys => ({
  collection: (request, options) => call(createRealtimeKey, request, options),
})
