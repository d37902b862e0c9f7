/** Calls of `gateway.realtimeKeys`. */
import { REFERENCE } from "./call-case"
import type { CallCase } from "./call-case"

export const REALTIME_KEY = { access_token: "CANARY-realtime-token", expires_in: 300 }

export const REALTIME_KEY_CALLS: readonly CallCase[] = [
  {
    operation: "realtimeKeys.collection",
    body: REALTIME_KEY,
    run: (gateway, options) =>
      gateway.realtimeKeys.collection(
        { sessionId: 55, sourceType: "ORDER", referenceId: REFERENCE },
        options,
      ),
  },
]
