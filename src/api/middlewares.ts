import { authenticate, defineMiddlewares } from "@medusajs/framework/http"
import { guardCartChange, guardOrderCancel, guardSessionChange } from "./guards"

const shopper = authenticate("customer", ["session", "bearer"], { allowUnauthenticated: true })

export default defineMiddlewares({
  routes: [
    { matcher: "/store/merchant-payments/sessions/*", middlewares: [shopper] },
    { matcher: "/store/carts/:id", methods: ["POST"], middlewares: [guardCartChange] },
    { matcher: "/store/carts/:id/customer", methods: ["POST"], middlewares: [guardCartChange] },
    { matcher: "/store/carts/:id/line-items", methods: ["POST"], middlewares: [guardCartChange] },
    {
      matcher: "/store/carts/:id/line-items/:line_id",
      methods: ["POST", "DELETE"],
      middlewares: [guardCartChange],
    },
    {
      matcher: "/store/carts/:id/shipping-methods",
      methods: ["POST"],
      middlewares: [guardCartChange],
    },
    {
      matcher: "/store/carts/:id/promotions",
      methods: ["POST", "DELETE"],
      middlewares: [guardCartChange],
    },
    { matcher: "/store/carts/:id/taxes", methods: ["POST"], middlewares: [guardCartChange] },
    {
      matcher: "/store/payment-collections/:id/payment-sessions",
      methods: ["POST"],
      middlewares: [guardSessionChange],
    },
    {
      matcher: "/admin/orders/:id/cancel",
      methods: ["POST"],
      middlewares: [guardOrderCancel],
    },
  ],
})
