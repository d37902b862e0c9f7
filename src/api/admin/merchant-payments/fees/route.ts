import { readFees } from "../../../../accounts/read-fees"
import { adminRoute } from "../../../respond"
import { parsed } from "../../../validators"
import { feesQuery } from "../accounts/input"
import type { FeesResponse } from "../../../../accounts/rules/account-responses"

export const GET = adminRoute<FeesResponse>((deps, request) => {
  const { account_id } = parsed(feesQuery, request.query)
  return readFees(deps, account_id)
})
