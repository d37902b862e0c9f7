/**
 * An admin asks a customer who is at the counter, or on the telephone, to pay what an order still
 * asks for: a prompt to their mobile money wallet, as the shop's own page sends it. An open link of
 * the order is closed first.
 */
import type { FlowDeps } from "../engine/deps"
import { startFor } from "./make-link"
import { readOpenOrder, whyNotAsked } from "./open-order"

/**
 * @throws Refusal as `makePaymentLink`, and `operator_unknown`; never `phone_required`
 */
export async function askOnPhone(
  deps: FlowDeps,
  request: { readonly orderId: string; readonly adminId: string; readonly phone: string },
): Promise<void> {
  const whyNot = await whyNotAsked(deps, await readOpenOrder(deps, request.orderId))
  if (whyNot) throw whyNot
  await startFor(deps, request, "push")
}
