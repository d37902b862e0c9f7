/**
 * Who asks for which payment session. The id is the capability, so asking for one that there is not is
 * counted, and too much of it refused before anything is looked up.
 */
import type { AuthContext, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { systemClock } from "../core/ports"
import { Refusal } from "../core/refusal"
import type { FlowDeps } from "../flows/deps"
import { sessionNotFound } from "../flows/start/context"
import { answer } from "./answer"
import { guessLimit } from "./guess-limit"

/** Medusa says who is logged in on each route below `/store`; nobody, as often as not. */
type ShopperRequest = MedusaRequest & { readonly auth_context?: AuthContext | undefined }

export type Shopper = { readonly sessionId: string; readonly customerId: string | undefined }

const limit = guessLimit(systemClock)

/** What can be an id of Medusa's: the database takes no zero byte, and that is no error of ours. */
const SESSION_ID = /^[\x21-\x7e]{1,200}$/

/** The logged-in customer, if any. */
export function customerOf({ auth_context: actor }: ShopperRequest): string | undefined {
  return actor?.actor_type === "customer" && actor.actor_id ? actor.actor_id : undefined
}

/** As `answer`, for the routes of one payment session; 429 to whoever guesses ids. */
export function answerShopper(
  request: ShopperRequest,
  response: MedusaResponse,
  work: (deps: FlowDeps, shopper: Shopper) => Promise<object>,
): Promise<void> {
  const sessionId = request.params["id"] ?? ""
  const address = request.ip ?? ""
  return answer(request, response, async (deps) => {
    const waitMs = limit.waitMs(address, sessionId)
    if (waitMs > 0) {
      response.setHeader("Retry-After", Math.ceil(waitMs / 1_000))
      throw new Refusal("too_many_requests", "Too many unknown payment sessions. Wait a moment.")
    }
    try {
      if (!SESSION_ID.test(sessionId)) throw sessionNotFound()
      const answered = await work(deps, { sessionId, customerId: customerOf(request) })
      limit.found(sessionId)
      return answered
    } catch (error) {
      if (error instanceof Refusal && error.code === "session_not_found") limit.missed(address)
      throw error
    }
  })
}
