/**
 * The operations of the API as data: path, effect, deadline and number of tries. Retry,
 * classification and tests read this table; a new operation is a new row. The paths come from
 * contract/openapi.json.
 *
 * `read` has no effect and may be repeated. `record` makes or changes a record that can't take
 * money by itself; without an idempotency key a repeat makes a second one (contract, section 7).
 * `money` may move money; it is sent once, and the status under its reference says what happened.
 */
import { LIMITS } from "./terms/limits"

export type Effect = "read" | "record" | "money"

export type OperationSpec = {
  readonly method: "GET" | "POST" | "PUT" | "DELETE"
  readonly path: string
  readonly effect: Effect
  /** The longest that the method takes, in milliseconds, token and repeats included. */
  readonly deadlineMs: number
  /** The most times that the request goes out; the replay after a 401 is not counted. */
  readonly tries: number
  /** The longest answer that is read, in bytes. Default: `LIMITS.bodyLimitBytes`. */
  readonly bodyLimitBytes?: number
}

const read = {
  method: "GET",
  effect: "read",
  deadlineMs: LIMITS.readDeadlineMs,
  tries: LIMITS.readTries,
} as const
const record = {
  method: "POST",
  effect: "record",
  deadlineMs: LIMITS.recordDeadlineMs,
  tries: LIMITS.recordTries,
} as const
const change = { ...record, method: "PUT" } as const
const money = {
  method: "POST",
  effect: "money",
  deadlineMs: LIMITS.executeDeadlineMs,
  tries: LIMITS.moneyTries,
} as const
const refund = { ...money, deadlineMs: LIMITS.refundDeadlineMs } as const
/** Lists have no pages (contract, 17), so their answers grow with the merchant. */
const list = {
  ...read,
  deadlineMs: LIMITS.listDeadlineMs,
  bodyLimitBytes: LIMITS.listBodyLimitBytes,
} as const
/** Never repeated, even if the request did not leave: the caller reads the source first. */
const cancel = { ...record, method: "DELETE", tries: 1 } as const

export const OPERATIONS = {
  "token.obtain": {
    ...read,
    method: "POST",
    path: "/v1/jwt/client/obtain/token",
    deadlineMs: LIMITS.tokenDeadlineMs,
  },

  "parties.create": { ...record, path: "/v1/parties/create" },
  "parties.list": { ...list, path: "/v1/parties/list" },
  "parties.retrieve": { ...read, path: "/v1/parties/retrieve/{id}" },
  "counterparties.create": { ...record, path: "/v1/counterparties/create" },
  "counterparties.list": { ...list, path: "/v1/counterparties/list" },
  "counterparties.retrieve": { ...read, path: "/v1/counterparties/retrieve/{id}" },
  "counterparties.update": { ...change, path: "/v1/counterparties/update/{id}" },

  "invoices.create": { ...record, path: "/v1/invoices/create" },
  "invoices.list": { ...list, path: "/v1/invoices/list" },
  "invoices.retrieve": { ...read, path: "/v1/invoices/retrieve/{id}" },
  "invoices.retrieveByNumber": { ...read, path: "/v1/invoices/retrieve/number/{invoice_number}" },
  "invoices.update": { ...change, path: "/v1/invoices/update/{id}" },
  "invoices.publish": { ...change, path: "/v1/invoices/publish/{id}" },
  "invoices.cancel": { ...cancel, path: "/v1/invoices/cancel/{id}" },
  "invoices.items.add": { ...record, path: "/v1/invoices/{invoice_id}/items/add" },
  "invoices.items.update": { ...change, path: "/v1/invoices/{invoice_id}/items/{id}/update" },
  "invoices.items.remove": { ...cancel, path: "/v1/invoices/{invoice_id}/items/{id}/remove" },
  "invoices.receipt": { ...read, path: "/v1/invoices/receipt/{id}" },
  "invoices.receiptByNumber": { ...read, path: "/v1/invoices/receipt/number/{invoice_number}" },

  "orders.create": { ...record, path: "/v1/orders/create" },
  "orders.list": { ...list, path: "/v1/orders/list" },
  "orders.retrieve": { ...read, path: "/v1/orders/retrieve/{id}" },
  "orders.retrieveByNumber": { ...read, path: "/v1/orders/retrieve/number/{order_number}" },
  "orders.update": { ...change, path: "/v1/orders/update/{id}" },
  "orders.publish": { ...change, path: "/v1/orders/publish/{id}" },
  "orders.cancel": { ...cancel, path: "/v1/orders/cancel/{id}" },
  "orders.items.add": { ...record, path: "/v1/orders/{order_id}/items/add" },
  "orders.items.update": { ...change, path: "/v1/orders/{order_id}/items/{id}/update" },
  "orders.items.remove": { ...cancel, path: "/v1/orders/{order_id}/items/{id}/remove" },
  "orders.receipt": { ...read, path: "/v1/orders/receipt/{id}" },
  "orders.receiptByNumber": { ...read, path: "/v1/orders/receipt/number/{order_number}" },

  "checkouts.create": { ...record, path: "/v1/checkouts/create" },

  "sessions.checkout": { ...record, path: "/v1/sessions/checkout" },
  "sessions.payout": { ...record, path: "/v1/sessions/payout" },
  "sessions.transfer": { ...record, path: "/v1/sessions/transfer" },
  "sessions.refund": { ...record, path: "/v1/sessions/refund" },
  "executions.collection": { ...money, path: "/v1/executions/collection" },
  "executions.payout": { ...money, path: "/v1/executions/payout" },
  "executions.transfer": { ...money, path: "/v1/executions/transfer" },
  "executions.refund": { ...refund, path: "/v1/executions/refund" },
  "status.collection": { ...read, path: "/v1/status/collection/{reference_id}" },
  "status.payout": { ...read, path: "/v1/status/payout/{reference_id}" },
  "status.transfer": { ...read, path: "/v1/status/transfer/{reference_id}" },
  "status.refund": { ...read, path: "/v1/status/refund/{reference_id}" },
  "status.source": { ...read, path: "/v1/status/source" },

  "paymentAccounts.create": { ...record, path: "/v1/payment-accounts/create" },
  "predictions.amountAndFees": { ...read, path: "/v1/predictions/amount-and-fees" },
  "predictions.sourceAmountAndFees": {
    ...read,
    path: "/v1/predictions/payment-source/amount-and-fees",
  },
  "predictions.mmoProviderInfo": { ...read, path: "/v1/predictions/mmo-provider-info" },
  "predictions.cardProviderInfo": { ...read, path: "/v1/predictions/card-provider-info" },
  "fees.gateway": { ...read, path: "/v1/fees/gateway" },
  "fees.platform": { ...read, path: "/v1/fees/platform" },
  "fees.merchantTier": { ...read, path: "/v1/fees/merchant-tier" },
  "fees.tiers": { ...read, path: "/v1/fees/tiers" },
  "links.pay": { ...read, path: "/v1/links/pay" },
  "links.receipt": { ...read, path: "/v1/links/receipt" },
  "merchants.info": { ...read, path: "/v1/merchants/merchant-info" },
  "realtimeKeys.collection": { ...record, path: "/v1/realtime-keys/collection" },
} as const satisfies Record<string, OperationSpec>

/** The name of an operation: its resource and method in this client, such as `orders.create`. */
export type OperationName = keyof typeof OPERATIONS
