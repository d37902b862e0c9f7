/**
 * Routes about one payment session or cart. The id is the permission, so unknown ids are counted,
 * and a network with too many is refused before anything is read.
 */
import type { AuthContext, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { type CartId, type CustomerId, idFrom, type PaymentSessionId } from "../core/ids"
import { Refusal, refusal, tooMany } from "../core/refusal"
import { SHAPE } from "../core/schemas/shapes"
import type { FlowDeps } from "../engine/deps"
import { perStore } from "../ledger/per-store"
import { flowsFrom } from "../medusa/wiring/flows-from"
import { guessLimit, type GuessLimit } from "./guess-limit"
import { networkOf } from "./network"
import type { Answer, StoreRoutes } from "./answers"
import { STORE, type Asked } from "./endpoints"
import { askedIn } from "./parsed"
import { isRefused, respond, type Route } from "./respond"

/** Medusa sets the logged-in customer on each route below `/store`, if there is one. */
type ShopperRequest = MedusaRequest & { readonly auth_context?: AuthContext | undefined }

export type Shopper = {
  readonly sessionId: PaymentSessionId
  readonly customerId: CustomerId | undefined
  /** The network that the request comes from, for the limits. */
  readonly network: string
  /** Network and user agent. Many shoppers share one, so it is judged by how its payments end. */
  readonly client: string
}

const guessesOf = perStore(({ clock }: Pick<FlowDeps, "clock" | "database">) => ({
  sessions: guessLimit(clock),
  carts: guessLimit(clock),
}))

/** The logged-in customer, if any. */
export function customerOf({ auth_context: actor }: ShopperRequest): CustomerId | undefined {
  const isCustomer = actor?.actor_type === "customer" && actor.actor_id
  return isCustomer ? idFrom<CustomerId>(actor.actor_id) : undefined
}

type SessionKey = Extract<keyof StoreRoutes, `${string} sessions/:id${string}`>

/** A route of one payment session. 429 to a network that guesses ids. */
export function shopperRoute<Key extends SessionKey>(
  key: Key,
  work: (
    deps: FlowDeps,
    shopper: Shopper,
    asked: Asked<StoreRoutes[Key]>,
    request: ShopperRequest,
  ) => Promise<Answer<StoreRoutes[Key]>>,
): Route<ShopperRequest> {
  return (request, response) =>
    respond(response, () =>
      ofSession(request, (deps, shopper) =>
        work(deps, shopper, askedIn(STORE[key], request), request),
      ),
    )
}

/** As {@link shopperRoute}, but `work` sends the response itself, unless it is refused. */
export function shopperStream(
  work: (
    deps: FlowDeps,
    shopper: Shopper,
    request: ShopperRequest,
    response: MedusaResponse,
  ) => Promise<void>,
): Route<ShopperRequest> {
  return async (request, response) => {
    const open = (deps: FlowDeps, shopper: Shopper) => work(deps, shopper, request, response)
    await isRefused(response, () => ofSession(request, open))
  }
}

function ofSession<T>(
  request: ShopperRequest,
  work: (deps: FlowDeps, shopper: Shopper) => Promise<T>,
): Promise<T> {
  const deps = flowsFrom(request.scope)
  const sessionId = idFrom<PaymentSessionId>(request.params["id"] ?? "")
  const network = networkOf(request)
  const client = `${network} ${request.headers["user-agent"] ?? ""}`
  return limited(guessesOf(deps).sessions, network, sessionId, "session_not_found", () => {
    if (!SHAPE.test(sessionId)) throw refusal("session_not_found")
    return work(deps, { sessionId, customerId: customerOf(request), network, client })
  })
}

/**
 * Runs `work` about a cart. 429 to a network that guesses ids. Not for routes that a checkout
 * needs, because a shop that renders on its server asks for all shoppers from one address.
 */
export const ofCart = <T>(
  deps: FlowDeps,
  network: string,
  cartId: CartId,
  work: () => Promise<T>,
): Promise<T> => limited(guessesOf(deps).carts, network, cartId, "cart_not_found", work)

async function limited<T>(
  limit: GuessLimit,
  network: string,
  id: string,
  missed: "session_not_found" | "cart_not_found",
  work: () => Promise<T>,
): Promise<T> {
  const waitMs = limit.waitMs(network, id)
  if (waitMs > 0) throw tooMany(waitMs)
  try {
    const result = await work()
    limit.found(id)
    return result
  } catch (error) {
    if (error instanceof Refusal && error.code === missed) limit.missed(network)
    throw error
  }
}
