/**
 * What an operator takes of one payment, learned from what becomes of payments. It is only said to
 * people, and nothing here throws: a payment must not fail over it.
 */
import { errorText } from "../core/error-text"
import { majorNumber, parseCurrency } from "../core/money"
import type { EndReason, Operation } from "../core/operation"
import type { Quote } from "../core/quote"
import { amountLimitIn, hasLimit, type AmountLimit } from "../core/said/amount-limit"
import type { Said } from "../core/said/refused-words"
import type { Execution } from "../gateway"
import {
  dropOperatorLimit,
  findOperatorLimit,
  keepOperatorLimit,
  type OperatorLimitOf,
} from "../ledger/operator-limits"
import type { MoneyDeps } from "./deps"

type LimitParts = Pick<MoneyDeps, "database" | "logger">
type Charged = Pick<Operation, "accountId" | "amount" | "paymentMethod" | "payerCurrency">

/** What a refusal says of the amounts that an operator takes is kept, of each operator the last. */
export async function learnLimit(
  deps: LimitParts,
  { accountId, amount, paymentMethod, payerCurrency }: Charged,
  said: Said,
): Promise<AmountLimit> {
  const currency = parseCurrency(payerCurrency)
  if (!currency || paymentMethod === null) return {}
  const limit = amountLimitIn(said, currency, amount.currency)
  if (!hasLimit(limit)) return {}
  await quietly(deps, () =>
    keepOperatorLimit(deps.database, { accountId, paymentMethod, currency }, limit),
  )
  return limit
}

/** Why a payment failed, where it may be how much was to be paid. */
const OF_AMOUNT: ReadonlySet<EndReason | undefined> = new Set<EndReason>([
  "limit",
  "declined",
  "unknown",
])

/**
 * From an execution that has ended: a FAILED one may say the limit, and a COMPLETED one shows that
 * it was beyond none.
 */
export async function learnFromEnd(
  deps: LimitParts,
  operation: Operation,
  execution: Execution,
  failure: EndReason | undefined,
): Promise<void> {
  if (operation.type !== "COLLECTION") return
  if (execution.status === "COMPLETED") return dropUntrue(deps, operation, execution)
  if (execution.status !== "FAILED" || !OF_AMOUNT.has(failure)) return
  const texts = [execution.gatewayMessage, execution.walletMessage]
  const fields = texts.flatMap((message) => (message ? [{ path: "", message }] : []))
  await learnLimit(deps, operation, { fields })
}

/**
 * Fees may count or not, so a limit is untrue only where all that the payment may be called is
 * beyond it.
 */
async function dropUntrue(
  deps: LimitParts,
  { accountId, amount, paymentMethod, payerCurrency, quotedPayerAmount, submittedAt }: Operation,
  { payerAmount }: Execution,
): Promise<void> {
  const currency = parseCurrency(payerCurrency)
  if (!currency || paymentMethod === null || submittedAt === null) return
  const named = [amount, ...(payerAmount ? [payerAmount] : [])]
  const amounts = named.flatMap((one) => (one.currency === currency ? [majorNumber(one)] : []))
  if (quotedPayerAmount !== null) amounts.push(Number(quotedPayerAmount))
  if (amounts.length === 0) return
  const accepted = { least: Math.min(...amounts), most: Math.max(...amounts), askedAt: submittedAt }
  await quietly(deps, () =>
    dropOperatorLimit(deps.database, { accountId, paymentMethod, currency }, accepted),
  )
}

/** As a quote says it. */
export async function limitShown(
  deps: LimitParts,
  of: OperatorLimitOf,
): Promise<Pick<Quote, "least" | "most">> {
  const limit = await quietly(deps, () => findOperatorLimit(deps.database, of))
  const shown = (text: string | null | undefined) => (text ? Number(text) : null)
  return { least: shown(limit?.least), most: shown(limit?.most) }
}

async function quietly<T>({ logger }: LimitParts, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    logger.error(
      `merchant payments: an operator's limit could not be read or kept: ${errorText(error)}`,
    )
    return undefined
  }
}
