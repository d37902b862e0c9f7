/** Calls of `gateway.checkouts`. */
import { currency, money, PHONE } from "./call-case"
import type { CallCase } from "./call-case"

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

export const CHECKOUT_CALLS: readonly CallCase[] = [
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
]
