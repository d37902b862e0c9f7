/**
 * Who asks about which payment session or cart. The id is the permission, so misses are counted,
 * and too many are refused before anything is read.
 */
import type { AuthContext, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { systemClock } from "../core/ports"
import { Refusal, tooMany } from "../core/refusal"
import type { FlowDeps } from "../engine/deps"
import { guessLimit } from "./guess-limit"
import { networkOf } from "./network"
import { respond } from "./respond"
import { shapedIn } from "./shape"

/** Medusa sets the logged-in customer on each route below `/store`, if there is one. */
type ShopperRequest = MedusaRequest & { readonly auth_context?: AuthContext | undefined }

export type Shopper = {
  readonly sessionId: string
  readonly customerId: string | undefined
  /** Where the request comes from, for the limits. */
  readonly network: string
}

const sessions = guessLimit(systemClock)
const carts = guessLimit(systemClock)

/** The logged-in customer, if any. */
export function customerOf({ auth_context: actor }: ShopperRequest): string | undefined {
  return actor?.actor_type === "customer" && actor.actor_id ? actor.actor_id : undefined
}

/** `respond` for the routes of one payment session. 429 to a network that guesses ids. */
export function respondShopper(
  request: ShopperRequest,
  response: MedusaResponse,
  work: (deps: FlowDeps, shopper: Shopper) => Promise<object>,
): Promise<void> {
  const sessionId = request.params["id"] ?? ""
  const network = networkOf(request)
  return respond(request, response, async (deps) => {
    const waitMs = sessions.waitMs(network, sessionId)
    if (waitMs > 0) throw tooMany(waitMs)
    try {
      shapedIn(request.params, "session_not_found")
      const result = await work(deps, { sessionId, customerId: customerOf(request), network })
      sessions.found(sessionId)
      return result
    } catch (error) {
      if (error instanceof Refusal && error.code === "session_not_found") sessions.missed(network)
      throw error
    }
  })
}

/**
 * `respond` for questions about a cart. 429 to a network that guesses ids. Not for routes that a
 * checkout needs, because a shop that renders on its server asks for all shoppers from one address.
 */
export function respondForCart(
  request: MedusaRequest,
  response: MedusaResponse,
  ask: (deps: FlowDeps) => { readonly cartId: string; readonly work: () => Promise<object> },
): Promise<void> {
  const network = networkOf(request)
  return respond(request, response, async (deps) => {
    const { cartId, work } = ask(deps)
    const waitMs = carts.waitMs(network, cartId)
    if (waitMs > 0) throw tooMany(waitMs)
    try {
      const result = await work()
      carts.found(cartId)
      return result
    } catch (error) {
      if (error instanceof Refusal && error.code === "cart_not_found") carts.missed(network)
      throw error
    }
  })
}
