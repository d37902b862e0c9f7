/**
 * The amounts in an answer about a refund's execution, held against what was asked for. What the
 * payer had paid is looked up only where an amount is in another currency than the refund's.
 */
import type { ExecutionFinding } from "../core/decide/decision"
import { majorText, moneyFromMajor } from "../core/money"
import type { Operation } from "../core/operation"
import { isAsAsked, type Taken } from "../core/refund-moved"
import type { Execution } from "../gateway"
import type { Database } from "../ledger/database"
import { findById } from "../ledger/find-operations"

/** Adds `isOtherAmount` to the finding where the answer names another amount than was asked. */
export async function withAmounts(
  database: Database,
  refund: Operation,
  finding: ExecutionFinding,
  answer: Execution | undefined,
): Promise<ExecutionFinding> {
  if (finding.kind !== "seen" || !answer) return finding
  const { payerAmount: payer, payeeAmount: payee, fees } = answer
  const isForeign = [payer, payee].some(
    (side) => side !== undefined && side.currency !== refund.amount.currency,
  )
  const taken = isForeign ? await takenBy(database, refund) : undefined
  const named = [fees.platform, fees.gateway, fees.fx].flatMap((fee) => fee ?? [])
  const isOtherAmount = !isAsAsked(refund.amount, { payer, payee, fees: named }, taken)
  return isOtherAmount ? { ...finding, isOtherAmount } : finding
}

/** For the event: an admin has to know what the gateway said. */
export function amountFacts(finding: ExecutionFinding, answer: Execution | undefined): object {
  if (finding.kind !== "seen" || !finding.isOtherAmount) return {}
  const text = (side: Execution["payerAmount"]) => side && `${majorText(side)} ${side.currency}`
  return { payer_amount: text(answer?.payerAmount), payee_amount: text(answer?.payeeAmount) }
}

async function takenBy(database: Database, { parentId }: Operation): Promise<Taken | undefined> {
  const parent = parentId === null ? undefined : await findById(database, parentId)
  if (!parent?.collected) return undefined
  const { collected, payerAmount, payerCurrency } = parent
  const paid = payerCurrency && payerAmount ? moneyFromMajor(payerAmount, payerCurrency) : undefined
  return { collected, paid }
}
