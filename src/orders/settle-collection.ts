/**
 * The outbox: the job records completed money in Medusa, at least once and idempotently. It reads
 * what Medusa holds before and after, and marks the operation recorded last. If the process dies in
 * between, the next one finds the facts and only marks them.
 *
 * Medusa links an order before it asks for the money, and undoes the order after a refusal. So an
 * order counts only once no completion of its cart runs (`settledRecord`); completing waits for the
 * same lock. A capture whose order was undone all the same goes into the new order or is removed.
 *
 * Money that Medusa can't take is tried again and then stranded: held in review with the reason,
 * never lost and never put onto another order. A refusal is an answer and strands within a minute;
 * faults of the database and time-outs are tried again with growing pauses.
 */
import { fieldsOf } from "../core/log-fields"
import { errorText } from "../core/error-text"
import { LIMITS } from "../core/limits"
import type { Message } from "../core/messages"
import { isMajorOf } from "../core/money"
import { ofMedusa, isSessionFor, type Operation, type ReviewReason } from "../core/operation"
import { ageIfNewest, factsOfNewest } from "../ledger/find-events"
import { postponeUnasked, releaseOperation } from "../ledger/postpone-operation"
import type { FlowDeps } from "../engine/deps"
import {
  MedusaRefusal,
  isSpentStatus,
  type MedusaRecord,
  type MedusaSession,
} from "../engine/medusa-port"
import { paymentsOf } from "../engine/medusa-holds"
import { postponedIfBusy } from "../engine/one-at-a-time"
import { fitOf, isLeftOver, type Fit } from "../engine/open-amount"
import { alertReview, persist } from "../engine/persist"
import { noteFailure } from "../telemetry/correlation"
import { settleSpan } from "../telemetry/spans"
import { rebindOperation } from "../checkout/sql/rebind-operation"
import { kindOfMedusaError, sameWords, type MedusaErrorKind } from "./medusa-error"
import { decideSettlement, type MedusaFacts, type Settlement } from "./rules/settlement"

/**
 * The caller holds the operation by lease; it is `completed` and owed to Medusa. The lease is given
 * back.
 */
export function settleCollection(
  deps: FlowDeps,
  operation: Operation,
): Promise<Operation | undefined> {
  return settleSpan(operation, () => settle(deps, operation))
}

async function settle(deps: FlowDeps, operation: Operation): Promise<Operation | undefined> {
  let current = operation
  const { paymentCollectionId, providerId } = ofMedusa(operation)
  let record = await deps.medusa.settledRecord(paymentCollectionId, providerId)
  const replacement = replacementOf(operation, record)
  const rebound = replacement
    ? await rebindOperation(deps.database, operation, replacement.id)
    : operation
  if (!rebound) {
    // Another writer was faster: the operation stays due, and the next check reads it again.
    await releaseOperation(deps.database, operation)
    return undefined
  }
  current = rebound
  try {
    const facts = await factsOf(deps, current, record)
    const settlement = decideSettlement(facts)
    if (settlement.kind === "record") return await markRecorded(deps, current, record)
    if (settlement.kind === "strand") return await giveUp(deps, current, record, settlement)
    if (settlement.kind === "await_stock") throw new MedusaRefusal(NO_STOCK)
    await recordInMedusa(deps, current, record, settlement)
  } catch (error) {
    return await retryLater(deps, current, record, error)
  }
  record = await deps.medusa.record(paymentCollectionId, providerId)
  const after = decideSettlement(await factsOf(deps, current, record))
  if (after.kind === "record") return markRecorded(deps, current, record)
  if (after.kind === "strand") return giveUp(deps, current, record, after)
  return retryLater(deps, current, record, new Error("Medusa does not hold the money yet"))
}

/** What settling would do now, from what Medusa holds. It changes nothing. */
export async function foreseeSettlement(
  deps: Pick<FlowDeps, "medusa" | "database">,
  operation: Operation,
): Promise<{ readonly record: MedusaRecord; readonly settlement: Settlement }> {
  const payment = ofMedusa(operation)
  const record = await deps.medusa.record(payment.paymentCollectionId, payment.providerId)
  const replacement = replacementOf(payment, record)
  const rebound = replacement ? { ...payment, paymentSessionId: replacement.id } : payment
  return { record, settlement: decideSettlement(await factsOf(deps, rebound, record)) }
}

async function recordInMedusa(
  deps: FlowDeps,
  operation: Operation,
  record: MedusaRecord,
  settlement: Settlement,
): Promise<void> {
  const session = sessionOf(operation, record)
  if (!session) throw new Error("the payment session is gone")
  if (isSpentStatus(session.status)) {
    // Medusa completes no cart whose session has a spent status.
    const status = record.order ? "pending_authorization" : "pending"
    await deps.medusa.showOnSession(session, { status })
  }
  for (const { sessionId } of await undoneCaptures(deps, operation, record)) {
    await deps.medusa.dropCapture(sessionId)
  }
  if (settlement.kind === "complete_cart") {
    // complete-cart authorizes the first session of the payment collection, whatever its provider.
    const paid = record.payments.map((payment) => payment.sessionId)
    const others = record.sessions.filter(
      (other) => other.id !== session.id && !paid.includes(other.id),
    )
    await deps.medusa.deleteSessions(others.map((other) => other.id))
    if (!record.cartId) throw new Error("the payment collection has no cart")
    await deps.medusa.completeCart(record.cartId)
  } else {
    await deps.medusa.captureOnOrder(session.id, session.amount)
  }
}

async function factsOf(
  deps: Pick<FlowDeps, "medusa" | "database">,
  operation: Operation,
  record: MedusaRecord,
): Promise<MedusaFacts> {
  const session = sessionOf(operation, record)
  const payment = record.payments.find(
    (candidate) => candidate.sessionId === operation.paymentSessionId && !candidate.isCanceled,
  )
  const undone = await undoneCaptures(deps, operation, record)
  const hasSession = session !== undefined
  const cartId = hasSession && !record.order ? record.cartId : null
  const basket = cartId === null ? undefined : await deps.medusa.basketOfCart(cartId)
  const isMade = isMadeForIt(operation, record)
  const isDone = payment?.isCaptured === true && payment.isInOrder && !isMade
  const asked = record.order?.isCanceled === true || isDone ? undefined : record.order?.id
  const order = asked === undefined ? null : await deps.medusa.openOrder(asked)
  const amount = cartId === null ? record.amount : (basket?.total ?? "")
  const fit = session && fitOf(ofMedusa(operation), { amount, currency: session.currency, order })
  return {
    hasSession,
    isProviderEnabled: record.isProviderEnabled,
    isAmountEqual: fit === "fits" && hasSession && isMajorOf(operation.amount, session),
    isCaptured: payment?.isCaptured === true,
    hasForeignPayment: record.payments.some(
      (candidate) =>
        candidate.sessionId !== operation.paymentSessionId &&
        !candidate.isCanceled &&
        !undone.includes(candidate),
    ),
    order: record.order
      ? {
          isCanceled: record.order.isCanceled,
          isPaidInFull: payment?.isInOrder === true,
          isPaidOtherwise: record.order.isPaidOtherwise && fit !== undefined && TAKEN.includes(fit),
          hasOtherTotal:
            payment?.isInOrder === true && isMade && !!order && isLeftOver(operation.amount, order),
        }
      : undefined,
    hasCart: record.cartId !== null,
    soldOut: basket?.missing.includes("stock") === true ? basket.soldOut : null,
  }
}

/** The order is left with less than this money: other money has taken its place. */
const TAKEN: readonly Fit[] = ["nothing_open", "less_open", "other_payment"]

/**
 * Whether the order was made for this money. A store's hook may change it while its cart is
 * completed. Not so an order that was there before its money, or that an admin has accepted.
 */
function isMadeForIt(
  { orderId, windowEndsAt }: Operation,
  { order, cartId }: MedusaRecord,
): boolean {
  const isFirst = orderId === null && windowEndsAt === null && cartId !== null
  return isFirst && order !== null && !order.isPaidOtherwise
}

/**
 * Captures of this operation's money that are in no order: a completion failed after its capture
 * and was undone, and Medusa replaced the captured session with another (H25).
 */
async function undoneCaptures(
  deps: Pick<FlowDeps, "database">,
  operation: Operation,
  { payments }: MedusaRecord,
): Promise<MedusaRecord["payments"]> {
  const elsewhere = payments.filter(
    ({ sessionId, isCaptured, isInOrder }) =>
      isCaptured && !isInOrder && sessionId !== operation.paymentSessionId,
  )
  return paymentsOf(deps, operation, elsewhere)
}

function sessionOf(operation: Operation, record: MedusaRecord): MedusaSession | undefined {
  return record.sessions.find((session) => session.id === operation.paymentSessionId)
}

/**
 * The session that replaces the operation's own if that one is gone, as Medusa replaces sessions on
 * many occasions. Provider, amount and currency must agree, and it has no payment.
 */
function replacementOf(operation: Operation, record: MedusaRecord): MedusaSession | undefined {
  if (sessionOf(operation, record)) return undefined
  return record.sessions.find(
    (session) =>
      isSessionFor(operation, session) &&
      !record.payments.some((payment) => payment.sessionId === session.id),
  )
}

async function markRecorded(
  deps: FlowDeps,
  operation: Operation,
  record: MedusaRecord,
): Promise<Operation | undefined> {
  return persist(deps.database, operation, {
    event: { note: "recorded" },
    code: "recorded",
    changes: {
      recordedAt: true,
      orderId: record.order?.id ?? operation.orderId,
      reason: null,
      waiting: false,
    },
    next: "never",
    lease: "release",
  })
}

/** Strands the money; waits first for a missing session, because Medusa may be replacing it. */
async function giveUp(
  deps: FlowDeps,
  operation: Operation,
  record: MedusaRecord,
  stranded: Extract<Settlement, { kind: "strand" }>,
): Promise<Operation | undefined> {
  if (stranded.reason !== "session_gone") return strand(deps, operation, record, stranded)
  const missedMs = await ageIfNewest(deps.database, operation.id, SESSION_GONE)
  if (missedMs !== undefined && missedMs >= LIMITS.sessionGoneAfterMs) {
    return strand(deps, operation, record, stranded)
  }
  const inMs = LIMITS.sessionMissingRetryMs
  if (missedMs === undefined) {
    const event = { note: SESSION_GONE }
    const code = "session_missing"
    return persist(deps.database, operation, { event, code, next: { inMs }, lease: "release" })
  }
  await postponeUnasked(deps.database, operation, inMs)
  return operation
}

const SESSION_GONE = "session_gone"
const NO_STOCK = "there is not enough stock of what the cart holds"

async function strand(
  deps: FlowDeps,
  operation: Operation,
  record: MedusaRecord,
  stranded: Message & { readonly reason: ReviewReason },
): Promise<Operation | undefined> {
  const written = await persist(deps.database, operation, {
    event: "strand",
    code: stranded.code,
    ...(stranded.facts ? { facts: stranded.facts } : {}),
    changes: { reason: stranded.reason, orderId: record.order?.id ?? operation.orderId },
    next: "never",
    lease: "release",
  })
  alertReview(deps, operation, written, stranded)
  return written
}

async function retryLater(
  deps: FlowDeps,
  operation: Operation,
  record: MedusaRecord,
  error: unknown,
): Promise<Operation | undefined> {
  if (await postponedIfBusy(deps.database, operation, error)) return operation
  const attempt = operation.settleAttempts
  const kind = kindOfMedusaError(error)
  const message = errorText(error)
  noteFailure(error)
  deps.logger.warn(
    `merchant payments: ${operation.id} is paid; Medusa could not take it yet: ${message}`,
    fieldsOf(operation, "medusa_refused"),
  )
  const refused: Message = {
    code: "medusa_refused",
    facts: { tries: attempt + 1, detail: message, kind },
  }
  const isAnswered = await isLastAnswer(deps, operation, kind, message)
  const inMs = isAnswered ? undefined : LIMITS.settleRetryMs[attempt]
  if (inMs === undefined) {
    // Another completion of the cart may have recorded the money meanwhile.
    const { paymentCollectionId, providerId } = ofMedusa(operation)
    const last = await deps.medusa.settledRecord(paymentCollectionId, providerId)
    const { kind: now } = decideSettlement(await factsOf(deps, operation, last))
    if (now === "record") return markRecorded(deps, operation, last)
    return strand(deps, operation, record, { reason: "cart_not_completed", ...refused })
  }
  return persist(deps.database, operation, {
    event: { note: SETTLE_REFUSED },
    ...refused,
    changes: { settleAttempts: attempt + 1 },
    next: { inMs },
    lease: "release",
  })
}

const SETTLE_REFUSED = "settle_refused"

/**
 * Whether settling stops, because Medusa has refused `settleRefusedTries` times by a rule, or as
 * often in the same words.
 */
async function isLastAnswer(
  { database }: FlowDeps,
  { id, settleAttempts }: Operation,
  kind: MedusaErrorKind,
  message: string,
): Promise<boolean> {
  if (kind === "fault") return false
  const of = { name: SETTLE_REFUSED, limit: settleAttempts }
  const before = await factsOfNewest(database, id, of)
  const same = before.filter((facts) =>
    kind === "refused"
      ? facts["kind"] === "refused"
      : facts["kind"] !== "fault" && sameWords(String(facts["detail"]), message),
  )
  return same.length + 1 >= LIMITS.settleRefusedTries
}
