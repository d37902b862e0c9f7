import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { readAccount } from "../../../../../flows/accounts/read-accounts"
import { removeAccount } from "../../../../../flows/accounts/remove-account"
import { changeAccount } from "../../../../../flows/accounts/save-account"
import { parsed } from "../../../../validators"
import { accountChangeBody, answerAccounts, idIn } from "../input"
import type { AccountDeletedAnswer, OneAccountAnswer } from "../types"

export const GET = (request: AuthenticatedMedusaRequest, response: MedusaResponse): Promise<void> =>
  answerAccounts(request, response, async (deps): Promise<OneAccountAnswer> => ({
    account: await readAccount(deps, idIn(request)),
  }))

/** What is not mentioned stays as it is; so does the secret. */
export const POST = (
  request: AuthenticatedMedusaRequest,
  response: MedusaResponse,
): Promise<void> =>
  answerAccounts(request, response, async (deps, adminId): Promise<OneAccountAnswer> => {
    const id = idIn(request)
    const body = parsed(accountChangeBody, request.body)
    return { account: await changeAccount(deps, id, body, adminId) }
  })

export const DELETE = (
  request: AuthenticatedMedusaRequest,
  response: MedusaResponse,
): Promise<void> =>
  answerAccounts(request, response, async (deps, adminId): Promise<AccountDeletedAnswer> => {
    const id = idIn(request)
    await removeAccount(deps, id, adminId)
    return { id, deleted: true }
  })
