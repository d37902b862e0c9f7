/**
 * Before more of a payment's money is sent, the gateway is asked about its refunds that failed or
 * never landed. One of them may have gone through since its last check, and the same money would go
 * a second time.
 */
import { hasEnded, type Operation } from "../core/operation"
import { refusal } from "../core/refusal"
import type { Gateway } from "../gateway"
import { spendChecks } from "../ledger/check-budget"
import { findDismissed } from "../ledger/find-events"
import { askRefund } from "../engine/ask-gateway"
import { checkUnheld } from "../engine/check"
import type { MoneyDeps } from "../engine/deps"
import { gatewayFor } from "../engine/gateway-for"
import { pauseIfAsked } from "../engine/pause-checks"
import { findRefundsOf } from "./sql/find-refunds"

/** @throws Refusal `refund_in_progress`, `gateway_unavailable` */
export async function assertEndedStayed(deps: MoneyDeps, paymentId: string): Promise<void> {
  const refunds = await findRefundsOf(deps.database, paymentId)
  for (const refund of refunds.filter(mayHaveGone)) await assertStayed(deps, refund)
}

function mayHaveGone(refund: Operation): boolean {
  return hasEnded(refund) && refund.reference !== null
}

async function assertStayed(deps: MoneyDeps, refund: Operation): Promise<void> {
  const gateway = await gatewayFor(deps, refund)
  const says = gateway ? await ask(deps, gateway, refund) : undefined
  if (says === "stayed") return
  // An admin has decided without the gateway's word that it did not go through.
  const isDismissed = async () => (await findDismissed(deps.database, [refund.id])).length > 0
  if (says === undefined && (await isDismissed())) return
  if (!gateway || says === undefined) throw refusal("gateway_unavailable")
  // So that it is listed at once.
  await checkUnheld(deps, refund.id, mayHaveGone)
  throw refusal("refund_in_progress.went_through", {}, { refund: refund.id })
}

async function ask(
  deps: MoneyDeps,
  gateway: Gateway,
  { accountId, reference }: Operation,
): Promise<"stayed" | "went" | undefined> {
  await spendChecks(deps.database, accountId, 1)
  const { finding } = await askRefund(gateway, reference ?? "")
  await pauseIfAsked(deps, accountId, finding)
  switch (finding.kind) {
    case "absent":
      return "stayed"
    case "seen":
      return finding.status === "FAILED" ? "stayed" : "went"
    default:
      return undefined
  }
}
