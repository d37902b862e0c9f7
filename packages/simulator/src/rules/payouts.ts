/**
 * Payouts: from the merchant's wallet to a recipient's account (contract notes, section 15). `fees`
 * prices them; the merchant pays the fees on top of what the recipient gets.
 */
import type { MoneyOut } from "../book/money-records"
import type { PaymentAccount, PayoutSession } from "../book/records"
import type { Money } from "../money"
import { refused } from "../problem"
import type { World } from "../world"
import { payableAccount, payoutAccount } from "./accounts"
import { repeated, type Executed } from "./executions"
import { priced } from "./figures"
import { requireVerified } from "./gates"
import { isMoneyOut, sendOut } from "./money-out"
import { operatorByMethod } from "./operators"
import { askedMoney, executableSession, newSession } from "./sessions"
import { merchantWallet, requireBalance } from "./wallets"

export type PayoutSessionRequest = { payout_account_id: number; amount: number; currency: string }

/** The device facts are not stored. */
export type PayoutRequest = {
  session_id: string
  payout_account_id: string
  reference_id: string
  passcode: { token: { code: string } }
}

/** Opens a payout session. Throws 403 and 422. */
export function openPayout(
  world: World,
  ownerId: number,
  request: PayoutSessionRequest,
): PayoutSession {
  requireVerified(world, ownerId)
  const account = payoutAccount(world, ownerId, String(request.payout_account_id))
  const asked = askedMoney(request.amount, request.currency)
  const taken = operatorByMethod(account.method)?.currencies
  if (taken && !taken.includes(asked.currency)) {
    throw refused(["body", "currency"], `${account.method} cannot be paid in this currency`)
  }
  if (world.settings.walletChecks === "SESSION") {
    const wallet = merchantWallet(world, ownerId, asked.currency)
    const cost = figures(world, ownerId, asked, account).payer.minor
    requireBalance(world, wallet, cost, ["body", "amount"])
  }
  const session: PayoutSession = {
    ...newSession(world, ownerId, world.time.nowMs() + world.settings.sessionLifeMs),
    type: "PAYOUT",
    accountId: account.id,
    amountMinor: asked.minor,
    currency: asked.currency,
  }
  world.book.addSession(session)
  return session
}

/** Executes once. Repeating the same reference with the same body answers again. */
export function executePayout(
  world: World,
  ownerId: number,
  request: PayoutRequest,
): Executed<MoneyOut> {
  requireVerified(world, ownerId)
  const { session_id: sessionId, payout_account_id: accountId } = request
  if (request.passcode.token.code !== world.settings.passcode) {
    throw refused(["body", "passcode", "token", "code"], "Wrong passcode")
  }
  const isSession = isMoneyOut("PAYOUT", sessionId)
  const known = repeated(
    world,
    ownerId,
    request.reference_id,
    (execution): execution is MoneyOut =>
      isSession(execution) && String(execution.accountId) === accountId,
  )
  if (known) return known
  const session = executableSession(world, ownerId, "PAYOUT", sessionId)
  const account = payableAccount(world, ownerId, session.accountId, accountId)
  const asked = { minor: session.amountMinor, currency: session.currency }
  const { payer, payee } = figures(world, ownerId, asked, account)
  return sendOut(world, {
    reference: request.reference_id,
    session,
    wallet: merchantWallet(world, ownerId, session.currency),
    payer,
    payee,
    phone: account.phone,
    provider: account.provider,
    method: account.method,
    accountId: account.id,
  })
}

const figures = (
  world: World,
  ownerId: number,
  total: Money,
  { method }: PaymentAccount,
): { payer: Money; payee: Money } =>
  priced(world, ownerId, {
    total,
    payerCurrency: total.currency,
    feeBearer: "PAYER",
    method,
    operationType: "PAYOUT",
  })
