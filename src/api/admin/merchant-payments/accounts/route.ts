import { readAccounts } from "../../../../accounts/read-accounts"
import { createAccount } from "../../../../accounts/save-account"
import { parsed } from "../../../validators"
import { accountsRoute, accountBody } from "./input"
import type { AccountsResponse } from "../../../../accounts/accounts-response"
import type { OneAccountResponse } from "../../../../accounts/rules/account-responses"

export const GET = accountsRoute<AccountsResponse>((deps) => readAccounts(deps))

/** Makes an account. The client's secret comes in here, and no route returns it. */
export const POST = accountsRoute<OneAccountResponse>(async (deps, request, adminId) => ({
  account: await createAccount(deps, parsed(accountBody, request.body), adminId),
}))
