/**
 * Carries out payouts, transfers and refunds once their own rules allow them. The wallet's money is
 * reserved from then on, because every execution that has not failed counts against it.
 */
import type { MoneyOut, MoneyOutType, Wallet } from "../book/money-records"
import type { Provider, Session } from "../book/records"
import type { Money } from "../money"
import { wrongState } from "../problem"
import type { World } from "../world"
import type { AnyExecution, Executed } from "./executions"
import { stepAt, stepsOf, type ExecutionStatus, saying } from "./timeline"
import { MONEY_OUT_TEXTS } from "./timeline"
import { requireBalance } from "./wallets"

const TRANSACTION_ID_LENGTH = 16

export type Leaving = {
  reference: string
  session: Extract<Session, { type: MoneyOutType }>
  /** The wallet that pays `payer`. */
  wallet: Wallet
  payer: Money
  payee: Money
  /** The phone number that decides the scenario; null for a card or where there is none. */
  phone: string | null
  provider: Provider
  method: string
  originalReference?: string
  accountId?: number
  toWalletId?: number
}

/** Executes a session. Throws 422 if the wallet may not or can't pay. */
export function sendOut(world: World, leaving: Leaving): Executed<MoneyOut> {
  const { book, time, random, plans } = world
  const { session, wallet, payer, payee, phone } = leaving
  requireBalance(world, wallet, payer.minor, ["body", "session_id"])
  const nowMs = time.nowMs()
  const behaviour = plans.behaviourOut(session.type, phone)
  book.update<Session>(session, { executedAtMs: nowMs })
  const texts = behaviour.message === undefined ? MONEY_OUT_TEXTS : saying(behaviour.message)
  const execution = book.money.addMoneyOut({
    ownerId: session.ownerId,
    createdAtMs: nowMs,
    reference: leaving.reference,
    operationType: session.type,
    paymentIntentId: book.next("paymentIntent"),
    sessionId: session.id,
    walletId: wallet.id,
    originalReference: leaving.originalReference ?? null,
    askedMinor: session.amountMinor,
    askedCurrency: session.currency,
    accountId: leaving.accountId ?? null,
    toWalletId: leaving.toWalletId ?? null,
    phone,
    provider: leaving.provider,
    method: leaving.method,
    payerMinor: payer.minor,
    payerCurrency: payer.currency,
    payeeMinor: payee.minor,
    payeeCurrency: payee.currency,
    providerTransactionId: random.hex(TRANSACTION_ID_LENGTH).toUpperCase(),
    origin: behaviour.origin,
    steps: stepsOf(behaviour.outcome, nowMs, behaviour.afterMs, time.delayMs, texts),
    timesCalled: 1,
  })
  return { execution, cutsAnswer: behaviour.cutsAnswer }
}

/** Tells an execution of this type and session from every other one. */
export const isMoneyOut =
  (type: MoneyOutType, sessionId: string) =>
  (known: AnyExecution): known is MoneyOut =>
    known.operationType === type && String(known.sessionId) === sessionId

/** Ends an execution now. Throws 422 if it has ended. */
export function settleMoneyOut(
  world: World,
  execution: MoneyOut,
  status: Extract<ExecutionStatus, "COMPLETED" | "FAILED">,
): MoneyOut {
  const nowMs = world.time.nowMs()
  const { status: before } = stepAt(execution.steps, nowMs)
  if (before === "COMPLETED" || before === "FAILED") {
    throw wrongState(["path", "reference"], `It is ${before} already`)
  }
  const message = status === "COMPLETED" ? MONEY_OUT_TEXTS.approved : MONEY_OUT_TEXTS.declined
  const past = execution.steps.filter(({ atMs }) => atMs <= nowMs)
  return world.book.update(execution, { steps: [...past, { atMs: nowMs, status, message }] })
}
