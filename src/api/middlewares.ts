import { authenticate, defineMiddlewares } from "@medusajs/framework/http"
import { adminPolicies } from "./admin-policies"
import { neverCached, ownOrigin, undecodableIsUnknown, unlogged } from "./every-answer"
import { guardCartChange, guardOrderCancel, guardSessionChange } from "./guards"
import { jsonBody } from "./json-body"
import { withoutPaymentFields } from "./payment-fields"

const shopper = authenticate("customer", ["session", "bearer"], { allowUnauthenticated: true })

/** Every method that can change something, also those without a route today. */
const CHANGES = ["POST", "PUT", "PATCH", "DELETE"] as const

/**
 * A matcher is a string without `*`, or a regular expression: Express 5 reads `/*` as an error,
 * Express 4 reads its `/*name` as another address, and both take these as they are.
 */
const BELOW_CART = /^\/store\/carts\/(?<id>[^/]+)\/./i
const BELOW_COLLECTION = /^\/store\/payment-collections\/(?<id>[^/]+)\/./i
const OURS = /^\/(?:store|admin)\/merchant-payments\//i

export default defineMiddlewares({
  errorHandler: undecodableIsUnknown,
  routes: [
    // Before all others, because Medusa puts matchers of whole folders first.
    { matcher: "/merchant-payments", middlewares: [neverCached, unlogged] },
    { matcher: "/store/merchant-payments", middlewares: [neverCached, jsonBody] },
    { matcher: "/admin/merchant-payments", middlewares: [neverCached, ownOrigin, jsonBody] },
    ...adminPolicies,
    { matcher: "/store", middlewares: [withoutPaymentFields] },
    { matcher: "/admin", middlewares: [withoutPaymentFields] },
    { matcher: OURS, bodyParser: false },
    { matcher: "/store/merchant-payments/sessions", middlewares: [shopper] },
    // Also routes of other plugins below a cart or a payment collection: they may change its total.
    { matcher: "/store/carts/:id", methods: [...CHANGES], middlewares: [guardCartChange] },
    { matcher: BELOW_CART, methods: [...CHANGES], middlewares: [guardCartChange] },
    {
      matcher: "/store/payment-collections/:id",
      methods: [...CHANGES],
      middlewares: [guardSessionChange],
    },
    {
      matcher: BELOW_COLLECTION,
      methods: [...CHANGES],
      middlewares: [guardSessionChange],
    },
    {
      matcher: "/admin/orders/:id/cancel",
      methods: ["POST"],
      middlewares: [guardOrderCancel],
    },
  ],
})
