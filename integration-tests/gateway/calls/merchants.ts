/** Calls of `gateway.merchants`. */
import { PHONE } from "./call-case"
import type { CallCase } from "./call-case"

export const MERCHANT = {
  id: 7,
  name: "Test Shop",
  type: "ORGANIZATION",
  email: "shop@example.com",
  phone: PHONE,
}

export const MERCHANT_CALLS: readonly CallCase[] = [
  {
    operation: "merchants.info",
    body: MERCHANT,
    run: (gateway, options) =>
      gateway.merchants.info({ merchantId: 7, merchantType: "ORGANIZATION" }, options),
  },
]
