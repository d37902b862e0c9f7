import { readStatus } from "../../../../../checkout/read-status"
import { shopperRoute } from "../../../../shopper"

export const GET = shopperRoute("GET sessions/:id", async (deps, shopper) => {
  const { status } = await readStatus(deps, shopper)
  return { payment: status }
})
