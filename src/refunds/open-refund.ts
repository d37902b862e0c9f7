import type { Operation } from "../core/operation"
import type { Gateway } from "../gateway"
import { carryOut } from "../engine/carry-out"
import type { MoneyDeps } from "../engine/deps"
import { refundNotOpened } from "../engine/refused"
import { callOf } from "../engine/send"

/**
 * From the reserve to the sending. The caller holds the draft by lease; the lease is given back.
 *
 * @returns the refund as sent, or as another writer has left it
 * @throws Refusal `gateway_unavailable`, `gateway_refused`, `wallet_too_low`,
 *   `payment_intent_unknown`, `not_verified`, `not_configured`
 */
export function openRefund(
  deps: MoneyDeps,
  gateway: Gateway,
  draft: Operation,
): Promise<Operation> {
  const open = async () => {
    await deps.budget.take(draft.accountId)
    const opened = await gateway.sessions.refund(
      {
        originalPaymentIntentId: draft.paymentIntentId ?? 0,
        amount: draft.amount,
        // The database's clock, as every later comparison with it.
        expiresAt: draft.expiresAt,
      },
      { patience: "shopper" },
    )
    if (opened.kind !== "done") return opened
    return {
      kind: "opened" as const,
      sessionId: opened.value.id,
      async call(submitted: Operation) {
        await deps.budget.take(draft.accountId)
        return callOf(gateway, submitted, "shopper")()
      },
    }
  }
  return carryOut(deps, gateway, draft, open, refundNotOpened)
}
