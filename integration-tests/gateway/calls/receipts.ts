/** Calls that read receipts, and of `gateway.links`. */
import { PHONE } from "./call-case"
import type { CallCase } from "./call-case"

const SHARED = {
  reference_id: "cart_0001",
  currency: "USD",
  total_amount: 42.5,
  status: "PAID",
  note: "Two shirts",
  due_date: "2026-06-15T00:00:00Z",
  as_payment_link: true,
  fee_bearer: "PAYEE",
  paid_at: "2026-06-01T10:05:00Z",
  owner_id: 7,
  owner_type: "ORGANIZATION",
  created_at: "2026-06-01T10:00:00Z",
  counterparty_id: 15,
  relationship_type: "CUSTOMER",
  counterparty_name: "Test Payer",
  counterparty_phone: PHONE,
  counterparty_email: "payer@shop.example",
  payer_amount: 7666.46,
  payer_currency: "LRD",
  payee_amount: 41.2,
  payee_currency: "USD",
  platform_fee: 0.85,
  platform_currency: "USD",
  gateway_fee: 81.25,
  gateway_currency: "LRD",
  fx_fee: 0.45,
  fx_rate: "180.387529411764705882",
  fx_currency_from: "USD",
  fx_currency_to: "LRD",
  payment_provider: "MOBILE_MONEY_GATEWAY",
  payment_method: "OPERATOR1_MOMO_LBR",
  account_name: "Test Payer",
  gateway_confirmed_at: "2026-06-01T10:04:58Z",
  provider_transaction_id: "MM-77120",
  items: [{ id: 901, name: "T-shirt", qty: 2, amount: 21.25, currency: "USD" }],
}
export const INVOICE_RECEIPT = {
  invoice_id: 301,
  invoice_number: "INV-2026-00301",
  ...SHARED,
}
export const ORDER_RECEIPT = {
  order_id: 301,
  order_number: "ORD-2026-00301",
  ...SHARED,
  due_date: null,
}

export const RECEIPT_CALLS: readonly CallCase[] = [
  {
    operation: "invoices.receipt",
    body: INVOICE_RECEIPT,
    run: (gateway, options) => gateway.invoices.receipt(301, options),
  },
  {
    operation: "invoices.receiptByNumber",
    body: INVOICE_RECEIPT,
    run: (gateway, options) => gateway.invoices.receiptByNumber("INV-2026-00301", options),
  },
  {
    operation: "orders.receipt",
    body: ORDER_RECEIPT,
    run: (gateway, options) => gateway.orders.receipt(301, options),
  },
  {
    operation: "orders.receiptByNumber",
    body: ORDER_RECEIPT,
    run: (gateway, options) => gateway.orders.receiptByNumber("ORD-2026-00301", options),
  },
  {
    operation: "links.pay",
    body: { url: "https://pay.example/d/abc" },
    run: (gateway, options) =>
      gateway.links.pay({ sourceType: "ORDER", sourceNumber: "ORD-2026-00301" }, options),
  },
  {
    operation: "links.receipt",
    body: { url: "https://pay.example/r/abc" },
    run: (gateway, options) =>
      gateway.links.receipt({ sourceType: "INVOICE", sourceNumber: "INV-2026-00301" }, options),
  },
]
