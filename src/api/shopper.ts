import type { AuthenticatedMedusaRequest } from "@medusajs/framework/http"

/** The session that a request is about, and the logged-in customer, if any. */
export function shopperOf(request: AuthenticatedMedusaRequest): {
  readonly sessionId: string
  readonly customerId: string | undefined
} {
  const actor = request.auth_context?.actor_id
  return { sessionId: request.params["id"] ?? "", customerId: actor || undefined }
}
