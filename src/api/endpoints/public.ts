/** Addresses that people and probes open, below `/merchant-payments/`. They need no key. */
import { returnQuery } from "../../checkout/schemas/start"
import { paperQuery } from "../../papers/schemas/receipt-page"
import { live, ready } from "../../core/schemas/probes"
import { segment, type Endpoints } from "./endpoint"

export const PUBLIC_ROOT = "/merchant-payments/"
export const PUBLIC = {
  "GET return/:token": {
    does:
      "Where the gateway's page sends the shopper: on to the shop, with `payment_session_id` added. " +
      "It proves no payment. 404 once the payment is no longer watched.",
    params: { token: segment("session_not_found.return") },
    query: returnQuery,
    sends: "redirect",
  },
  "GET receipt/:token": {
    does: "The customer's receipt as a page, for the person who has its link.",
    params: { token: segment("session_not_found.return") },
    query: paperQuery,
    sends: "text/html",
  },
  "GET live": { does: "For a probe: 200 while the process answers.", response: live },
  "GET ready": {
    does: "For a probe: 503 while the database is away or its tables are another version's.",
    response: ready,
  },
} as const satisfies Endpoints
