import { refuseChange } from "../../../../../accounts/guard-account"
import { shapedIn } from "../../../../shape"
import { accountsRoute } from "../../accounts/input"
import type { ChangeRefusedResponse } from "../../../../../accounts/rules/account-responses"

/** Refuses a change that waits for a second admin, or withdraws it. */
export const DELETE = accountsRoute<ChangeRefusedResponse>(async (deps, request, adminId) => {
  const id = shapedIn(request.params, "account_not_found.change")
  await refuseChange(deps, { id, adminId, note: undefined })
  return { id, refused: true }
})
