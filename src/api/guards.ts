/**
 * Middlewares that keep what is being paid as it is while money moves. Only middlewares: they add up
 * with those of other plugins, while a workflow hook has one handler in the whole application.
 */
import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { Refusal } from "../core/refusal"
import { refusePaidOrderCancel } from "../flows/guard-order"
import { afterChange, guardCart, type Guarded } from "../flows/guard-cart"
import { flowsFrom } from "../modules/merchant-payments/wiring/flows-from"
import { refuse } from "./answer"

type Middleware = (
  request: MedusaRequest,
  response: MedusaResponse,
  next: MedusaNextFunction,
) => Promise<void>

/** A store route that changes a cart, its id being the route's `:id`. */
export const guardCartChange: Middleware = (request, response, next) =>
  guarded(request, response, next, { cartId: request.params["id"] ?? "" })

/** A store route that makes a payment session, the payment collection's id being the route's `:id`. */
export const guardSessionChange: Middleware = (request, response, next) =>
  guarded(request, response, next, { paymentCollectionId: request.params["id"] ?? "" })

/** Cancelling a paid order would swallow the refund's refusal and show the money as given back (H24). */
export const guardOrderCancel: Middleware = async (request, response, next) => {
  try {
    await refusePaidOrderCancel(flowsFrom(request.scope), request.params["id"] ?? "")
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
  what: Guarded,
): Promise<void> {
  const deps = flowsFrom(request.scope)
  try {
    const live = await guardCart(deps, what)
    if (live) {
      response.once("finish", () => {
        afterChange(deps, live).catch((error: unknown) =>
          deps.logger.warn(`merchant payments: ${live.id} is looked at later: ${String(error)}`),
        )
      })
    }
  } catch (error) {
    if (error instanceof Refusal) return refuse(response, error)
    throw error
  }
  next()
}
