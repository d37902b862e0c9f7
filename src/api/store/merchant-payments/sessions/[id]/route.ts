import { readStatus } from "../../../../../checkout/read-status"
import { shopperRoute } from "../../../../shopper"

/** STATUS, from the ledger: polling does not call the gateway. */
export const GET = shopperRoute(async (deps, shopper) => {
  const { status } = await readStatus(deps, shopper)
  return { payment: status }
})
