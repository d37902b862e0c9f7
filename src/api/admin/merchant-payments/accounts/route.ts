import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { readAccounts } from "../../../../accounts/read-accounts"
import { createAccount } from "../../../../accounts/save-account"
import { parsed } from "../../../validators"
import { accountBody, respondAccounts } from "./input"
import type { AccountsResponse, OneAccountResponse } from "./types"

export const GET = (request: AuthenticatedMedusaRequest, response: MedusaResponse): Promise<void> =>
  respondAccounts(request, response, (deps): Promise<AccountsResponse> => readAccounts(deps))

/** Takes the secret; no route ever returns it. */
export const POST = (
  request: AuthenticatedMedusaRequest,
  response: MedusaResponse,
): Promise<void> =>
  respondAccounts(request, response, async (deps, adminId): Promise<OneAccountResponse> => ({
    account: await createAccount(deps, parsed(accountBody, request.body), adminId),
  }))
