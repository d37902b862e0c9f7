/** One good call of every operation, with the answer the gateway would give, for tests that take them all. */
import { moneyFromMajor, parseCurrency } from "../../core/money"
import type { CurrencyCode, Money } from "../../core/money"
import type { CallOptions } from "../call-options"
import type { Gateway } from "../gateway"
import type { OperationName } from "../operations"
import type { Outcome } from "../outcome"

export const REFERENCE = "550e8400-e29b-41d4-a716-446655440000"
export const PHONE = "231770000001"

export function currency(code: string): CurrencyCode {
  const parsed = parseCurrency(code)
  if (!parsed) throw new Error(`${code} is no currency`)
  return parsed
}

export function money(amount: string, code = "USD"): Money {
  const parsed = moneyFromMajor(amount, currency(code))
  if (!parsed) throw new Error(`${amount} is no amount`)
  return parsed
}

const TIMES = { created_at: "2026-06-01T10:00:00Z", updated_at: "2026-06-01T10:00:00Z" }

export const CHECKOUT = {
  mode: "HOSTED",
  source_type: "ORDER",
  source_id: 301,
  source_number: "ORD-2026-00301",
  source_status: "ACTIVE",
  counterparty_id: 15,
  party_id: 42,
  currency: "USD",
  total_amount: 42.5,
  source_checkout_config_id: 9,
  url: "https://pay.example/c/abc",
  reference_id: "cart_0001",
  expires_at: "2026-06-01T11:00:00Z",
}
export const DOCUMENT = {
  id: 301,
  status: "ACTIVE",
  owner_id: 7,
  owner_type: "MERCHANT",
  currency: "USD",
  total_amount: 42.5,
  ...TIMES,
}
export const SESSION = {
  id: 55,
  source_id: 301,
  source_type: "ORDER",
  status: "ACTIVE",
  expires_at: "2026-06-01T10:30:00Z",
  payment_account_id: null,
  ...TIMES,
}
export const ACCOUNT = {
  id: 18,
  account_name: "Test Payer",
  provider: "MOBILE_MONEY_GATEWAY",
  method: "OPERATOR1_MOMO_LBR",
  party_id: 42,
  is_active: true,
  country_code: "LR",
  ...TIMES,
}
export const EXECUTION = {
  reference_id: REFERENCE,
  status: "PROCESSING",
  payer_amount: 43.1,
  payer_currency: "USD",
  payee_amount: 42.5,
  payee_currency: "USD",
  operation_type: "COLLECTION",
  provider_transaction_id: null,
  gateway_message: null,
  wallet_message: null,
  client_secret: null,
  requires_action: null,
}
export const SOURCE = {
  source_id: 301,
  source_type: "ORDER",
  source_number: "ORD-2026-00301",
  status: "PAID",
  currency: "USD",
  total_amount: 42.5,
  paid_at: "2026-06-01T10:05:00Z",
}
export const OPERATOR = {
  carrier: "Operator 1",
  country: "LBR",
  currencies: ["USD", "LRD"],
  phone: PHONE,
  payment_method: "OPERATOR1_MOMO_LBR",
  gateway_provider: "MOBILE_MONEY_GATEWAY",
  operation_type: "COLLECTION",
}

export type CallCase = {
  readonly operation: Exclude<OperationName, "token.obtain">
  readonly body: Readonly<Record<string, unknown>>
  readonly run: (gateway: Gateway, options?: CallOptions) => Promise<Outcome<unknown>>
}

export const CALLS: readonly CallCase[] = [
  {
    operation: "checkouts.create",
    body: CHECKOUT,
    run: (gateway, options) =>
      gateway.checkouts.create(
        {
          mode: "HOSTED",
          sourceType: "ORDER",
          partyPhone: PHONE,
          partyName: "Test Payer",
          partyRelationship: "CUSTOMER",
          currency: currency("USD"),
          items: [
            { name: "T-shirt × 2", amount: money("39.98") },
            { name: "Shipping", amount: money("2.52") },
          ],
          referenceId: "cart_0001",
          expiresAt: new Date("2026-06-01T11:00:00Z"),
        },
        options,
      ),
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
  {
    operation: "sessions.checkout",
    body: SESSION,
    run: (gateway, options) =>
      gateway.sessions.checkout({ sourceType: "ORDER", sourceId: 301 }, options),
  },
  {
    operation: "paymentAccounts.create",
    body: ACCOUNT,
    run: (gateway, options) =>
      gateway.paymentAccounts.create(
        {
          accountName: "Test Payer",
          provider: "MOBILE_MONEY_GATEWAY",
          method: "OPERATOR1_MOMO_LBR",
          partyId: 42,
          countryCode: "LR",
          phone: PHONE,
        },
        options,
      ),
  },
  {
    operation: "executions.collection",
    body: EXECUTION,
    run: (gateway, options) =>
      gateway.executions.collection(
        {
          sessionId: 55,
          paymentAccountId: 18,
          currency: currency("USD"),
          referenceId: REFERENCE,
        },
        options,
      ),
  },
  {
    operation: "status.collection",
    body: EXECUTION,
    run: (gateway, options) => gateway.status.collection(REFERENCE, options),
  },
  {
    operation: "status.source",
    body: SOURCE,
    run: (gateway, options) =>
      gateway.status.source({ sourceType: "ORDER", sourceId: 301 }, options),
  },
  {
    operation: "predictions.mmoProviderInfo",
    body: OPERATOR,
    run: (gateway, options) => gateway.predictions.mmoProviderInfo({ phone: PHONE }, options),
  },
]

/** The one good call of an operation. */
export function callOf(operation: CallCase["operation"]): CallCase {
  const found = CALLS.find((call) => call.operation === operation)
  if (!found) throw new Error(`There is no call of ${operation}`)
  return found
}
