/**
 * Medusa's `cancel-order` refunds first and ignores a refund that is refused: the order would read
 * canceled and refunded while nothing went back (H24). So cancelling is refused while the refund
 * that it needs can't be sent.
 *
 * The gateway may still go away before Medusa's refund. A refund that Medusa then shows without
 * money behind it is repaired afterwards.
 */
import type { OrderId } from "../core/ids"
import { compareDecimals, isBelowSmallestUnit } from "../core/money"
import type { Operation } from "../core/operation"
import { amountFact, refusal } from "../core/refusal"
import {
  findAllOfCollection,
  findMoneyOfOrder,
  findMoneyOfSession,
} from "../ledger/find-operations"
import type { FlowDeps } from "../engine/deps"
import type { MedusaPaid } from "../engine/medusa-port"
import { knownOf, medusaKeyOf } from "../refunds/deliver-refund-to-medusa"
import { assertEndedStayed, isSecondAdminNeeded, readyToSend } from "../refunds/may-refund"
import { isRefundAsked } from "../refunds/rules/decide-delivery"
import { isOnItsWay, existingOf } from "../refunds/rules/adopt-refund"
import { isOfRest } from "../refunds/rules/refund-amount"
import { findCollectedFor, findRefundsOf } from "../refunds/sql/find-refunds"
import { findRefundBasis } from "../refunds/sql/reserve-refund"

/**
 * @throws Refusal `payment_in_progress`, `under_review`, `refund_in_progress`,
 *   `payment_intent_unknown`, `payment_intent_taken`, `refund_unclear`, `refund_too_much`,
 *   `not_configured`, `gateway_unavailable`, `refund_needs_second_admin`
 */
export async function refuseOrderCancel(deps: FlowDeps, orderId: OrderId): Promise<void> {
  const [money, before] = await Promise.all([
    moneyOf(deps, orderId),
    deps.medusa.paidOfOrder(orderId),
  ])
  for (const operation of money) {
    refuseUnsettled(operation)
    await refuseWhileAsked(deps, operation)
  }
  const paid = await deps.medusa.paidOfOrder(orderId)
  // A click that came or was refused while its row was looked for.
  if (leftIn(paid) !== leftIn(before)) throw refusal("refund_in_progress")
  const left = paid.filter(({ leftAmount }) => (compareDecimals(leftAmount, "0") ?? 1) > 0)
  for (const payment of left) await refuseUnsendable(deps, payment)
}

function refuseUnsettled({ state, recordedAt, isDuplicate }: Operation): void {
  // A duplicate payment is not in Medusa: cancelling the order leaves it where it is.
  if (isDuplicate) return
  if (state === "review") throw refusal("under_review")
  if (recordedAt === null) throw refusal("payment_in_progress")
}

const leftIn = (paid: readonly MedusaPaid[]): string =>
  paid
    .map(({ sessionId, leftAmount }) => `${sessionId} ${leftAmount}`)
    .sort()
    .join()

/** A click that is refused later would leave its money on an order that Medusa has cancelled. */
async function refuseWhileAsked(deps: FlowDeps, payment: Operation): Promise<void> {
  const known = await knownOf(deps, medusaKeyOf({ ...payment, medusaRefundId: null }))
  if (known && isRefundAsked(known)) throw refusal("refund_in_progress")
}

/** Refuses if a refund of all that Medusa's rows do not show as given back can't be sent. */
async function refuseUnsendable(deps: FlowDeps, payment: MedusaPaid): Promise<void> {
  const { leftAmount: medusaAmount, capturedAmount } = payment
  const [operation] = await findCollectedFor(deps.database, payment.sessionId)
  const basis = operation && (await findRefundBasis(deps.database, operation.id))
  if (basis && (await isAskedForAlready(deps, basis.parent, medusaAmount))) return
  if (!operation && (await isOfNothing(deps, payment))) return
  if (!basis || basis.parent.returnedAt) throw refusal("refund_unavailable")
  const ready = await readyToSend(deps, basis, { medusaAmount, capturedAmount })
  if (ready === "nothing_to_send") return
  await assertEndedStayed(deps, basis.parent.id)
  // Medusa would ignore that a second admin has to agree. After a refund, cancelling asks for none.
  if (await isSecondAdminNeeded(deps.database, basis.parent, ready.amount)) {
    throw refusal("refund_needs_second_admin.order", { amount: amountFact(ready.amount) })
  }
}

/** Whether the payment is a rest below the smallest unit, for which no money was asked. */
async function isOfNothing(
  deps: FlowDeps,
  { sessionId, leftAmount }: MedusaPaid,
): Promise<boolean> {
  const session = await deps.medusa.session(sessionId)
  return session !== undefined && isBelowSmallestUnit({ ...session, amount: leftAmount })
}

/**
 * Whether the refund is already on its way, so that Medusa would only record it.
 *
 * @throws Refusal while Medusa does not show another refund of the payment: cancelling would ask
 *   for its money once more
 */
async function isAskedForAlready(
  deps: FlowDeps,
  payment: Operation,
  amount: string,
): Promise<boolean> {
  const refunds = await findRefundsOf(deps.database, payment.id)
  const shown = await deps.medusa.shown(
    refunds.flatMap(({ medusaRefundId }) => medusaRefundId ?? []),
  )
  const isShown = ({ medusaRefundId }: Operation) => shown.has(medusaRefundId)
  const click = { rowId: undefined, amount, ageMs: 0 }
  if (refunds.some((refund) => existingOf(refund, click, isShown(refund)) === "adopt")) return true
  for (const refund of refunds) {
    if (refund.isDuplicate || refund.state === "failed" || refund.state === "expired") continue
    // Medusa has no part in the refund of money above the amount that was asked for.
    if (isOfRest(refund)) continue
    if (isOnItsWay(refund) && isShown(refund) && refund.answeredAt) continue
    if (refund.state !== "review") throw refusal("refund_in_progress")
    throw refusal("under_review.refund")
  }
  return false
}

/**
 * Finds the order's money through Medusa, too: the ledger's rows do not name an order that was
 * placed before its money.
 */
async function moneyOf(deps: FlowDeps, orderId: OrderId): Promise<Operation[]> {
  const [collections, sessions, own] = await Promise.all([
    deps.medusa.collectionsOfOrder(orderId),
    deps.medusa.paidSessionsOfOrder(orderId),
    findMoneyOfOrder(deps.database, orderId),
  ])
  const found = await Promise.all([
    ...collections.map((id) => findAllOfCollection(deps.database, id)),
    ...sessions.map(async (id) => [await findMoneyOfSession(deps.database, id)]),
  ])
  return [own, ...found.flat()].flatMap((operation) =>
    operation && isMoney(operation) ? operation : [],
  )
}

function isMoney({ state, returnedAt }: Operation): boolean {
  return (state === "completed" || state === "review") && returnedAt === null
}
