import type {
  AuthenticatedMedusaRequest,
  MedusaRequest,
  MedusaResponse,
} from "@medusajs/framework/http"
import { Refusal } from "../core/refusal"
import type { FlowDeps } from "../engine/deps"
import { flowsFrom } from "../medusa/wiring/flows-from"

/**
 * Sends the result of `work`. An expected refusal becomes `{ code, situation, message, facts, … }`
 * with the status of its code; any other error goes to Medusa's error handler.
 */
export async function respond(
  request: MedusaRequest,
  response: MedusaResponse,
  work: (deps: FlowDeps) => Promise<object>,
): Promise<void> {
  try {
    response.status(200).json(await work(flowsFrom(request.scope)))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    refuse(response, error)
  }
}

/**
 * `respond` for the admin's routes. `work` also gets the id of the admin, which is recorded with
 * what it does: below `/admin` Medusa requires a login or a secret API key, and either has an id.
 */
export function respondAdmin<Body extends object>(
  request: AuthenticatedMedusaRequest,
  response: MedusaResponse,
  work: (deps: FlowDeps, adminId: string) => Promise<Body>,
): Promise<void> {
  return respond(request, response, (deps) => work(deps, request.auth_context.actor_id))
}

export function refuse(response: MedusaResponse, refusal: Refusal): void {
  const { retry_after_seconds: seconds } = refusal.details
  if (typeof seconds === "number") response.setHeader("Retry-After", seconds)
  response.status(refusal.httpStatus).json({ ...refusal.toResponse(), ...refusal.details })
}
