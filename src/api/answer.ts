/**
 * The one place where an expected refusal becomes an answer: `{ code, message, … }` with the status that
 * belongs to the code. What is not expected goes to Medusa's own error handler.
 */
import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { Refusal } from "../core/refusal"
import type { FlowDeps } from "../flows/deps"
import { flowsFrom } from "../modules/merchant-payments/wiring/flows-from"

export async function answer(
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

export function refuse(response: MedusaResponse, refusal: Refusal): void {
  const { retry_after_seconds: seconds } = refusal.details
  if (typeof seconds === "number") response.setHeader("Retry-After", seconds)
  response
    .status(refusal.httpStatus)
    .json({ code: refusal.code, message: refusal.message, ...refusal.details })
}
