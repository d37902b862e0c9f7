/**
 * Closes an order that was placed before its money and not paid in time. Every source is closed and
 * seen `CANCELED`, every payment is checked once more, and then Medusa cancels the order and frees
 * its stock.
 *
 * It waits for a source that can't be closed and for money that still moves. Nothing can begin
 * meanwhile: the ledger sends nothing for an order whose time is over. Money that comes all the
 * same is late money.
 *
 * A process that dies between any two lines leaves the operation due; each step can be repeated.
 */
import { fieldsOf } from "../core/log-fields"
import { errorText } from "../core/error-text"
import { LIMITS } from "../core/limits"
import { sentence, type Message } from "../core/messages"
import {
  ofMedusa,
  hasEnded,
  hasOrderToClose,
  isNewer,
  isRecorded,
  type Operation,
} from "../core/operation"
import { nextWatchInMs } from "../core/schedule"
import { isWithoutMoney } from "../core/decide/state-words"
import type { OrderId } from "../core/ids"
import type { Gateway } from "../gateway"
import { claimOperation } from "../ledger/claim-due-operations"
import { isBehind } from "../ledger/database-mark"
import { databaseFault, isAway } from "../ledger/database-error"
import { findAllOfCollection } from "../ledger/find-operations"
import { forgetOrderWindow, giveOrderWindow } from "../ledger/order-window"
import { postponeUnasked, releaseOperation } from "../ledger/postpone-operation"
import { askExecution, askSource, closeSource } from "../engine/ask-gateway"
import { check } from "../engine/check"
import type { FlowDeps } from "../engine/deps"
import { gatewayFor } from "../engine/gateway-for"
import { postponedIfBusy } from "../engine/one-at-a-time"
import { openOf } from "../engine/open-amount"
import { pauseIfAsked } from "../engine/pause-checks"
import { persist } from "../engine/persist"
import { decidedByPayment, decideOrderEnd } from "./rules/order-end"

/** The caller holds the operation by lease, and it `hasOrderToClose`; the lease is given back. */
export async function closeUnpaidOrder(deps: FlowDeps, held: Operation): Promise<void> {
  // A payment that the database has lost may have paid the order.
  if (await isBehind(deps.database)) return wait(deps, held, BEHIND)
  const operations = await paymentsOfOrder(deps, held)
  const decided = decidedByPayment(operations)
  if (decided !== undefined) {
    await copyWindow(deps, held, operations)
    return done(deps, held, "order_left", decided)
  }
  const closer = closerOf(operations, held)
  if (closer.id !== held.id) {
    return wait(deps, held, { code: "order_closed_by", facts: { operation: closer.id } })
  }
  const found = await closeSources(deps, held, operations)
  if (found === "given back") return
  if (found !== NOTHING) return wait(deps, held, found.again)
  await cancelUnpaid(deps, held)
}

/**
 * All payments of the order, newest first: it may have several payment collections, and money may
 * move for each.
 */
async function paymentsOfOrder(deps: FlowDeps, held: Operation): Promise<Operation[]> {
  const own = ofMedusa(held).paymentCollectionId
  const others = held.orderId === null ? [] : await deps.medusa.collectionsOfOrder(held.orderId)
  const ids = [...new Set([own, ...others])]
  const found = await Promise.all(ids.map((id) => findAllOfCollection(deps.database, id)))
  return found.flat().sort((one, other) => (isNewer(one, other) ? -1 : 1))
}

/**
 * Only one of the order's payments closes it. Two cancellations at the same moment could free the
 * stock twice, or, where the second fails, reserve it again for a cancelled order.
 */
function closerOf(operations: readonly Operation[], held: Operation): Operation {
  const isDue = (one: Operation) => one.id === held.id || one.nextCheckAt !== null
  return operations.find((one) => hasOrderToClose(one) && isDue(one)) ?? held
}

/** A payment that began just as the order was placed may not have the order's time limit yet. */
async function copyWindow(
  deps: FlowDeps,
  { orderId }: Operation,
  operations: readonly Operation[],
): Promise<void> {
  // A paid order asks for more only after an edit, and that payment has its own time limit.
  if (orderId === null || operations.some(isRecorded)) return
  const without = operations.filter(({ windowEndsAt }) => windowEndsAt === null)
  for (const paymentCollectionId of new Set(
    without.map((one) => ofMedusa(one).paymentCollectionId),
  )) {
    await giveOrderWindow(deps.database, { paymentCollectionId, orderId, windowMs: 0 })
  }
}

/** It is sure that no money came and that none can come. */
const NOTHING = "nothing"
const NO_CREDENTIALS: Message = { code: "no_credentials" }
const BEHIND: Message = { code: "database_behind" }

type Found = typeof NOTHING | "given back" | { readonly again: Message }

/** Closes the sources that are open, and checks once more every payment that was sent. */
async function closeSources(
  deps: FlowDeps,
  held: Operation,
  operations: readonly Operation[],
): Promise<Found> {
  // Money that was given back does not belong to this order any more.
  const returned = operations.filter(({ returnedAt }) => returnedAt !== null)
  const ended = operations.filter(
    (one) => hasEnded(one) && !returned.some(({ sourceId }) => sourceId === one.sourceId),
  )
  const sent = ended.filter(({ submittedAt }) => submittedAt !== null)
  const closed = new Set<number>()
  // If two payments shared a source, its money belongs to the one that was sent: that one is first.
  for (const operation of [...sent, ...ended.filter((one) => !sent.includes(one))]) {
    const { sourceId } = operation
    if (sourceId === null || operation.sourceStatus === "CANCELED") continue
    const gateway = await gatewayFor(deps, operation)
    if (!gateway) return { again: NO_CREDENTIALS }
    const found = closed.has(sourceId) ? NOTHING : await closeOne(deps, gateway, held, operation)
    if (found !== NOTHING) return found
    closed.add(sourceId)
    await persist(deps.database, operation, {
      event: { note: "source_closed" },
      code: "source_closed",
      changes: { sourceStatus: "CANCELED" },
    })
  }
  for (const operation of sent) {
    const gateway = await gatewayFor(deps, operation)
    if (!gateway) return { again: NO_CREDENTIALS }
    const found = await checkOnceMore(deps, gateway, held, operation)
    if (found !== NOTHING) return found
  }
  return NOTHING
}

async function closeOne(
  deps: FlowDeps,
  gateway: Gateway,
  held: Operation,
  operation: Operation,
): Promise<Found> {
  await deps.budget.take(operation.accountId)
  await deps.budget.take(operation.accountId)
  const { finding } = await closeSource(gateway, operation)
  await pauseIfAsked(deps, operation.accountId, finding)
  if (finding.kind === "absent" && isLongOver(held)) return NOTHING
  if (finding.kind !== "seen") return { again: { code: "no_answer" } }
  if (finding.status === "CANCELED") return NOTHING
  const reads: Found = { again: { code: "source_reads", facts: { source: finding.status } } }
  if (finding.status !== "PAID") return reads
  return checkPaid(deps, gateway, held, operation, reads)
}

/** Checks a payment again once nothing new can come: an order with money must not be cancelled. */
async function checkOnceMore(
  deps: FlowDeps,
  gateway: Gateway,
  held: Operation,
  operation: Operation,
): Promise<Found> {
  await deps.budget.take(operation.accountId)
  const { finding } =
    operation.reference === null
      ? await askSource(gateway, operation)
      : await askExecution(gateway, operation.reference)
  // The gateway answers 404 about a sending that never landed, not about one that it once knew.
  const isForgotten = operation.state === "expired" || isLongOver(held)
  if (finding.kind === "absent" && isForgotten) return NOTHING
  if (finding.kind !== "seen") return { again: { code: "no_answer" } }
  const isOver =
    operation.reference === null ? finding.status === "CANCELED" : isWithoutMoney(finding.status)
  if (isOver) return NOTHING
  const isPaid = finding.status === (operation.reference === null ? "PAID" : "COMPLETED")
  const facts = { operation: operation.id, execution: finding.status }
  const reads: Found = { again: { code: "execution_reads", facts } }
  if (!isPaid) return reads
  return checkPaid(deps, gateway, held, operation, reads)
}

/** Checks a payment that turned out paid. If another worker holds it, that worker sees the same. */
async function checkPaid(
  deps: FlowDeps,
  gateway: Gateway,
  held: Operation,
  operation: Operation,
  reads: Found,
): Promise<Found> {
  const isHeld = operation.id === held.id
  const mine = isHeld ? held : await claimOperation(deps.database, operation.id, LIMITS.leaseMs)
  if (mine) await check(deps, gateway, mine, { medusa: deps.medusa })
  return isHeld ? "given back" : reads
}

/** A single 404 proves nothing; one that comes so long after the order's time ended does. */
function isLongOver(held: Operation): boolean {
  return overMs(held) >= LIMITS.neverLandedAfterMs
}

function overMs({ readAt, windowEndsAt }: Operation): number {
  return readAt.getTime() - (windowEndsAt ?? readAt).getTime()
}

/** Reads the ledger and Medusa a last time, and cancels the order. */
async function cancelUnpaid(deps: FlowDeps, held: Operation): Promise<void> {
  const { paymentCollectionId } = ofMedusa(held)
  const order = await deps.medusa.order(paymentCollectionId)
  const operations = await paymentsOfOrder(deps, held)
  const asks = order && !order.isCanceled ? await deps.medusa.openOrder(order.id) : undefined
  const isNothingOpen = asks !== undefined && openOf(asks) === undefined
  const end = decideOrderEnd(operations, order && { ...order, isNothingOpen })
  if (end.kind === "forget") {
    await forgetOrderWindow(deps.database, paymentCollectionId)
    return releaseOperation(deps.database, held)
  }
  if (end.kind === "leave") {
    if (end.isForPerson) {
      deps.logger.warn(
        `merchant payments: order ${order?.id ?? ""} was not paid in time and is left: ` +
          sentence("event", end.message.code, end.message.facts),
        fieldsOf(held, end.message.code),
      )
    }
    return done(deps, held, "order_left", end.message)
  }
  if (!order) return releaseOperation(deps.database, held)
  // A standby may have taken over while the gateway was asked.
  if (await isBehind(deps.database)) return wait(deps, held, BEHIND)
  const closing = await persist(deps.database, held, {
    event: { note: "order_closing" },
    code: "order_unpaid",
    facts: { order_id: order.id },
  })
  if (!closing) return
  try {
    await deps.medusa.cancelOrder(order.id)
    const after = await deps.medusa.order(paymentCollectionId)
    if (after && !after.isCanceled) throw new Error("Medusa does not show the order as cancelled")
  } catch (error) {
    if (isAway(databaseFault(error))) throw error
    return retryLater(deps, closing, order.id, error)
  }
  await done(deps, closing, "order_closed", { code: "order_unpaid" })
  const said = `merchant payments: order ${order.id} was not paid in time and is cancelled`
  deps.logger.info(said, fieldsOf(held, "order_unpaid"))
}

async function retryLater(
  deps: FlowDeps,
  held: Operation,
  orderId: OrderId,
  error: unknown,
): Promise<void> {
  if (await postponedIfBusy(deps.database, held, error)) return
  const message = errorText(error)
  const inMs = LIMITS.settleRetryMs[held.settleAttempts]
  const refused = {
    code: "medusa_refused",
    facts: { tries: held.settleAttempts + 1, detail: message },
  } as const
  if (inMs === undefined) {
    deps.logger.error(
      `merchant payments: order ${orderId} was not paid in time, and Medusa does not cancel it; ` +
        `an admin has to look at it: ${message}`,
      fieldsOf(held, refused.code),
    )
    return done(deps, held, "order_left", refused)
  }
  await persist(deps.database, held, {
    event: { note: "order_close_refused" },
    ...refused,
    changes: { settleAttempts: held.settleAttempts + 1 },
    next: { inMs },
    lease: "release",
  })
}

/** Waits; the next check starts from the beginning. After days the log asks for an admin. */
async function wait(deps: FlowDeps, held: Operation, message: Message): Promise<void> {
  if (overMs(held) >= LIMITS.watchForMs) {
    deps.logger.error(
      `merchant payments: order ${held.orderId ?? ""} was not paid in time and can't be closed; ` +
        `cancel it by hand: ${sentence("event", message.code, message.facts)}`,
      fieldsOf(held, message.code),
    )
    return done(deps, held, "order_left", message)
  }
  const slowerMs = Math.max(
    LIMITS.orderCloseRetryMs,
    overMs(held) * LIMITS.orderCloseBackoffFraction,
  )
  const inMs = Math.min(LIMITS.orderCloseRetryCapMs, slowerMs)
  await postponeUnasked(deps.database, held, inMs)
}

/** Notes that the order is dealt with. What was sent, or could still be paid, is watched on. */
async function done(
  deps: FlowDeps,
  held: Operation,
  note: string,
  { code, facts = {} }: Message,
): Promise<void> {
  const state = held.state === "failed" ? "failed" : "expired"
  const isWatched =
    held.submittedAt !== null || (held.sourceId !== null && held.sourceStatus !== "CANCELED")
  const inMs = !isWatched ? undefined : nextWatchInMs(state, held.checks, deps.random.fraction())
  await persist(deps.database, held, {
    event: { note },
    code,
    facts,
    changes: { windowDoneAt: true },
    next: inMs === undefined ? "never" : { inMs },
    lease: "release",
  })
}
