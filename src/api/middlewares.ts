import { authenticate, defineMiddlewares } from "@medusajs/framework/http"
import { adminPolicies } from "./admin-policies"
import { neverCached, ownOrigin, undecodableIsUnknown } from "./every-answer"
import { guardCartChange, guardOrderCancel, guardSessionChange } from "./guards"
import { jsonBody } from "./json-body"

const shopper = authenticate("customer", ["session", "bearer"], { allowUnauthenticated: true })

/** Every method that can change something, also those without a route today. */
const CHANGES = ["POST", "PUT", "PATCH", "DELETE"] as const

export default defineMiddlewares({
  errorHandler: undecodableIsUnknown,
  routes: [
    // Before all others, because Medusa puts matchers of whole folders first.
    { matcher: "/merchant-payments", middlewares: [neverCached] },
    { matcher: "/store/merchant-payments", middlewares: [neverCached] },
    { matcher: "/admin/merchant-payments", middlewares: [neverCached, ownOrigin] },
    ...adminPolicies,
    { matcher: "/store/merchant-payments/*", bodyParser: false, middlewares: [jsonBody] },
    { matcher: "/admin/merchant-payments/*", bodyParser: false, middlewares: [jsonBody] },
    { matcher: "/store/merchant-payments/sessions/*", middlewares: [shopper] },
    // Also routes of other plugins below a cart or a payment collection: they may change its total.
    { matcher: "/store/carts/:id", methods: [...CHANGES], middlewares: [guardCartChange] },
    { matcher: "/store/carts/:id/*", methods: [...CHANGES], middlewares: [guardCartChange] },
    {
      matcher: "/store/payment-collections/:id",
      methods: [...CHANGES],
      middlewares: [guardSessionChange],
    },
    {
      matcher: "/store/payment-collections/:id/*",
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
