/**
 * Middlewares that keep a cart unchanged while it is being paid. A workflow hook has one handler in
 * the whole application; middlewares of several plugins add up.
 */
import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import type { Operation } from "../core/operation"
import type { FlowDeps } from "../engine/deps"
import { afterChange, passChange, type Guarded } from "../checkout/guard-cart"
import type { CartId, OrderId, PaymentCollectionId } from "../core/ids"
import { refuseOrderCancel } from "../orders/guard-order"
import { TablesNotMigrated } from "../ledger/fitting-tables"
import { hasOwnSession, type Changed } from "../medusa/adapters/own-sessions"
import { flowsFrom, medusaTablesFrom } from "../medusa/wiring/flows-from"
import { isRefused } from "./respond"
import { segment } from "./endpoints/endpoint"
import { askedIn } from "./parsed"
import { customerOf } from "./shopper"
import { sessionsIn } from "./sessions-in"

type Middleware = (
  request: MedusaRequest,
  response: MedusaResponse,
  next: MedusaNextFunction,
) => Promise<void>

// What the guarded routes of Medusa are about.
const CART = { params: { id: segment<CartId>("cart_not_found") } }
const COLLECTION = { params: { id: segment<PaymentCollectionId>("session_not_found") } }
const ORDER = { params: { id: segment<OrderId>("order_not_found") } }

/** Completing a cart changes nothing that is paid: it asks the provider, which reads the ledger. */
const COMPLETION = /^\/store\/carts\/[^/]+\/complete\/?$/i

/** For store routes that change a cart; the route's `:id` is the cart's. */
export const guardCartChange: Middleware = async (request, response, next) => {
  if (COMPLETION.test(request.path)) return next()
  await guarded(request, response, next, () => ({
    cartId: askedIn(CART, request).id,
  }))
}

/** For store routes that make a payment session; the route's `:id` is the payment collection's. */
export const guardSessionChange: Middleware = (request, response, next) =>
  guarded(request, response, next, () => ({
    paymentCollectionId: askedIn(COLLECTION, request).id,
  }))

/** If a paid order is cancelled, Medusa hides a refused refund and shows it as refunded (H24). */
export const guardOrderCancel: Middleware = async (request, response, next) => {
  const deps = flowsFrom(request.scope)
  const refused = await isRefused(response, async () => {
    const { id: orderId } = askedIn(ORDER, request)
    await ifOwn(request, { orderId }, () => refuseOrderCancel(deps, orderId))
  })
  if (!refused) next()
}

/**
 * Runs the work. While tables are missing it fails, and what is paid with our providers is held up,
 * because nobody can say whether its money moves; what was never paid with them goes on.
 */
async function ifOwn<Result>(
  { scope }: MedusaRequest,
  changed: Changed,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof TablesNotMigrated)) throw error
    if (await hasOwnSession(medusaTablesFrom(scope), changed)) throw error
    return undefined
  }
}

/**
 * A payment can begin between this check and Medusa's change. So the change is noted, and `start`
 * waits for it and reads session and amount again before money can move. The next check closes what
 * was handed out for an old total, and money that still comes is held for an admin, never captured.
 */
async function guarded(
  request: MedusaRequest,
  response: MedusaResponse,
  next: MedusaNextFunction,
  guardedIn: () => Guarded,
): Promise<void> {
  const deps = flowsFrom(request.scope)
  const refused = await isRefused(response, async () => {
    const changed = guardedIn()
    const passed = await ifOwn(request, changed, () =>
      passChange(deps, changed, customerOf(request)),
    )
    if (!passed) return
    // A shopper who hangs up leaves the change under way: its note then ends by itself.
    response.once("finish", () => void passed.ended().catch(() => undefined))
    if (passed.live) follow(deps, passed.live, response, next)
  })
  if (!refused) next()
}

/**
 * Notes the change before the shopper gets the response, so that the next request finds it noted.
 * If the shopper hangs up, "close" comes before Medusa has made the change; the change is then
 * noted at once, and again when Medusa responds.
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
      deps.logger.warn(`merchant payments: ${live.id} is checked later: ${String(error)}`),
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
