/**
 * Refunds: money of a completed collection goes back to its payer (contract notes, section 3). Fees
 * are not refunded: the wallet pays the whole amount. The source stays `PAID`.
 *
 * What is left of a collection is checked when the session is opened and again when it is executed,
 * because two sessions may be open at once. A failed refund that turns out completed later is not
 * stopped by that check; money then went back twice, and the book shows it.
 */
import type { MoneyOut } from "../book/money-records"
import type { Execution, RefundSession } from "../book/records"
import { dividedHalfUp, type Money } from "../money"
import { notFound, refused, wrongState } from "../problem"
import type { World } from "../world"
import { billedOf } from "./documents"
import { repeated, type Executed } from "./executions"
import { requireVerified } from "./gates"
import { isMoneyOut, sendOut } from "./money-out"
import { askedMinor, chosenExpiryMs, executableSession, newSession } from "./sessions"
import { stepAt } from "./timeline"
import { merchantWallet, requireBalance } from "./wallets"

export type RefundSessionRequest = {
  original_payment_intent_id: number
  amount: number
  reason?: string | null
  expires_at: string
}

export type RefundRequest = { session_id: string; reference_id: string }

/** Opens a refund session. Throws 403, 404 for an intent of another merchant, and 422. */
export function openRefund(
  world: World,
  ownerId: number,
  request: RefundSessionRequest,
): RefundSession {
  requireVerified(world, ownerId)
  const intentId = request.original_payment_intent_id
  const original = completedCollection(world, ownerId, intentId, "original_payment_intent_id")
  const { currency } = refundableOf(world, original)
  const amountMinor = askedMinor(request.amount, currency)
  requireLeft(world, original, amountMinor, "amount")
  const expiresAtMs = chosenExpiryMs(world, request.expires_at)
  const { payer } = figuresOfRefund(world, original, amountMinor)
  if (world.settings.walletChecks === "SESSION") {
    const wallet = merchantWallet(world, ownerId, payer.currency)
    requireBalance(world, wallet, payer.minor, ["body", "amount"])
  }
  const session: RefundSession = {
    ...newSession(world, ownerId, expiresAtMs),
    type: "REFUND",
    originalPaymentIntentId: intentId,
    amountMinor,
    currency,
    reason: request.reason ?? null,
  }
  world.book.addSession(session)
  return session
}

/** Executes once. Repeating the same reference with the same body answers again. */
export function executeRefund(
  world: World,
  ownerId: number,
  request: RefundRequest,
): Executed<MoneyOut> {
  requireVerified(world, ownerId)
  const { session_id: sessionId, reference_id: reference } = request
  const known = repeated(world, ownerId, reference, isMoneyOut("REFUND", sessionId))
  if (known) return known
  const session = executableSession(world, ownerId, "REFUND", sessionId)
  const { originalPaymentIntentId } = session
  const original = completedCollection(world, ownerId, originalPaymentIntentId, "session_id")
  requireLeft(world, original, session.amountMinor, "session_id")
  const { payer, payee } = figuresOfRefund(world, original, session.amountMinor)
  return sendOut(world, {
    reference,
    session,
    wallet: merchantWallet(world, ownerId, payer.currency),
    payer,
    payee,
    phone: original.phone,
    provider: original.provider,
    method: original.method,
    originalReference: original.reference,
  })
}

/**
 * The most that a collection's refunds may add up to, in the currency that refunds are asked in.
 */
export function refundableOf(world: World, original: Execution): Money {
  switch (world.settings.refundCurrency) {
    case "PAYER":
      return { minor: original.payerMinor, currency: original.payerCurrency }
    case "PAYEE":
      return { minor: original.payeeMinor, currency: original.payeeCurrency }
    case "SOURCE":
      return sourceTotalOf(world, original)
  }
}

/**
 * The sums of completed refunds and of those under way, in the same currency. Failed ones do not
 * count.
 */
export function refundedOf(world: World, original: Execution) {
  const nowMs = world.time.nowMs()
  let completedMinor = 0
  let pendingMinor = 0
  for (const { steps, askedMinor: minor } of world.book.money.refundsOf(original.reference)) {
    const { status } = stepAt(steps, nowMs)
    if (status === "COMPLETED") completedMinor += minor
    else if (status !== "FAILED") pendingMinor += minor
  }
  return { completedMinor, pendingMinor }
}

/** The collection of a payment intent id, made by the API or on the hosted page. */
export const collectionOf = (world: World, paymentIntentId: number): Execution | undefined =>
  [...world.book.executions.values()].find(
    (execution) => execution.paymentIntentId === paymentIntentId,
  )

function completedCollection(
  world: World,
  ownerId: number,
  intentId: number,
  field: string,
): Execution {
  const original = collectionOf(world, intentId)
  if (original?.ownerId !== ownerId) throw notFound("Payment intent")
  const { status } = stepAt(original.steps, world.time.nowMs())
  if (status !== "COMPLETED") {
    throw wrongState(["body", field], `The collection is ${status}, not COMPLETED`)
  }
  return original
}

function requireLeft(world: World, original: Execution, amountMinor: number, field: string): void {
  const { minor: originalMinor } = refundableOf(world, original)
  const { completedMinor, pendingMinor } = refundedOf(world, original)
  const rule = world.settings.partialRefunds
  const takenMinor = rule === "UNCAPPED" ? 0 : completedMinor + pendingMinor
  if (rule === "ONCE" && takenMinor > 0) {
    throw wrongState(["body", field], "The collection was refunded already")
  }
  if (amountMinor > originalMinor - takenMinor) {
    throw refused(["body", field], "More than what is left of the collection")
  }
}

/** The wallet pays in the source's currency, the payer gets theirs, at the rate of the payment. */
function figuresOfRefund(
  world: World,
  original: Execution,
  askedMinor: number,
): { payer: Money; payee: Money } {
  const whole = refundableOf(world, original)
  const { completedMinor, pendingMinor } = refundedOf(world, original)
  const takenMinor = completedMinor + pendingMinor
  const shareIn = (target: Money): Money => {
    if (target.currency === whole.currency) return { ...target, minor: askedMinor }
    // Rounds running sums, so that the parts always add up to the whole.
    const upTo = (minor: number) =>
      dividedHalfUp(BigInt(target.minor) * BigInt(minor), BigInt(whole.minor))
    const minor = upTo(takenMinor + askedMinor) - upTo(takenMinor)
    if (minor < 1) throw refused(["body", "amount"], `Too small an amount in ${target.currency}`)
    return { ...target, minor }
  }
  return {
    payer: shareIn(sourceTotalOf(world, original)),
    payee: shareIn({ minor: original.payerMinor, currency: original.payerCurrency }),
  }
}

function sourceTotalOf(world: World, original: Execution): Money {
  const document = world.book.documents.get(original.sourceId)
  if (!document) throw notFound("Source")
  return billedOf(document, original)
}
