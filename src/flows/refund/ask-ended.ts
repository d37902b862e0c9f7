/**
 * Before more of a payment's money is sent, what the gateway says now of its refunds that had failed or
 * never landed. One of them may have gone through after all between two looks of the watch, and the same
 * money would go a second time. Asked at each new refund, which is rare, and only where one has failed.
 */
import { LIMITS } from "../../core/limits"
import { hasEnded, type Operation } from "../../core/operation"
import { Refusal } from "../../core/refusal"
import { claimOperation } from "../../ledger/claim-due-operations"
import { spendChecks } from "../../ledger/check-budget"
import { findRefundsOf } from "../../ledger/find-refunds"
import { releaseOperation } from "../../ledger/postpone-operation"
import { findDismissed } from "../../ledger/reconciliations"
import type { Gateway } from "../../gateway"
import { askRefund } from "../ask-gateway"
import { pauseAccount } from "../pause-checks"
import { gatewayForRefund } from "./gateway-for-refund"
import { lookAtRefund } from "./look-at-refund"
import type { RefundDeps } from "./refund-deps"

/** @throws Refusal `refund_in_progress`, `gateway_unavailable` */
export async function assertEndedStayed(deps: RefundDeps, paymentId: string): Promise<void> {
  const refunds = await findRefundsOf(deps.database, paymentId)
  for (const refund of refunds.filter(mayHaveGone)) await assertStayed(deps, refund)
}

function mayHaveGone(refund: Operation): boolean {
  return hasEnded(refund) && refund.reference !== null
}

async function assertStayed(deps: RefundDeps, refund: Operation): Promise<void> {
  const gateway = await gatewayForRefund(deps, refund)
  const says = gateway ? await ask(deps, gateway, refund) : undefined
  if (says === "stayed") return
  // A person has decided without the gateway's word that it did not go through.
  const isDismissed = async () => (await findDismissed(deps.database, [refund.id])).length > 0
  if (says === undefined && (await isDismissed())) return
  if (!gateway || says === undefined) {
    throw new Refusal(
      "gateway_unavailable",
      "A refund of this payment had failed, and the gateway does not say whether it stayed so. " +
        "Nothing was sent. Try again in a minute.",
    )
  }
  await lookNow(deps, gateway, refund)
  throw new Refusal(
    "refund_in_progress",
    "A refund of this payment that had failed goes through after all. Nothing was sent. Look at the " +
      "payments that need attention, and refund what is left then.",
    { refund: refund.id },
  )
}

async function ask(
  deps: RefundDeps,
  gateway: Gateway,
  { accountId, reference }: Operation,
): Promise<"stayed" | "went" | undefined> {
  await spendChecks(deps.database, accountId, 1)
  const { look } = await askRefund(gateway, reference ?? "")
  switch (look.kind) {
    case "absent":
      return "stayed"
    case "seen":
      return look.status === "FAILED" ? "stayed" : "went"
    case "later":
      await pauseAccount(deps, accountId, {
        forMs: look.afterMs,
        isTooMany: look.isTooMany === true,
      })
      return undefined
    default:
      return undefined
  }
}

/** So that it is listed at once; unless the job is at it just now. */
async function lookNow(deps: RefundDeps, gateway: Gateway, refund: Operation): Promise<void> {
  const held = await claimOperation(deps.database, refund.id, LIMITS.leaseMs)
  if (!held) return
  if (mayHaveGone(held)) await lookAtRefund(deps, gateway, held)
  else await releaseOperation(deps.database, held)
}
