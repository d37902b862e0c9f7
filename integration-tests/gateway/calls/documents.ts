/**
 * Calls of `gateway.invoices` and `gateway.orders`; their lines and receipts have files of their
 * own.
 */
import { currency, TIMES } from "./call-case"
import type { CallCase } from "./call-case"
import { ITEM } from "./document-items"
import { COUNTERPARTY_WITH_PARTY } from "./parties"

const SHARED = {
  id: 301,
  counterparty_id: 15,
  currency: "USD",
  total_amount: 42.5,
  status: "ACTIVE",
  note: "Two shirts",
  fee_bearer: "PAYEE",
  as_payment_link: true,
  owner_id: 7,
  owner_type: "ORGANIZATION",
  reference_id: "cart_0001",
  paid_at: null,
  ...TIMES,
}
/** An order without its lines. */
export const DOCUMENT = { ...SHARED, order_number: "ORD-2026-00301" }
export const INVOICE = {
  ...SHARED,
  invoice_number: "INV-2026-00301",
  due_date: "2026-06-15T00:00:00Z",
}
export const ORDER_DETAIL = {
  ...DOCUMENT,
  order_items: [ITEM],
  counterparty: COUNTERPARTY_WITH_PARTY,
}
export const INVOICE_DETAIL = {
  ...INVOICE,
  invoice_items: [ITEM],
  counterparty: COUNTERPARTY_WITH_PARTY,
}

const DRAFT = { total_amount: 0, status: "IDLE" }

export const DRAFT_REQUEST = {
  counterpartyId: 15,
  currency: currency("USD"),
  note: "Two shirts",
  feeBearer: "PAYEE",
  asPaymentLink: true,
  referenceId: "cart_0001",
} as const

export const DOCUMENT_CALLS: readonly CallCase[] = [
  {
    operation: "invoices.create",
    body: { ...INVOICE, ...DRAFT },
    run: (gateway, options) =>
      gateway.invoices.create(
        { ...DRAFT_REQUEST, dueDate: new Date("2026-06-15T00:00:00Z") },
        options,
      ),
  },
  {
    operation: "invoices.list",
    body: [INVOICE, { ...INVOICE, id: 302, reference_id: null }],
    run: (gateway, options) => gateway.invoices.list({ status: "ACTIVE" }, options),
  },
  {
    operation: "invoices.retrieve",
    body: INVOICE_DETAIL,
    run: (gateway, options) => gateway.invoices.retrieve(301, options),
  },
  {
    operation: "invoices.retrieveByNumber",
    body: INVOICE_DETAIL,
    run: (gateway, options) => gateway.invoices.retrieveByNumber("INV-2026-00301", options),
  },
  {
    operation: "invoices.update",
    body: { ...INVOICE, ...DRAFT, fee_bearer: "PAYER" },
    run: (gateway, options) => gateway.invoices.update(301, { feeBearer: "PAYER" }, options),
  },
  {
    operation: "invoices.publish",
    body: INVOICE,
    run: (gateway, options) => gateway.invoices.publish(301, options),
  },
  {
    operation: "invoices.cancel",
    body: { ...INVOICE, status: "CANCELED" },
    run: (gateway, options) => gateway.invoices.cancel(301, options),
  },
  {
    operation: "orders.create",
    body: { ...DOCUMENT, ...DRAFT },
    run: (gateway, options) => gateway.orders.create(DRAFT_REQUEST, options),
  },
  {
    operation: "orders.list",
    body: [DOCUMENT],
    run: (gateway, options) =>
      gateway.orders.list({ currency: currency("USD"), status: "ACTIVE" }, options),
  },
  {
    operation: "orders.retrieve",
    body: ORDER_DETAIL,
    run: (gateway, options) => gateway.orders.retrieve(301, options),
  },
  {
    operation: "orders.retrieveByNumber",
    body: ORDER_DETAIL,
    run: (gateway, options) => gateway.orders.retrieveByNumber("ORD-2026-00301", options),
  },
  {
    operation: "orders.update",
    body: { ...DOCUMENT, ...DRAFT, note: "Three shirts" },
    run: (gateway, options) => gateway.orders.update(301, { note: "Three shirts" }, options),
  },
  {
    operation: "orders.publish",
    body: DOCUMENT,
    run: (gateway, options) => gateway.orders.publish(301, options),
  },
  {
    operation: "orders.cancel",
    body: { ...DOCUMENT, status: "CANCELED" },
    run: (gateway, options) => gateway.orders.cancel(301, options),
  },
]
