import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { readAccounts } from "../../../../flows/accounts/read-accounts"
import { createAccount } from "../../../../flows/accounts/save-account"
import { parsed } from "../../../validators"
import { accountBody, answerAccounts } from "./input"
import type { AccountsAnswer, OneAccountAnswer } from "./types"

export const GET = (request: AuthenticatedMedusaRequest, response: MedusaResponse): Promise<void> =>
  answerAccounts(request, response, (deps): Promise<AccountsAnswer> => readAccounts(deps))

/** The secret goes in here, and comes out nowhere. */
export const POST = (
  request: AuthenticatedMedusaRequest,
  response: MedusaResponse,
): Promise<void> =>
  answerAccounts(request, response, async (deps, adminId): Promise<OneAccountAnswer> => ({
    account: await createAccount(deps, parsed(accountBody, request.body), adminId),
  }))
