/**
 * A shopper comes back from the gateway's page. The visit proves nothing, whatever result it names:
 * it brings the next check forward and sends the shopper on to the shop, which asks for STATUS.
 */
import { ofMedusa } from "../core/operation"
import { LIMITS } from "../core/limits"
import { refusal } from "../core/refusal"
import { bringForward } from "../ledger/bring-forward"
import { findByReturnToken } from "../ledger/find-operations"
import type { FlowDeps } from "../engine/deps"

/**
 * @returns the shop's address, with `payment_session_id`
 * @throws Refusal `session_not_found` for a token that is not ours, or whose time is over
 */
export async function visitReturn(
  deps: Pick<FlowDeps, "database" | "settings">,
  visit: { readonly token: string; readonly result: "success" | "cancel" },
): Promise<string> {
  const operation = await findByReturnToken(deps.database, visit.token)
  if (!operation) throw refusal("session_not_found.return")
  await bringForward(deps.database, operation.id, LIMITS.returnVisitEveryMs)
  const wanted = visit.result === "cancel" ? operation.cancelUrl : operation.successUrl
  const address = wanted ?? operation.successUrl ?? deps.settings.storefrontOrigins[0]
  if (address === undefined) throw refusal("not_configured.address")
  const url = new URL(address)
  url.searchParams.set("payment_session_id", ofMedusa(operation).paymentSessionId)
  return url.toString()
}
