/** Calls of `gateway.invoices.items` and `gateway.orders.items`. */
import { money, TIMES } from "./call-case"
import type { CallCase } from "./call-case"

export const ITEM = {
  id: 901,
  name: "T-shirt",
  currency: "USD",
  qty: 2,
  amount: 21.25,
  ...TIMES,
}

const ADDED = { name: "T-shirt", qty: 2, amount: money("21.25") }

export const DOCUMENT_ITEM_CALLS: readonly CallCase[] = [
  {
    operation: "invoices.items.add",
    body: ITEM,
    run: (gateway, options) => gateway.invoices.items.add(301, ADDED, options),
  },
  {
    operation: "invoices.items.update",
    body: { ...ITEM, qty: 3 },
    run: (gateway, options) => gateway.invoices.items.update(301, 901, { qty: 3 }, options),
  },
  {
    operation: "invoices.items.remove",
    body: {},
    run: (gateway, options) => gateway.invoices.items.remove(301, 901, options),
  },
  {
    operation: "orders.items.add",
    body: ITEM,
    run: (gateway, options) => gateway.orders.items.add(301, ADDED, options),
  },
  {
    operation: "orders.items.update",
    body: { ...ITEM, amount: 20 },
    run: (gateway, options) =>
      gateway.orders.items.update(301, 901, { amount: money("20") }, options),
  },
  {
    operation: "orders.items.remove",
    body: {},
    run: (gateway, options) => gateway.orders.items.remove(301, 901, options),
  },
]
