/** Calls of `gateway.sessions`. */
import { TIMES } from "./call-case"
import type { CallCase } from "./call-case"

export const SESSION = {
  id: 55,
  source_id: 301,
  source_type: "ORDER",
  status: "ACTIVE",
  expires_at: "2026-06-01T10:30:00Z",
  payment_account_id: null,
  ...TIMES,
}

export const SESSION_CALLS: readonly CallCase[] = [
  {
    operation: "sessions.checkout",
    body: SESSION,
    run: (gateway, options) =>
      gateway.sessions.checkout({ sourceType: "ORDER", sourceId: 301 }, options),
  },
]
