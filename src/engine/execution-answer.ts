/**
 * What an answer about an execution adds to the ledger. Amounts and fees are stored and shown, and
 * decide nothing; only a refund's are compared with what was asked for. Only what is new is
 * written, so that an unchanged answer is not an event.
 */
import type { ExecutionFinding } from "../core/decide/decision"
import { majorText, moneyFromMajor } from "../core/money"
import { hasEnded, isMoneyOut, type Event, type Operation } from "../core/operation"
import { isAsAsked, isOutAsAsked, type Moved, type Taken } from "../core/decide/refund-moved"
import { isEndOfExecution, isWithoutMoney } from "../core/decide/state-words"
import type { PaymentIntentId } from "../core/ids"
import type { Execution } from "../gateway"
import type { Changes } from "../ledger/advance-operation"
import type { Database } from "../ledger/database"
import { findById } from "../ledger/find-operations"

export function executionChanges(operation: Operation, execution: Execution): Changes {
  const isFinal = isEndOfExecution(execution.status)
  const payerAmount = execution.payerAmount && majorText(execution.payerAmount)
  const isNewAmount =
    payerAmount !== undefined && Number(payerAmount) !== Number(operation.payerAmount)
  const paymentIntentId = intentOf(operation, execution)
  const news: Changes = {
    ...(isNewAmount ? { payerAmount } : {}),
    ...(paymentIntentId === undefined ? {} : { paymentIntentId }),
  }
  if (!isFinal) return news
  const { payeeAmount, gatewayMessage, walletMessage, fees, providerTransactionId } = execution
  return {
    ...news,
    ...(payeeAmount
      ? { payeeAmount: majorText(payeeAmount), payeeCurrency: payeeAmount.currency }
      : {}),
    ...(fees.platform || fees.gateway || fees.fx ? { fees } : {}),
    ...(gatewayMessage || walletMessage
      ? { messages: { gateway: gatewayMessage ?? null, wallet: walletMessage ?? null } }
      : {}),
    ...(providerTransactionId ? { providerTransactionId } : {}),
  }
}

/**
 * The answer's unknown fields, for its event: an admin may find an id in them. Not for money that
 * goes out, because a payout's answer could repeat its passcode. During the watch after an end,
 * only for an answer that changes the state.
 */
export function otherFacts(
  operation: Operation,
  execution: Execution | undefined,
  event?: Event,
): object {
  if (!execution?.otherFields || isMoneyOut(operation)) return {}
  if (hasEnded(operation) && event === undefined) return {}
  return { other_fields: execution.otherFields }
}

/** A failed execution names none: it took no money, and its source may still be paid on its page. */
function intentOf(
  operation: Operation,
  { paymentIntentId, status }: Execution,
): PaymentIntentId | undefined {
  return isWithoutMoney(status) ? undefined : newIntent(operation, paymentIntentId)
}

/**
 * The payment intent that an answer names, unless one is known already, perhaps typed by an admin,
 * or the id means something else here.
 */
export function newIntent(
  operation: Operation,
  named: PaymentIntentId | undefined,
): PaymentIntentId | undefined {
  const { gatewaySessionId, sourceId, paymentAccountId, partyId } = operation
  const others: readonly (number | null)[] = [gatewaySessionId, sourceId, paymentAccountId, partyId]
  const isOther = others.some((id) => id === named)
  return operation.paymentIntentId !== null || isOther ? undefined : named
}

/**
 * Adds `isOtherAmount` to the finding of money that goes back or out if the answer names another
 * amount than was asked for. What a refund's payer had paid is read only if an amount is in another
 * currency.
 */
export async function withAmounts(
  database: Database,
  operation: Operation,
  finding: ExecutionFinding,
  answer: Execution | undefined,
): Promise<ExecutionFinding> {
  if (finding.kind !== "seen" || !answer) return finding
  const { payerAmount: payer, payeeAmount: payee, fees } = answer
  const named = [fees.platform, fees.gateway, fees.fx].flatMap((fee) => fee ?? [])
  const moved: Moved = { payer, payee, fees: named }
  const isAsked = isMoneyOut(operation)
    ? isOutAsAsked(operation.amount, moved)
    : isAsAsked(operation.amount, moved, await takenBy(database, operation, moved))
  return isAsked ? finding : { ...finding, isOtherAmount: true }
}

/** The other amounts, for the event: an admin has to know what the gateway said. */
export function amountFacts(finding: ExecutionFinding, answer: Execution | undefined): object {
  if (finding.kind !== "seen" || !finding.isOtherAmount) return {}
  const text = (side: Execution["payerAmount"]) => side && `${majorText(side)} ${side.currency}`
  return { payer_amount: text(answer?.payerAmount), payee_amount: text(answer?.payeeAmount) }
}

async function takenBy(
  database: Database,
  { parentId, amount }: Operation,
  { payer, payee }: Moved,
): Promise<Taken | undefined> {
  const isForeign = [payer, payee].some((side) => side && side.currency !== amount.currency)
  if (!isForeign) return undefined
  const parent = parentId === null ? undefined : await findById(database, parentId)
  if (!parent?.collected) return undefined
  const { collected, payerAmount, payerCurrency } = parent
  const paid = payerCurrency && payerAmount ? moneyFromMajor(payerAmount, payerCurrency) : undefined
  return { collected, paid }
}
