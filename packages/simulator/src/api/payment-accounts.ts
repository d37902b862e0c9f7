/** Payment accounts. The account number is not echoed. */
import type { OperationType } from "../book/records"
import { iso } from "../clock"
import { registerAccount, type AccountRequest } from "../rules/accounts"
import { operation } from "./operation"

export const createPaymentAccount = operation<AccountRequest, { operation_type: OperationType }>(
  "createPaymentAccount",
  ({ world, ownerId, body, query }) => {
    const account = registerAccount(world, ownerId, query.operation_type, body)
    return {
      id: account.id,
      account_name: account.name,
      provider: account.provider,
      method: account.method,
      party_id: account.partyId,
      is_active: account.isActive,
      created_at: iso(account.createdAtMs),
      updated_at: iso(account.createdAtMs),
      country_code: account.countryCode,
    }
  },
)
