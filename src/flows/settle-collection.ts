/**
 * The outbox: money that the gateway completed is brought into Medusa, at least once and idempotently.
 * Only the job settles. It reads back what Medusa holds before and after telling it, and marks the
 * operation recorded last; a process that dies in between is followed by one that finds the facts and
 * only marks them.
 *
 * What Medusa can't take is tried again with growing pauses and then stranded: held in review with the
 * reason, never lost and never put onto another order.
 */
import { errorText } from "../core/error-text"
import { LIMITS } from "../core/limits"
import { moneyFromMajor } from "../core/money"
import type { Operation, ReviewReason } from "../core/operation"
import { decideSettlement, type HostFacts, type Settlement } from "../core/settlement"
import { releaseOperation } from "../ledger/postpone-operation"
import { rebindOperation } from "../ledger/rebind-operation"
import { alertReview } from "./alert-review"
import type { FlowDeps } from "./deps"
import type { HostRecord, HostSession } from "./host"
import { asksForAll } from "./open-amount"
import { persist } from "./persist"

/** The caller holds the operation by lease; it is `completed` and owed. The lease is given back. */
export async function settleCollection(
  deps: FlowDeps,
  operation: Operation,
): Promise<Operation | undefined> {
  let current = operation
  let record = await deps.host.record(current.paymentCollectionId, current.providerId)
  deps.failpoints.at("settle.read")
  const rebound = await rebindIfReplaced(deps, current, record)
  if (!rebound) {
    // Somebody wrote at the same moment: it stays due, and the next look reads again.
    await releaseOperation(deps.database, operation)
    return undefined
  }
  current = rebound
  try {
    const facts = await factsOf(deps, current, record)
    const settlement = decideSettlement(facts)
    if (settlement.kind === "record") return await markRecorded(deps, current, record)
    if (settlement.kind === "strand") return await strand(deps, current, record, settlement)
    deps.failpoints.at("host.before_call")
    await tellMedusa(deps, current, record, settlement)
    deps.failpoints.at("host.answered")
  } catch (error) {
    return await retryLater(deps, current, record, error)
  }
  record = await deps.host.record(current.paymentCollectionId, current.providerId)
  const after = decideSettlement(await factsOf(deps, current, record))
  if (after.kind === "record") return markRecorded(deps, current, record)
  if (after.kind === "strand") return strand(deps, current, record, after)
  return retryLater(deps, current, record, new Error("Medusa does not hold the money yet"))
}

/** What would become of it if it were settled now, from what Medusa holds. Nothing is changed. */
export async function foreseeSettlement(
  deps: Pick<FlowDeps, "host">,
  operation: Operation,
): Promise<{ readonly record: HostRecord; readonly settlement: Settlement }> {
  const record = await deps.host.record(operation.paymentCollectionId, operation.providerId)
  const heir = hasItsSession(operation, record) ? undefined : heirOf(operation, record)
  const rebound = heir ? { ...operation, paymentSessionId: heir.id } : operation
  return { record, settlement: decideSettlement(await factsOf(deps, rebound, record)) }
}

async function tellMedusa(
  deps: FlowDeps,
  operation: Operation,
  record: HostRecord,
  settlement: Settlement,
): Promise<void> {
  const session = sessionOf(operation, record)
  if (!session) throw new Error("the payment session is gone")
  if (session.status === "error" || session.status === "canceled") {
    // Medusa completes no cart with such a session.
    const status = record.order ? "pending_authorization" : "pending"
    await deps.host.showOnSession(session, { status })
  }
  if (settlement.kind === "complete_cart") {
    // complete-cart authorizes the first session of the collection, whoever's it is.
    const paid = record.payments.map((payment) => payment.sessionId)
    const others = record.sessions.filter(
      (other) => other.id !== session.id && !paid.includes(other.id),
    )
    await deps.host.deleteSessions(others.map((other) => other.id))
    deps.failpoints.at("host.sessions_deleted")
    if (!record.cartId) throw new Error("the payment collection has no cart")
    await deps.host.completeCart(record.cartId)
  } else {
    await deps.host.captureOnOrder(session.id, session.amount)
  }
}

async function factsOf(
  deps: Pick<FlowDeps, "host">,
  operation: Operation,
  record: HostRecord,
): Promise<HostFacts> {
  const session = sessionOf(operation, record)
  const payment = record.payments.find(
    (candidate) => candidate.sessionId === operation.paymentSessionId && !candidate.isCanceled,
  )
  const hasSession = session !== undefined
  const needsCartTotal = hasSession && !record.order && !payment && record.cartId !== null
  const cartTotal = needsCartTotal ? await deps.host.cartTotal(record.cartId ?? "") : undefined
  return {
    hasSession,
    isProviderEnabled: record.isProviderEnabled,
    isAmountEqual:
      hasSession &&
      isSameAmount(operation, session.amount, session.currency) &&
      (record.order === null || isSameAmount(operation, record.amount, session.currency)) &&
      (!needsCartTotal ||
        (cartTotal !== undefined && isSameAmount(operation, cartTotal, session.currency))),
    isCaptured: payment?.isCaptured === true,
    hasForeignPayment: record.payments.some(
      (candidate) => candidate.sessionId !== operation.paymentSessionId && !candidate.isCanceled,
    ),
    order: record.order
      ? {
          isCanceled: record.order.isCanceled,
          isPaidInFull: payment?.isInOrder === true,
          isPaidOtherwise:
            record.order.isPaidOtherwise && !(await asksForAll(deps, record.order.id, operation)),
        }
      : undefined,
    hasCart: record.cartId !== null,
  }
}

/** Medusa replaces sessions on many occasions; provider, amount and currency must agree. */
async function rebindIfReplaced(
  deps: FlowDeps,
  operation: Operation,
  record: HostRecord,
): Promise<Operation | undefined> {
  if (hasItsSession(operation, record)) return operation
  const heir = heirOf(operation, record)
  if (!heir) return operation
  const rebound = await rebindOperation(deps.database, operation, heir.id)
  deps.failpoints.at("rebind.committed")
  return rebound
}

function hasItsSession(operation: Operation, record: HostRecord): boolean {
  return record.sessions.some((session) => session.id === operation.paymentSessionId)
}

function heirOf(operation: Operation, record: HostRecord): HostSession | undefined {
  return record.sessions.find(
    (session) =>
      session.providerId === operation.providerId &&
      isSameAmount(operation, session.amount, session.currency) &&
      !record.payments.some((payment) => payment.sessionId === session.id),
  )
}

async function markRecorded(
  deps: FlowDeps,
  operation: Operation,
  record: HostRecord,
): Promise<Operation | undefined> {
  deps.failpoints.at("recorded.before_commit")
  const recorded = await persist(deps.database, operation, {
    event: { note: "recorded" },
    why: "Medusa holds the captured payment, and the order its money",
    changes: {
      recordedAt: true,
      orderId: record.order?.id ?? operation.orderId,
      reason: null,
      waiting: false,
    },
    next: "never",
    lease: "release",
  })
  deps.failpoints.at("recorded.committed")
  return recorded
}

async function strand(
  deps: FlowDeps,
  operation: Operation,
  record: HostRecord,
  stranded: { readonly reason: ReviewReason; readonly why: string },
): Promise<Operation | undefined> {
  deps.failpoints.at("stranded.before_commit")
  const written = await persist(deps.database, operation, {
    event: "strand",
    why: stranded.why,
    changes: { reason: stranded.reason, orderId: record.order?.id ?? operation.orderId },
    next: "never",
    lease: "release",
  })
  deps.failpoints.at("stranded.committed")
  alertReview(deps, operation, written, `it is paid, but ${stranded.why}`)
  return written
}

async function retryLater(
  deps: FlowDeps,
  operation: Operation,
  record: HostRecord,
  error: unknown,
): Promise<Operation | undefined> {
  const attempt = operation.settleAttempts
  const inMs = LIMITS.settleRetryMs[attempt]
  const message = errorText(error)
  deps.logger.warn(
    `merchant payments: ${operation.id} is paid; Medusa could not take it yet: ${message}`,
  )
  if (inMs === undefined) {
    return strand(deps, operation, record, {
      reason: "cart_not_completed",
      why: `Medusa refused ${attempt + 1} times: ${message}`,
    })
  }
  deps.failpoints.at("settle_later.before_commit")
  const postponed = await persist(deps.database, operation, {
    event: { note: "settle_refused" },
    why: `Medusa could not take the money: ${message}`,
    changes: { settleAttempts: attempt + 1 },
    next: { inMs },
    lease: "release",
  })
  deps.failpoints.at("settle_later.committed")
  return postponed
}

function sessionOf(operation: Operation, record: HostRecord): HostSession | undefined {
  return record.sessions.find((session) => session.id === operation.paymentSessionId)
}

function isSameAmount(operation: Operation, amount: string, currency: string): boolean {
  if (currency.toUpperCase() !== operation.amount.currency) return false
  return moneyFromMajor(amount, operation.amount.currency)?.minor === operation.amount.minor
}
