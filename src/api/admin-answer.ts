/** As `answer`, for the admin's routes: with who asks, whose id is kept with what is done. */
import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import type { FlowDeps } from "../flows/deps"
import { answer } from "./answer"

/** Medusa lets nobody below `/admin` in without a login or a secret API key; either has an id. */
export function answerAdmin<Answer extends object>(
  request: AuthenticatedMedusaRequest,
  response: MedusaResponse,
  work: (deps: FlowDeps, adminId: string) => Promise<Answer>,
): Promise<void> {
  return answer(request, response, (deps) => work(deps, request.auth_context.actor_id))
}
