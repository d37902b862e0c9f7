import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { readAccount } from "../../../../../accounts/read-accounts"
import { removeAccount } from "../../../../../accounts/remove-account"
import { changeAccount } from "../../../../../accounts/save-account"
import { parsed } from "../../../../validators"
import { accountChangeBody, respondAccounts, idIn } from "../input"
import type { AccountDeletedResponse, OneAccountResponse } from "../types"

export const GET = (request: AuthenticatedMedusaRequest, response: MedusaResponse): Promise<void> =>
  respondAccounts(request, response, async (deps): Promise<OneAccountResponse> => ({
    account: await readAccount(deps, idIn(request)),
  }))

/** Fields that are not given keep their value, the secret included. */
export const POST = (
  request: AuthenticatedMedusaRequest,
  response: MedusaResponse,
): Promise<void> =>
  respondAccounts(request, response, async (deps, adminId): Promise<OneAccountResponse> => {
    const id = idIn(request)
    const body = parsed(accountChangeBody, request.body)
    return { account: await changeAccount(deps, id, body, adminId) }
  })

export const DELETE = (
  request: AuthenticatedMedusaRequest,
  response: MedusaResponse,
): Promise<void> =>
  respondAccounts(request, response, async (deps, adminId): Promise<AccountDeletedResponse> => {
    const id = idIn(request)
    await removeAccount(deps, id, adminId)
    return { id, deleted: true }
  })
