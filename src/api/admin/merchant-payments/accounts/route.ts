import { readAccounts } from "../../../../accounts/read-accounts"
import { createAccount } from "../../../../accounts/save-account"
import { accountsRoute } from "../../../routes"

export const GET = accountsRoute("GET accounts", (deps) => readAccounts(deps))

export const POST = accountsRoute("POST accounts", async (deps, { body, adminId }) => ({
  account: await createAccount(deps, body, adminId),
}))
