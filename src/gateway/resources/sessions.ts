import type { CallOptions } from "../call-options"
import type { Call } from "../call"
import type { Outcome } from "../outcome"
import { createCheckoutSession } from "../wire/sessions"
import type { CheckoutSession, CreateCheckoutSessionRequest } from "../wire/sessions"

/**
 * Gateway sessions: the short permission to execute once. Only an `ACTIVE` one can be executed, and only
 * by the execution of its own kind (contract, 5).
 */
export type Sessions = {
  /**
   * Opens the session of an `ACTIVE` source, right before executing.
   *
   * @see contract, 2b and 5
   */
  checkout(
    request: CreateCheckoutSessionRequest,
    options?: CallOptions,
  ): Promise<Outcome<CheckoutSession>>
}

export const sessionsOf = (call: Call): Sessions => ({
  checkout: (request, options) => call(createCheckoutSession, request, options),
})
