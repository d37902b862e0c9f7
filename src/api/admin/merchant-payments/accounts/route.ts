import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { readAccounts } from "../../../../accounts/read-accounts"
import { createAccount } from "../../../../accounts/save-account"
import { parsed } from "../../../validators"
import { accountBody, respondAccounts } from "./input"
import type { AccountsAnswer, OneAccountAnswer } from "./types"

export const GET = (request: AuthenticatedMedusaRequest, response: MedusaResponse): Promise<void> =>
  respondAccounts(request, response, (deps): Promise<AccountsAnswer> => readAccounts(deps))

/** Takes the secret; no route ever returns it. */
export const POST = (
  request: AuthenticatedMedusaRequest,
  response: MedusaResponse,
): Promise<void> =>
  respondAccounts(request, response, async (deps, adminId): Promise<OneAccountAnswer> => ({
    account: await createAccount(deps, parsed(accountBody, request.body), adminId),
  }))
