import type { CallOptions } from "../call-options"
import type { Call } from "../call"
import type { Outcome } from "../outcome"
import { executeCollection } from "../wire/executions"
import type { ExecuteCollectionRequest, Execution } from "../wire/executions"

/**
 * The calls that move money. Each is sent once and never repeated here; its `referenceId`, a UUID v4 that
 * is stored before the call, decides what happened (contract, 7).
 */
export type Executions = {
  /**
   * Collects from a payer. `done` says that the gateway accepted it, not that it is paid: follow
   * {@link Status.collection}. After `unknown` ask there, under the same reference.
   *
   * @returns `refused` with `Invalid`: the session is over, the account is not the party's, or the
   * reference was used for another payment
   * @see specification, "Idempotency rules for executions"; contract, 2b and 7
   */
  collection(request: ExecuteCollectionRequest, options?: CallOptions): Promise<Outcome<Execution>>
}

export const executionsOf = (call: Call): Executions => ({
  collection: (request, options) => call(executeCollection, request, options),
})
