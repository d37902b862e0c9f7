/** The routes of a storefront, below `/store/merchant-payments/`. The session's id is the permission. */
import {
  methodsQuery,
  methodsResponse,
  operatorBody,
  operatorResponse,
  quoteQuery,
  quoteResponse,
} from "../../checkout/schemas/methods"
import { startBody } from "../../checkout/schemas/start"
import { statusResponse } from "../../checkout/schemas/status"
import type { PaymentSessionId } from "../../core/ids"
import { shopperReceiptResponse } from "../../worker/schemas/receipts"
import { segment, type Endpoints } from "./endpoint"

const params = { id: segment<PaymentSessionId>("session_not_found") }

export const STORE_ROOT = "/store/merchant-payments/"
export const STORE = {
  "GET methods": {
    does: "Lists the payment methods of a cart. The list is empty while no credentials are set.",
    query: methodsQuery,
    response: methodsResponse,
  },
  "GET quote": {
    does:
      "Predicts what the wallet would be charged for the cart as it is now. It isn't binding, and is " +
      "kept for 15 seconds.",
    query: quoteQuery,
    response: quoteResponse,
  },
  "POST operator": {
    does: "Finds the operator of a phone number. It repeats at most the last three digits.",
    body: operatorBody,
    response: operatorResponse,
  },
  "GET sessions/:id": {
    does: "Reads the payment from the store's ledger. Polling it never calls the gateway.",
    params,
    response: statusResponse,
  },
  "POST sessions/:id/start": {
    does: "Sends the prompt, charges the card, or returns the address of the payment page.",
    params,
    body: startBody,
    response: statusResponse,
  },
  "POST sessions/:id/cancel": {
    does: "Gives up: 200 once no money can be taken any more, otherwise 409 with the payment.",
    params,
    response: statusResponse,
  },
  "GET sessions/:id/events": {
    does: "Sends the payment at once and whenever it changes, until it has ended.",
    params,
    response: statusResponse,
    sends: "text/event-stream",
  },
  "GET sessions/:id/receipt": {
    does: "Reads the receipt of a paid payment, without the fields that are for the merchant.",
    params,
    response: shopperReceiptResponse,
  },
} as const satisfies Endpoints
