/**
 * Who asks for which payment session, or about which cart. The id is the capability, so asking for one
 * that there is not is counted, and too much of it refused before anything is looked up.
 */
import type { AuthContext, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { systemClock } from "../core/ports"
import { Refusal, tooMany } from "../core/refusal"
import type { FlowDeps } from "../flows/deps"
import { sessionNotFound } from "../flows/start/context"
import { answer } from "./answer"
import { guessLimit } from "./guess-limit"
import { networkOf } from "./network"
import { shapedIn } from "./shape"

/** Medusa says who is logged in on each route below `/store`; nobody, as often as not. */
type ShopperRequest = MedusaRequest & { readonly auth_context?: AuthContext | undefined }

export type Shopper = {
  readonly sessionId: string
  readonly customerId: string | undefined
  /** Where the request comes from, for what is counted. */
  readonly network: string
}

const sessions = guessLimit(systemClock)
const carts = guessLimit(systemClock)

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
  const network = networkOf(request)
  return answer(request, response, async (deps) => {
    const waitMs = sessions.waitMs(network, sessionId)
    if (waitMs > 0) throw tooMany("Too many unknown payment sessions.", waitMs)
    try {
      shapedIn(request.params, sessionNotFound)
      const answered = await work(deps, { sessionId, customerId: customerOf(request), network })
      sessions.found(sessionId)
      return answered
    } catch (error) {
      if (error instanceof Refusal && error.code === "session_not_found") sessions.missed(network)
      throw error
    }
  })
}

/**
 * As `answer`, for what is asked about a cart; 429 to whoever guesses ids. Not for what a checkout can't
 * do without: a shop that renders on its server asks for all shoppers from one address.
 */
export function answerForCart(
  request: MedusaRequest,
  response: MedusaResponse,
  ask: (deps: FlowDeps) => { readonly cartId: string; readonly work: () => Promise<object> },
): Promise<void> {
  const network = networkOf(request)
  return answer(request, response, async (deps) => {
    const { cartId, work } = ask(deps)
    const waitMs = carts.waitMs(network, cartId)
    if (waitMs > 0) throw tooMany("Too many unknown carts.", waitMs)
    try {
      const answered = await work()
      carts.found(cartId)
      return answered
    } catch (error) {
      if (error instanceof Refusal && error.code === "cart_not_found") carts.missed(network)
      throw error
    }
  })
}
