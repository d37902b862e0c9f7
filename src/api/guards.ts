/**
 * Middlewares that keep what is being paid as it is while money moves. Only middlewares: they add up
 * with those of other plugins, while a workflow hook has one handler in the whole application.
 *
 * Between the question here and Medusa's change a payment can begin. Nothing holds that moment shut:
 * `start` reads session and amount again before money can move, what it hands out for an old total is
 * closed at the next look, and money that comes all the same is held for a person, never captured.
 */
import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import type { Operation } from "../core/operation"
import { Refusal } from "../core/refusal"
import type { FlowDeps } from "../flows/deps"
import { afterChange, guardCart, type Guarded } from "../flows/guard-cart"
import { refuseOrderCancel } from "../flows/guard-order"
import { refundReader } from "../modules/merchant-payments/host/refund-reader"
import { flowsFrom } from "../modules/merchant-payments/wiring/flows-from"
import { refuse } from "./answer"
import { customerOf } from "./shopper"
import { shapedIn } from "./shape"
import { sessionsIn } from "./validators"

type Middleware = (
  request: MedusaRequest,
  response: MedusaResponse,
  next: MedusaNextFunction,
) => Promise<void>

/** Completing changes nothing that is paid: it asks the provider, who answers from the ledger. */
const COMPLETION = /^\/store\/carts\/[^/]+\/complete\/?$/i

/** A store route that changes a cart, its id being the route's `:id`. */
export const guardCartChange: Middleware = async (request, response, next) => {
  if (COMPLETION.test(request.path)) return next()
  await guarded(request, response, next, () => ({ cartId: shapedIn(request.params, noCart) }))
}

/** A store route that makes a payment session, the payment collection's id being the route's `:id`. */
export const guardSessionChange: Middleware = (request, response, next) =>
  guarded(request, response, next, () => ({
    paymentCollectionId: shapedIn(request.params, noCollection),
  }))

const noCart = () => new Refusal("cart_not_found", "There is no such cart.")
const noCollection = () => new Refusal("session_not_found", "There is no such payment collection.")
const noOrder = () => new Refusal("order_not_found", "There is no order with this id.")

/** Cancelling a paid order would swallow the refund's refusal and show the money as given back (H24). */
export const guardOrderCancel: Middleware = async (request, response, next) => {
  const deps = flowsFrom(request.scope)
  const refunds = refundReader(deps.database)
  try {
    await refuseOrderCancel({ ...deps, refunds }, shapedIn(request.params, noOrder))
  } catch (error) {
    if (error instanceof Refusal) return refuse(response, error)
    throw error
  }
  next()
}

async function guarded(
  request: MedusaRequest,
  response: MedusaResponse,
  next: MedusaNextFunction,
  guardedIn: () => Guarded,
): Promise<void> {
  const deps = flowsFrom(request.scope)
  try {
    const live = await guardCart(deps, guardedIn(), customerOf(request))
    if (live) follow(deps, live, response, next)
  } catch (error) {
    if (error instanceof Refusal) return refuse(response, error)
    throw error
  }
  next()
}

/**
 * What the change means for the live payment is noted before the shopper is answered, so that the next
 * request finds it. A shopper who hangs up is answered nothing, and "close" comes before the change is
 * made: then it is noted at once, and again when Medusa answers into the void.
 */
function follow(
  deps: FlowDeps,
  live: Operation,
  response: MedusaResponse,
  next: MedusaNextFunction,
): void {
  let isAnswered = false
  const note = (body: unknown) =>
    afterChange(deps, live, sessionsIn(body)).catch((error: unknown) =>
      deps.logger.warn(`merchant payments: ${live.id} is looked at later: ${String(error)}`),
    )
  const json = response.json.bind(response)
  response.json = (body: unknown) => {
    isAnswered = true
    response.json = json
    note(body)
      .then(() => json(body))
      .catch(next)
    return response
  }
  response.once("close", () => {
    if (!isAnswered) void note(undefined)
  })
}
