/**
 * A person enters what the gateway calls a payment when its money goes back, because its answers have not
 * told it. It is a number that the merchant portal shows; a wrong one could give another customer's money
 * back, so one that is another payment's is refused, and so is one that contradicts a refund that went.
 */
import { NOT_POSSIBLE, takesPaymentIntent } from "../../core/desk"
import { LIMITS } from "../../core/limits"
import { Refusal } from "../../core/refusal"
import { advanceOperation } from "../../ledger/advance-operation"
import { findById } from "../../ledger/find-operations"
import { findRefundsOf } from "../../ledger/find-refunds"
import { findOfIntent } from "../../ledger/find-of-intent"
import type { FlowDeps } from "../deps"
import { operationNotFound } from "./resolve"

/** @throws Refusal `operation_not_found`, `action_not_possible`, `payment_intent_taken`, `payment_intent_used` */
export async function enterPaymentIntent(
  deps: Pick<FlowDeps, "database">,
  given: {
    readonly operationId: string
    /** A positive safe integer. */
    readonly paymentIntentId: number
    readonly adminId: string
  },
): Promise<void> {
  const { paymentIntentId, adminId } = given
  for (let attempt = 0; attempt < LIMITS.resolveTries; attempt++) {
    const operation = await findById(deps.database, given.operationId)
    if (!operation) throw operationNotFound()
    if (!takesPaymentIntent(operation)) {
      throw new Refusal("action_not_possible", NOT_POSSIBLE.action_not_possible.en)
    }
    if (operation.paymentIntentId === paymentIntentId) return
    const other = await findOfIntent(deps.database, operation, paymentIntentId)
    if (other) {
      throw new Refusal(
        "payment_intent_taken",
        "This payment intent id belongs to another payment. Nothing was changed.",
        { operation_id: other.id },
      )
    }
    const refunds = await findRefundsOf(deps.database, operation.id)
    const sent = refunds.find(
      ({ state, reference, paymentIntentId: used }) =>
        used !== paymentIntentId && reference !== null && state !== "failed" && state !== "expired",
    )
    if (sent) {
      throw new Refusal(
        "payment_intent_used",
        `A refund of this payment was sent with ${sent.paymentIntentId ?? "another one"}. ` +
          "Nothing was changed.",
        { operation_id: sent.id },
      )
    }
    const written = await advanceOperation(deps.database, operation, {
      event: { note: "payment_intent" },
      why: "a person entered the payment intent id",
      facts: {
        by: adminId,
        payment_intent_id: paymentIntentId,
        before: operation.paymentIntentId,
      },
      changes: { paymentIntentId },
    })
    if (written) return
  }
  throw new Refusal(
    "payment_in_progress",
    "Others are at this payment just now. Nothing was changed. Try again in a moment.",
    { payment: null },
  )
}
