import { readAccount } from "../../../../../accounts/read-accounts"
import { removeAccount } from "../../../../../accounts/remove-account"
import { changeAccount } from "../../../../../accounts/save-account"
import { parsed } from "../../../../validators"
import { accountsRoute, accountChangeBody, accountIdIn } from "../input"
import type {
  AccountDeletedResponse,
  OneAccountResponse,
} from "../../../../../accounts/rules/account-responses"

export const GET = accountsRoute<OneAccountResponse>(async (deps, request) => ({
  account: await readAccount(deps, accountIdIn(request)),
}))

/** Fields that are not given keep their value, the secret included. */
export const POST = accountsRoute<OneAccountResponse>(async (deps, request, adminId) => {
  const id = accountIdIn(request)
  const body = parsed(accountChangeBody, request.body)
  return { account: await changeAccount(deps, id, body, adminId) }
})

export const DELETE = accountsRoute<AccountDeletedResponse>(async (deps, request, adminId) => {
  const id = accountIdIn(request)
  await removeAccount(deps, id, adminId)
  return { id, deleted: true }
})
