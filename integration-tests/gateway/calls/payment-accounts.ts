/** Calls of `gateway.paymentAccounts`. */
import { PHONE, TIMES } from "./call-case"
import type { CallCase } from "./call-case"

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

export const PAYMENT_ACCOUNT_CALLS: readonly CallCase[] = [
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
]
