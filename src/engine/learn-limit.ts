import { errorText } from "../core/error-text"
import { parseCurrency } from "../core/money"
import type { Operation } from "../core/operation"
import { amountLimitIn, hasLimit, type AmountLimit } from "../core/said/amount-limit"
import type { Said } from "../core/said/refused-words"
import { keepOperatorLimit } from "../ledger/operator-limits"
import type { MoneyDeps } from "./deps"

type Charged = Pick<Operation, "accountId" | "amount" | "paymentMethod" | "payerCurrency">

/**
 * What a refusal says of the amounts that an operator takes is kept, of each operator the last.
 * Never throws: a payment must not fail over what is only said.
 */
export async function learnLimit(
  { database, logger }: Pick<MoneyDeps, "database" | "logger">,
  { accountId, amount, paymentMethod, payerCurrency }: Charged,
  said: Said,
): Promise<AmountLimit> {
  const currency = parseCurrency(payerCurrency)
  if (!currency || paymentMethod === null) return {}
  const limit = amountLimitIn(said, currency, amount.currency)
  if (!hasLimit(limit)) return {}
  try {
    await keepOperatorLimit(database, { accountId, paymentMethod, currency }, limit)
  } catch (error) {
    logger.error(`merchant payments: an operator's limit could not be kept: ${errorText(error)}`)
  }
  return limit
}
