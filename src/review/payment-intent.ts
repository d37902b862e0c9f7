/**
 * An admin enters the payment intent id that a refund needs, if no answer of the gateway named it.
 * A wrong id could give another customer's money back. So an id is refused if it belongs to another
 * payment, or contradicts a sent refund or the gateway.
 *
 * No call asks about a payment intent (contract, 3), so the id is compared with the gateway's
 * answers about the payment and its receipt. Opening the refund's gateway session checks amount and
 * currency again.
 */
import { LIMITS } from "../core/limits"
import type { Operation } from "../core/operation"
import { takesPaymentIntent } from "../core/possibilities"
import { refusal } from "../core/refusal"
import { isWithoutMoney } from "../core/decide/state-words"
import type { AdminId, OperationId, PaymentIntentId } from "../core/ids"
import { paymentIntentsIn, type CallOptions, type Gateway } from "../gateway"
import { advanceOperation } from "../ledger/advance-operation"
import { spendChecks } from "../ledger/limits/check-budget"
import { findById } from "../ledger/find-operations"
import { askExecution } from "../engine/ask-gateway"
import type { FlowDeps } from "../engine/deps"
import { gatewayFor } from "../engine/gateway-for"
import { pauseIfAsked } from "../engine/pause-checks"
import { findOfIntent, findRefundsOf } from "../refunds/sql/find-refunds"

const PERSON: CallOptions = { patience: "shopper" }

/**
 * @throws Refusal `operation_not_found`, `action_not_possible`, `payment_intent_taken`,
 *   `payment_intent_used`, `payment_intent_differs`, `gateway_unavailable`
 */
export async function enterPaymentIntent(
  deps: FlowDeps,
  given: {
    readonly operationId: OperationId
    /** A positive safe integer. */
    readonly paymentIntentId: PaymentIntentId
    readonly adminId: AdminId
  },
): Promise<void> {
  const { paymentIntentId, adminId } = given
  for (let attempt = 0; attempt < LIMITS.resolveTries; attempt++) {
    const operation = await findById(deps.database, given.operationId)
    if (!operation) throw refusal("operation_not_found")
    if (!takesPaymentIntent(operation)) throw refusal("action_not_possible")
    if (operation.paymentIntentId === paymentIntentId) return
    const other = await findOfIntent(deps.database, operation, paymentIntentId)
    if (other) throw refusal("payment_intent_taken", {}, { operation_id: other.id })
    const refunds = await findRefundsOf(deps.database, operation.id)
    const sent = refunds.find(
      ({ state, reference, paymentIntentId: used }) =>
        used !== paymentIntentId && reference !== null && state !== "failed" && state !== "expired",
    )
    if (sent) {
      const used = { used: sent.paymentIntentId }
      throw refusal("payment_intent_used", used, { operation_id: sent.id })
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

/** Without credentials nothing can be checked, and nothing can be given back either. */
async function assertNotContradicted(
  deps: FlowDeps,
  operation: Operation,
  paymentIntentId: PaymentIntentId,
): Promise<void> {
  const gateway = await gatewayFor(deps, operation)
  if (!gateway) return
  const named = await namedBy(deps, gateway, operation)
  if (named.length === 0 || named.includes(paymentIntentId)) return
  throw refusal("payment_intent_differs", { named, given: paymentIntentId }, { named })
}

/** Every payment intent id in the gateway's answers about this payment. */
async function namedBy(
  deps: FlowDeps,
  gateway: Gateway,
  { reference, sourceId, sourceType, accountId }: Operation,
): Promise<readonly number[]> {
  await spendChecks(deps.database, accountId, 2)
  const execution = reference === null ? undefined : await askExecution(gateway, reference, PERSON)
  await pauseIfAsked(deps, accountId, execution?.finding)
  // An unanswered question could hide a contradiction.
  if (execution && execution.finding.kind !== "seen" && execution.finding.kind !== "absent") {
    throw refusal("gateway_unavailable")
  }
  const isFailed = execution?.finding.kind === "seen" && isWithoutMoney(execution.finding.status)
  // Not every payment has a receipt, and whether a receipt names an intent is not documented.
  const acts = sourceType === "ORDER" ? gateway.orders : gateway.invoices
  const receipt = sourceId === null ? undefined : await acts.receipt(sourceId, PERSON)
  // A failed execution took no money: if its source is paid, it was paid in another way.
  const answers = [
    isFailed ? undefined : execution?.answer,
    receipt?.kind === "done" ? receipt.value : undefined,
  ]
  return answers.flatMap((answer) => (answer ? paymentIntentsIn(answer.wire) : []))
}
