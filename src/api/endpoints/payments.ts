/** The admin's routes about payments and orders, below `/admin/merchant-payments/`. */
import type { CustomerId, OperationId, OrderId } from "../../core/ids"
import { noBody } from "../../core/schemas/shapes"
import {
  receiptLinkResponse,
  receiptPageQuery,
  receiptPageResponse,
} from "../../papers/schemas/receipt-page"
import {
  paymentLinkBody,
  paymentLinkResponse,
  promptBody,
} from "../../payment-links/schemas/payment-link"
import { DECIDE, MANAGE, READ } from "../../policies/merchant-payments"
import {
  customerData,
  customerDataErased,
  customerDataQuery,
} from "../../reconciliation/schemas/customer-data"
import { overviewQuery } from "../../reconciliation/schemas/overview"
import { periodQuery, reconciliationResponse } from "../../reconciliation/schemas/reconciliation"
import { sheetQuery } from "../../reconciliation/schemas/sheet"
import { cancelOrderBody, paymentIntentBody, resolveBody } from "../../review/schemas/actions"
import { listQuery, operationsQuery } from "../../review/schemas/list-query"
import {
  oneOperationResponse,
  operationList,
  operationResponse,
  orderPaymentsResponse,
} from "../../review/schemas/operations"
import { adminReceiptResponse } from "../../worker/schemas/receipts"
import { homeResponse } from "../schemas/home"
import { segment, type AdminEndpoints } from "./endpoint"

const operation = { id: segment<OperationId>("operation_not_found") }
const order = { id: segment<OrderId>("order_not_found") }
const customer = { id: segment<CustomerId>("customer_not_found") }

export const PAYMENTS = {
  "GET operations": {
    does: "Lists payments, refunds, payouts and transfers, or sends all of them as CSV.",
    policy: READ,
    query: listQuery,
    response: operationList,
    sends: "text/csv",
  },
  "POST operations/search": {
    does:
      "The same list, with its filters in the body. A search is personal data, which a body keeps " +
      "out of logs. Numbers and flags may be JSON numbers and booleans. It changes nothing.",
    policy: READ,
    body: operationsQuery,
    response: operationList,
    sends: "text/csv",
  },
  "GET operations/:id": {
    does: "Reads one operation with its events, its refunds, and what can be done with it now.",
    policy: READ,
    params: operation,
    response: oneOperationResponse,
  },
  "GET operations/:id/receipt": {
    does: "Reads the receipt of a paid payment.",
    policy: READ,
    params: operation,
    response: adminReceiptResponse,
  },
  "GET operations/:id/receipt-page": {
    does: "Reads the receipt as the page that the customer sees, with the customer's link to it.",
    policy: READ,
    params: operation,
    query: receiptPageQuery,
    response: receiptPageResponse,
  },
  "POST operations/:id/receipt-link": {
    does: "Ends the customer's link to the receipt, and makes another.",
    policy: DECIDE,
    params: operation,
    body: noBody,
    response: receiptLinkResponse,
  },
  "POST operations/:id/check": {
    does: "Asks the gateway about the operation now.",
    policy: DECIDE,
    params: operation,
    body: noBody,
    response: operationResponse,
  },
  "POST operations/:id/resolve": {
    does: "Decides about an operation that is under review.",
    policy: DECIDE,
    params: operation,
    body: resolveBody,
    response: operationResponse,
  },
  "POST operations/:id/payment-intent": {
    does:
      "Enters the payment intent id that a refund needs. An admin copies it from the merchant " +
      "portal if the gateway didn't give it.",
    policy: DECIDE,
    params: operation,
    body: paymentIntentBody,
    response: oneOperationResponse,
  },
  "POST operations/:id/resend": {
    does: "Asks the gateway again for a payment link's address, to send it to the payer.",
    policy: DECIDE,
    params: operation,
    body: noBody,
    response: operationResponse,
  },
  "POST operations/:id/retry": {
    does: "Makes a failed refund again. The response has the new refund.",
    policy: DECIDE,
    params: operation,
    body: noBody,
    response: operationResponse,
  },
  "POST operations/:id/cancel-order": {
    does: "Cancels a second order of the purchase that nobody pays.",
    policy: DECIDE,
    params: operation,
    body: cancelOrderBody,
    response: operationResponse,
  },
  "GET orders/:id": {
    does: "Reads the payments of an order, and their refunds.",
    policy: READ,
    params: order,
    response: orderPaymentsResponse,
  },
  "GET orders/:id/payment-link": {
    does: "Reads the order's payment link, and whether one can be made.",
    policy: READ,
    params: order,
    response: paymentLinkResponse,
  },
  "POST orders/:id/payment-link": {
    does: "Makes a payment link for the order's open amount, or returns the live one.",
    policy: DECIDE,
    params: order,
    body: paymentLinkBody,
    response: paymentLinkResponse,
  },
  "POST orders/:id/payment-link/cancel": {
    does: "Takes the order's payment link back. It may still be closing when this answers.",
    policy: DECIDE,
    params: order,
    body: noBody,
    response: paymentLinkResponse,
  },
  "POST orders/:id/prompt": {
    does: "Asks the customer on their phone for the order's open amount.",
    policy: DECIDE,
    params: order,
    body: promptBody,
    response: orderPaymentsResponse,
  },
  "GET overview": {
    does: "Reads what the home page shows, by the days of the shop's time zone.",
    policy: READ,
    query: overviewQuery,
    response: homeResponse,
  },
  "GET reconciliation": {
    does:
      "Compares gateway, ledger and Medusa over a period. It begins a comparison if one is needed, " +
      "and the JSON form never waits for it.",
    policy: READ,
    query: periodQuery,
    response: reconciliationResponse,
    sends: "text/csv",
  },
  "GET sheet": {
    does: "Sends the accountant's sheet of a period.",
    policy: READ,
    query: sheetQuery,
    sends: "text/csv",
  },
  "GET customers/:id/data": {
    does: "Reads all that the plugin's tables hold about one customer, for the customer to read.",
    policy: MANAGE,
    params: customer,
    query: customerDataQuery,
    response: customerData,
  },
  "DELETE customers/:id/data": {
    does: "Erases the customer's personal data. SECURITY.md says what stays, and why.",
    policy: MANAGE,
    params: customer,
    response: customerDataErased,
  },
} as const satisfies AdminEndpoints
