/** Calls of `gateway.invoices` and `gateway.orders`. */
import { TIMES } from "./call-case"
import type { CallCase } from "./call-case"

export const DOCUMENT = {
  id: 301,
  status: "ACTIVE",
  owner_id: 7,
  owner_type: "MERCHANT",
  currency: "USD",
  total_amount: 42.5,
  ...TIMES,
}

export const DOCUMENT_CALLS: readonly CallCase[] = [
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
  {
    operation: "invoices.publish",
    body: DOCUMENT,
    run: (gateway, options) => gateway.invoices.publish(301, options),
  },
  {
    operation: "invoices.cancel",
    body: { ...DOCUMENT, status: "CANCELED" },
    run: (gateway, options) => gateway.invoices.cancel(301, options),
  },
]
