/**
 * The policy of each admin route, for stores with Medusa's roles; without roles every admin may use
 * each route. A test fails for a route that the table lacks, because with roles every login could
 * use it.
 */
import { DECIDE, MANAGE, READ, SEND } from "../policies/merchant-payments"

const ROOT = "/admin/merchant-payments/"

const ROUTES = {
  "GET operations": READ,
  "POST operations/search": READ,
  "GET operations/:id": READ,
  "GET operations/:id/receipt": READ,
  "GET operations/:id/receipt-page": READ,
  "GET orders/:id": READ,
  "GET orders/:id/payment-link": READ,
  "GET payouts": READ,
  "GET payouts/:id": READ,
  "GET transfers": READ,
  "GET transfers/:id": READ,
  "GET requests": READ,
  "GET reconciliation": READ,
  "GET overview": READ,
  "GET sheet": READ,
  "GET fees": READ,
  "GET fees/prediction": READ,
  "POST operations/:id/cancel-order": DECIDE,
  "POST operations/:id/check": DECIDE,
  "POST operations/:id/payment-intent": DECIDE,
  "POST operations/:id/receipt-link": DECIDE,
  "POST operations/:id/resend": DECIDE,
  "POST operations/:id/resolve": DECIDE,
  "POST operations/:id/retry": DECIDE,
  "POST orders/:id/payment-link": DECIDE,
  "POST orders/:id/payment-link/cancel": DECIDE,
  "POST orders/:id/prompt": DECIDE,
  "POST refund-requests/:id/:action": DECIDE,
  "POST payouts": SEND,
  "POST transfers": SEND,
  "POST payout-requests/:id/:action": SEND,
  "GET customers/:id/data": MANAGE,
  "DELETE customers/:id/data": MANAGE,
  "GET accounts": MANAGE,
  "GET accounts/:id": MANAGE,
  "GET accounts/:id/events": MANAGE,
  "GET health": MANAGE,
  "GET regions": MANAGE,
  "GET notifications": MANAGE,
  "POST notifications": MANAGE,
  "POST notifications/:action": MANAGE,
  "POST accounts": MANAGE,
  "POST accounts/:id": MANAGE,
  "POST accounts/:id/:action": MANAGE,
  "POST regions/:id/enable": MANAGE,
  "POST regions/:id/disable": MANAGE,
  "DELETE accounts/:id": MANAGE,
  "POST account-changes/:id/:action": MANAGE,
  "DELETE account-changes/:id": MANAGE,
  "DELETE accounts/:id/credentials/:credential_id": MANAGE,
} as const

type Method = "GET" | "POST" | "DELETE"

/** The table in the form that Medusa's middlewares take. */
export const adminPolicies = Object.entries(ROUTES).map(([route, policy]) => {
  const [method, address] = route.split(" ") as [Method, string]
  return { matcher: `${ROOT}${address}`, methods: [method], middlewares: [], policies: [policy] }
})
