/**
 * The smallest and largest amount that an operator takes, learned from how payments end. The limits
 * are only shown to people. Nothing here throws: a payment must not fail because of them.
 */
import { errorText } from "../core/error-text"
import { majorNumber, parseCurrency } from "../core/money"
import type { EndReason, Operation } from "../core/operation"
import type { Quote } from "../core/schemas/quote"
import { amountLimitIn, hasLimit, type AmountLimit } from "../core/said/amount-limit"
import type { Said } from "../core/said/refused-words"
import type { Execution } from "../gateway"
import {
  dropOperatorLimit,
  findOperatorLimit,
  keepOperatorLimit,
  type OperatorLimitOf,
} from "../ledger/limits/operator-limits"
import type { MoneyDeps } from "./deps"

type LimitParts = Pick<MoneyDeps, "database" | "logger">
type Charged = Pick<Operation, "accountId" | "amount" | "paymentMethod" | "payerCurrency">

/** Keeps the limit that a refusal names: the last one of each account, operator and currency. */
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

/** Reasons of a failure that the amount may have caused. */
const OF_AMOUNT: ReadonlySet<EndReason | undefined> = new Set<EndReason>([
  "limit",
  "declined",
  "unknown",
])

/**
 * Learns from an execution that has ended: a FAILED one may name the limit, and a COMPLETED one
 * shows that its amount was within every limit.
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
 * Drops a limit that a completed payment was beyond. Fees may count or not, so the limit is untrue
 * only if every amount known for the payment is beyond it.
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

/** The kept limits as a quote shows them: numbers in major units; null where none is known. */
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
