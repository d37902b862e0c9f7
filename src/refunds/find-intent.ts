/**
 * The payment intent of a payment that is to be given back, asked of the gateway at that moment:
 * of its execution, its source and its receipt. The receipts that the job fetches may come minutes
 * later, and most answers name no intent at all.
 */
import { isWithoutMoney } from "../core/decide/state-words"
import type { PaymentIntentId } from "../core/ids"
import { hasExecution, type Operation } from "../core/operation"
import { refusal } from "../core/refusal"
import { paymentIntentIn, type CallOptions, type Gateway } from "../gateway"
import { spendChecks } from "../ledger/limits/check-budget"
import { askExecution, askSource } from "../engine/ask-gateway"
import type { MoneyDeps } from "../engine/deps"
import { requireGateway } from "../engine/gateway-for"
import { newIntent } from "../engine/execution-answer"
import { pauseIfAsked } from "../engine/pause-checks"
import { persist } from "../engine/persist"
import { findOfIntent } from "./sql/find-refunds"

const PERSON: CallOptions = { patience: "shopper" }

/**
 * Asks for the intent and keeps it, so that the refund that is reserved next has it.
 *
 * @returns the intent; that of another payment is not kept
 * @throws Refusal `payment_intent_unknown`
 */
export async function findIntent(
  deps: MoneyDeps,
  gateway: Gateway,
  payment: Operation,
): Promise<PaymentIntentId> {
  const named = await askIntent(deps, gateway, payment)
  if (named === undefined) throw refusal("payment_intent_unknown")
  if (await findOfIntent(deps.database, payment, named)) return named
  await persist(deps.database, payment, {
    event: { note: "intent_named" },
    code: "intent_named",
    facts: { payment_intent_id: named },
    changes: { paymentIntentId: named },
  })
  return named
}

/**
 * As `findIntent`, where the intent is not known yet.
 *
 * @throws Refusal `payment_intent_unknown`, `not_configured`, `gateway_unavailable`
 */
export async function nameIntent(deps: MoneyDeps, payment: Operation): Promise<void> {
  if (payment.paymentIntentId !== null) return
  await findIntent(deps, await requireGateway(deps, payment), payment)
}

/** What the gateway names now; undefined: no answer of it names one. */
export async function askIntent(
  deps: MoneyDeps,
  gateway: Gateway,
  payment: Operation,
): Promise<PaymentIntentId | undefined> {
  const { accountId, sourceId, sourceType } = payment
  await spendChecks(deps.database, accountId, 3)
  const asked = hasExecution(payment)
    ? await askExecution(gateway, payment.reference, PERSON)
    : undefined
  await pauseIfAsked(deps, accountId, asked?.finding)
  const execution = asked?.answer
  // A failed execution took no money: its source was paid in another way, under another intent.
  const hasFailed = execution !== undefined && isWithoutMoney(execution.status)
  const isOwn = (intent: PaymentIntentId | undefined) =>
    hasFailed && intent === execution.paymentIntentId ? undefined : newIntent(payment, intent)
  const ofExecution = isOwn(execution?.paymentIntentId)
  if (ofExecution !== undefined || sourceId === null) return ofExecution
  const source = (await askSource(gateway, payment, PERSON)).answer
  const ofSource = source && isOwn(paymentIntentIn(source.wire))
  if (ofSource !== undefined) return ofSource
  const acts = sourceType === "ORDER" ? gateway.orders : gateway.invoices
  const receipt = await acts.receipt(sourceId, PERSON)
  return receipt.kind === "done" ? isOwn(paymentIntentIn(receipt.value.wire)) : undefined
}
