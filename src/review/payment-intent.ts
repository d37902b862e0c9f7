/**
 * A person enters what the gateway calls a payment when its money goes back, because its answers
 * have not told it. It is a number that the merchant portal shows; a wrong one could give another
 * customer's money back. So one that is another payment's is refused, one that contradicts a refund
 * that went, and one that contradicts the gateway.
 *
 * No call of the gateway asks about a payment intent (contract, 3). What its answers about the
 * payment name, and its receipt, is all that it can be held against; amount and currency are once
 * more when the refund's session is opened, before anything moves.
 */
import { LIMITS } from "../core/limits"
import type { Operation } from "../core/operation"
import { takesPaymentIntent } from "../core/possibilities"
import { refusal } from "../core/refusal"
import { paymentIntentsIn, type CallOptions, type Gateway } from "../gateway"
import { advanceOperation } from "../ledger/advance-operation"
import { spendChecks } from "../ledger/check-budget"
import { findById } from "../ledger/find-operations"
import { askExecution } from "../engine/ask-gateway"
import type { FlowDeps } from "../engine/deps"
import { gatewayFor } from "../engine/gateway-for"
import { pauseIfAsked } from "../engine/pause-checks"
import { findOfIntent } from "../refunds/sql/find-of-intent"
import { findRefundsOf } from "../refunds/sql/find-refunds"

const PERSON: CallOptions = { patience: "shopper" }

/**
 * @throws Refusal `operation_not_found`, `action_not_possible`, `payment_intent_taken`,
 *   `payment_intent_used`, `payment_intent_differs`, `gateway_unavailable`
 */
export async function enterPaymentIntent(
  deps: FlowDeps,
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
    if (!operation) throw refusal("operation_not_found")
    if (!takesPaymentIntent(operation)) {
      throw refusal("action_not_possible")
    }
    if (operation.paymentIntentId === paymentIntentId) return
    const other = await findOfIntent(deps.database, operation, paymentIntentId)
    if (other) {
      throw refusal("payment_intent_taken", {}, { operation_id: other.id })
    }
    const refunds = await findRefundsOf(deps.database, operation.id)
    const sent = refunds.find(
      ({ state, reference, paymentIntentId: used }) =>
        used !== paymentIntentId && reference !== null && state !== "failed" && state !== "expired",
    )
    if (sent) {
      throw refusal(
        "payment_intent_used",
        { used: sent.paymentIntentId },
        { operation_id: sent.id },
      )
    }
    await assertNotContradicted(deps, operation, paymentIntentId)
    const written = await advanceOperation(deps.database, operation, {
      event: { note: "payment_intent" },
      code: "intent_entered",
      facts: {
        by: adminId,
        payment_intent_id: paymentIntentId,
        before: operation.paymentIntentId,
      },
      changes: { paymentIntentId },
    })
    if (written) return
  }
  throw refusal("payment_in_progress", {}, { payment: null })
}

/** Where there is nobody to ask, nothing can be given back either. */
async function assertNotContradicted(
  deps: FlowDeps,
  operation: Operation,
  paymentIntentId: number,
): Promise<void> {
  const gateway = await gatewayFor(deps, operation)
  if (!gateway) return
  const named = await namedBy(deps, gateway, operation)
  if (named.length === 0 || named.includes(paymentIntentId)) return
  throw refusal("payment_intent_differs", { named, given: paymentIntentId }, { named })
}

/** Every payment intent id that the gateway's answers about this payment have. */
async function namedBy(
  deps: FlowDeps,
  gateway: Gateway,
  { reference, sourceId, sourceType, accountId }: Operation,
): Promise<readonly number[]> {
  await spendChecks(deps.database, accountId, 2)
  const execution = reference === null ? undefined : await askExecution(gateway, reference, PERSON)
  await pauseIfAsked(deps, accountId, execution?.finding)
  // A silence could hide a contradiction.
  if (execution && execution.finding.kind !== "seen" && execution.finding.kind !== "absent") {
    throw refusal("gateway_unavailable")
  }
  // Not every payment has a receipt, and whether it names one is not documented.
  const acts = sourceType === "ORDER" ? gateway.orders : gateway.invoices
  const receipt = sourceId === null ? undefined : await acts.receipt(sourceId, PERSON)
  const answers = [execution?.answer, receipt?.kind === "done" ? receipt.value : undefined]
  return answers.flatMap((answer) => (answer ? paymentIntentsIn(answer.wire) : []))
}
