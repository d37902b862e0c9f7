/**
 * Fetches receipts of payments beside the checks and never before them: no payment waits for a
 * receipt. If the process dies on the way, the receipt is due again and is written once more.
 */
import { fieldsOf } from "../core/log-fields"
import { errorText } from "../core/error-text"
import { LIMITS } from "../core/limits"
import { compareDecimals, majorText } from "../core/money"
import { isPush, type Operation } from "../core/operation"
import { opensOrder } from "../core/recorded"
import { refusal } from "../core/refusal"
import type { WebAddress } from "../core/said/texts"
import { NotFound, paymentIntentIn, type Gateway, type Receipt } from "../gateway"
import type { Changes } from "../ledger/advance-operation"
import { takeSpareCheck } from "../ledger/limits/check-budget"
import { databaseFault, isAway } from "../ledger/database-error"
import { findById } from "../ledger/find-operations"
import { unanswered } from "../engine/ask-gateway"
import type { FlowDeps } from "../engine/deps"
import { newIntent } from "../engine/execution-answer"
import { gatewayFor } from "../engine/gateway-for"
import { pauseIfAsked } from "../engine/pause-checks"
import { persist } from "../engine/persist"
import { readStatus, type StatusRequest } from "../checkout/read-status"
import type { OperationId } from "../core/ids"
import { payQuestion } from "./pass-budget"
import { isoMoment, isReceiptOf, type FetchedReceipt } from "./rules/receipt"
import type { KeptReceipt } from "./schemas/stored-receipt"
import {
  claimReceipts,
  findReceipt,
  giveBackReceipts,
  keepReceipt,
  postponeReceipt,
  type DueReceipt,
} from "./sql/receipts"

/**
 * Fetches some receipts of each account at once, and the accounts side by side. Each receipt is paid
 * for with a question that no check needs, so the receipts of a busy account wait.
 *
 * @param behind `busy`: accounts whose receipts are still being fetched, kept from run to run;
 *   `leave`: takes the rest of the work, which never rejects. Left out: the work is waited for
 * @returns how many receipts were claimed
 * @throws the database's error, when the database is away
 */
export async function fetchReceipts(
  deps: FlowDeps,
  signal?: AbortSignal,
  behind?: { readonly busy: Set<string>; leave(rest: Promise<void>): void },
): Promise<number> {
  const { busy, leave } = behind ?? { busy: new Set<string>() }
  const due = await claimReceipts(deps.database, [...busy])
  const accounts = new Set(due.map(({ operation }) => operation.accountId))
  const fetched = Promise.all(
    [...accounts].map(async (accountId) => {
      busy.add(accountId)
      try {
        const own = due.filter(({ operation }) => operation.accountId === accountId)
        await fetchEach(deps, own, signal)
      } finally {
        busy.delete(accountId)
      }
    }),
  ).then(() => undefined)
  // If the database is away, the claims end, and the next run reports it.
  if (leave) leave(fetched.catch(() => undefined))
  else await fetched
  return due.length
}

async function fetchEach(
  deps: FlowDeps,
  due: readonly DueReceipt[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const { clock, database, logger } = deps
  const beginBeforeMs = clock.monotonicMs() + LIMITS.beginChecksWithinMs
  const left = [...due]
  const isToBegin = () => !signal?.aborted && clock.monotonicMs() <= beginBeforeMs
  const fetchNext = async (): Promise<void> => {
    for (let one = left.shift(); one; one = left.shift()) {
      try {
        const isPaid = isToBegin() && (await takeSpareCheck(database, one.operation.accountId))
        // What one place leaves, the others leave too: they would find as little to spare.
        if (!isPaid) {
          left.unshift(one)
          return
        }
        await fetchReceipt(deps, one, signal)
      } catch (error) {
        if (signal?.aborted) return
        if (isAway(databaseFault(error))) throw error
        logger.error(
          `merchant payments: the receipt of ${one.operation.id} can't be fetched: ` +
            errorText(error),
          fieldsOf(one.operation, "receipt_failed"),
        )
      }
    }
  }
  await Promise.all(Array.from({ length: LIMITS.receiptsAtOnce }, fetchNext))
  await giveBackReceipts(
    database,
    left.map(({ operation }) => operation.id),
  )
}

async function fetchReceipt(
  deps: FlowDeps,
  { operation, tries }: DueReceipt,
  signal: AbortSignal | undefined,
): Promise<void> {
  const gateway = await gatewayFor(deps, operation)
  const receipt = gateway && (await ask(deps, gateway, operation, signal))
  if (!gateway || receipt === undefined || receipt === "missing") {
    const { receiptMissingRetryMs, receiptRetryMs } = LIMITS
    const retryMs = receipt === "missing" ? receiptMissingRetryMs : receiptRetryMs
    return postponeReceipt(deps.database, operation.id, retryMs[tries - 1])
  }
  // The link to the gateway's page is asked for once; a receipt without it is kept all the same.
  await payQuestion(deps, operation.accountId, signal)
  const { sourceType } = operation
  const page = await gateway.links.receipt({ sourceType, sourceNumber: receipt.number })
  const link = page.kind === "done" ? page.value.url : null
  await keepReceipt(deps.database, operation.id, kept(receipt, link))
  const changes = figuresIn(operation, receipt)
  if (Object.keys(changes).length === 0) {
    return postponeReceipt(deps.database, operation.id, undefined)
  }
  const written = await persist(deps.database, operation, {
    event: { note: "receipt" },
    code: "receipt",
    changes: { ...changes, receiptDueAt: false },
  })
  // Another worker has just moved the operation: the whole fetch is repeated later.
  if (!written) await postponeReceipt(deps.database, operation.id, LIMITS.receiptRetryMs[0])
}

/**
 * The caller has paid for the question. `missing`: the gateway has none; undefined: none can be had
 * just now, or it is another payment's.
 */
async function ask(
  deps: FlowDeps,
  gateway: Gateway,
  operation: Operation,
  signal: AbortSignal | undefined,
): Promise<Receipt | "missing" | undefined> {
  const { sourceId, sourceType } = operation
  if (sourceId === null) return undefined
  await deps.budget.take(operation.accountId, signal)
  const acts = sourceType === "ORDER" ? gateway.orders : gateway.invoices
  const outcome = await acts.receipt(sourceId, { patience: "job" })
  if (outcome.kind === "done") {
    const { total, status } = outcome.value
    if (status === "PAID" && isReceiptOf(operation, total)) return outcome.value
    deps.logger.warn(
      `merchant payments: the receipt of ${operation.id} reads ${status} and ` +
        `${majorText(total)} ${total.currency}; it is not kept`,
    )
    return undefined
  }
  await pauseIfAsked(deps, operation.accountId, unanswered(outcome))
  return outcome.error instanceof NotFound ? "missing" : undefined
}

/**
 * The receipt's figures that the operation lacks or has otherwise: the receipt says what settled
 * (contract, 9). They are shown and decide nothing, but for two: a refund needs the payment intent
 * id, and a part of a hosted payment can be given back only if the payer's currency is known.
 */
function figuresIn(operation: Operation, receipt: Receipt): Changes {
  const { payerAmount, payeeAmount, platformFee, gatewayFee, fxFee } = receipt
  const isNews = (read: string, known: string | null | undefined) =>
    known === null || known === undefined || compareDecimals(read, known) !== 0
  const changes: Changes = {}
  const paymentIntentId = newIntent(operation, paymentIntentIn(receipt.wire))
  if (paymentIntentId !== undefined) changes.paymentIntentId = paymentIntentId
  if (payerAmount && operation.payerCurrency === null) changes.payerCurrency = payerAmount.currency
  const isPayers = (operation.payerCurrency ?? payerAmount?.currency) === payerAmount?.currency
  if (payerAmount && isPayers && isNews(payerAmount.exact, operation.payerAmount)) {
    changes.payerAmount = payerAmount.exact
  }
  const isPayeeNew =
    payeeAmount &&
    (isNews(payeeAmount.exact, operation.payeeAmount) ||
      operation.payeeCurrency !== payeeAmount.currency)
  if (isPayeeNew) {
    changes.payeeAmount = payeeAmount.exact
    changes.payeeCurrency = payeeAmount.currency
  }
  const currencies = [platformFee?.currency, gatewayFee?.currency].filter((one) => one)
  const fees = {
    platform: platformFee?.exact ?? null,
    gateway: gatewayFee?.exact ?? null,
    fx: fxFee ?? null,
    currency: new Set(currencies).size === 1 ? (currencies[0] ?? null) : null,
  }
  const hasFees = platformFee ?? gatewayFee ?? fxFee
  if (hasFees && JSON.stringify(fees) !== JSON.stringify(operation.fees)) changes.fees = fees
  const { fxRate, fxCurrencyFrom, fxCurrencyTo } = receipt
  if (fxRate && isNews(fxRate, operation.exchangeRate)) {
    changes.exchangeRate = fxRate
    if (fxCurrencyFrom) changes.exchangeFrom = fxCurrencyFrom
    if (fxCurrencyTo) changes.exchangeTo = fxCurrencyTo
  }
  // A push's own execution has named its transaction id already.
  const { providerTransactionId } = receipt
  const isFirst = Object.keys(changes).length > 0 && !isPush(operation)
  return isFirst && providerTransactionId ? { ...changes, providerTransactionId } : changes
}

/** The parts that may be kept: no name, phone number or address. The texts are cleaned already. */
function kept(receipt: Receipt, link: WebAddress | null): KeptReceipt {
  return {
    number: receipt.number,
    paidAt: isoMoment(receipt.paidAt ?? receipt.gatewayConfirmedAt),
    total: majorText(receipt.total),
    currency: receipt.total.currency,
    feeBearer: receipt.feeBearer ?? null,
    paymentMethod: receipt.paymentMethod ?? null,
    transactionId: receipt.providerTransactionId ?? null,
    lines:
      receipt.items?.map(({ name, qty, amount }) => ({
        name,
        quantity: qty,
        unitAmount: majorText(amount),
      })) ?? null,
    link,
  }
}

export type ReadReceipt = { readonly operation: Operation; readonly fetched: FetchedReceipt }

/**
 * The receipt for a shopper, who needs the same capability as for STATUS. Only for a payment that
 * STATUS calls paid. The order's id and the gateway's page are given as long as the receipt's own
 * link is.
 *
 * @throws Refusal `session_not_found`, `receipt_not_ready`
 */
export async function readReceiptOfSession(
  deps: FlowDeps,
  request: StatusRequest,
): Promise<ReadReceipt> {
  const { operation, status, isLoggedIn } = await readStatus(deps, request)
  if (!operation || status.state !== "paid") throw refusal("receipt_not_ready")
  const { fetched } = await withReceipt(deps, operation)
  if (opensOrder(operation, isLoggedIn)) return { operation, fetched }
  const closed = { ...operation, orderId: null }
  return { operation: closed, fetched: { ...fetched, receipt: { ...fetched.receipt, link: null } } }
}

/** @throws Refusal `operation_not_found`, `receipt_not_ready` */
export async function readReceiptOfOperation(
  deps: Pick<FlowDeps, "database">,
  operationId: OperationId,
): Promise<ReadReceipt> {
  const operation = await findById(deps.database, operationId)
  if (!operation) throw refusal("operation_not_found")
  return withReceipt(deps, operation)
}

async function withReceipt(
  { database }: Pick<FlowDeps, "database">,
  operation: Operation,
): Promise<ReadReceipt> {
  const fetched = await findReceipt(database, operation.id)
  if (!fetched) throw refusal("receipt_not_ready")
  return { operation, fetched }
}
