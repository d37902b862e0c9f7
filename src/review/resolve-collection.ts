/**
 * Money of a customer that waits in review. Accepted, it is completed and due, and the job brings
 * it into its cart or order as any other; so what Medusa would refuse is found out before, not
 * after. Refunded, it stays in review until the gateway says that it went back. Dismissed, it is
 * settled outside: what can still be paid is closed and watched as after any other end, and money
 * that comes then waits anew.
 */
import { exactMoneyFromMajor, sameMoney, type Money } from "../core/money"
import type { Operation } from "../core/operation"
import { amountFact, refusal, type Refusal } from "../core/refusal"
import { advanceOperation, type Changes } from "../ledger/advance-operation"
import { findAllOfCollection, findLiveBeside } from "../ledger/find-operations"
import { factsOf, readNow, type GatewayNow, type Reads } from "../engine/ask-now"
import type { FlowDeps } from "../engine/deps"
import { foreseeSettlement } from "../orders/settle-collection"
import { giveBack } from "./give-back"
import type { Resolution, Resolved, Rule } from "./resolution"

export const collectionRule: Rule = {
  async accept(deps, operation, now, resolution) {
    const total = paidTotal(now)
    if (!sameMoney(total, operation.amount)) throw amountDiffers(operation, total)
    await refuseWhatWouldStrand(deps, operation, resolution)
    return {
      changes: {
        surplus: false,
        collectedMinor: total.minor,
        ...sourceOf(now),
        settleAttempts: 0,
        contradictedAt: false,
      },
      next: { inMs: 0 },
    }
  },
  dismiss(operation, now) {
    if (now.kind === "reads" && now.isMoving) {
      throw refusal("payment_in_progress", {}, { payment: null, reads: factsOf(now) })
    }
    return {
      changes: {
        ...moneyOf(operation, now),
        ...sourceOf(now),
        closing: "canceled",
        // The check that closes its source is none of the watch's.
        checks: -1,
      },
      next: canStillCome(operation, now) ? { inMs: 0 } : "never",
      shown: ({ operation: written }) => (written.surplus ? undefined : written),
    }
  },
}

export async function refundCollection(
  deps: FlowDeps,
  operation: Operation,
  { note, adminId, expectedAmount }: Resolution,
): Promise<Resolved> {
  const now = await readNow(deps, operation)
  const taken = now.taken ?? paidTotal(now)
  refuseUnexpected(taken, expectedAmount)
  if (taken.currency !== operation.amount.currency) throw amountDiffers(operation, taken)
  let held: Operation | undefined = operation
  if (operation.collected === null || !sameMoney(operation.collected, taken)) {
    held = await advanceOperation(deps.database, operation, {
      event: { note: "money_seen" },
      code: "money_seen",
      facts: { by: adminId, ...factsOf(now) },
      changes: { collectedMinor: taken.minor, ...sourceOf(now) },
    })
  }
  if (!held) return "moved"
  await giveBack(deps, held, { note, adminId })
  return now
}

/** @throws Refusal `not_paid` */
function paidTotal(now: Reads): Money {
  if (now.isPaid && now.total) return now.total
  const reads = [now.execution, now.source].filter((word) => word !== null)
  throw refusal("not_paid", { reads }, { reads: factsOf(now) })
}

/** @throws Refusal `refund_amount_changed` */
function refuseUnexpected(taken: Money, expected: number | undefined): void {
  const { currency } = taken
  const shown = expected === undefined ? taken : exactMoneyFromMajor(expected, currency)
  if (shown && sameMoney(shown, taken)) return
  const paid = amountFact(taken)
  throw refusal("refund_amount_changed", { paid }, paid)
}

function amountDiffers(operation: Operation, total: Money): Refusal {
  const paid = amountFact(total)
  const asked = amountFact(operation.amount)
  return refusal(
    "amount_differs",
    { paid, asked },
    { paid: paid.amount, currency: paid.currency, asked: asked.amount },
  )
}

/** What the job would put straight back before a person. @throws Refusal */
async function refuseWhatWouldStrand(
  deps: FlowDeps,
  operation: Operation,
  { cartId, orderId }: Resolution,
): Promise<void> {
  const { record, settlement } = await foreseeSettlement(deps, operation)
  const own = {
    cart: record.cartId ?? operation.cartId,
    order: record.order?.id ?? operation.orderId,
  }
  if ((cartId ?? own.cart) !== own.cart || (orderId ?? own.order) !== own.order) {
    throw refusal("not_its_order", {}, { cart_id: own.cart, order_id: own.order })
  }
  const beside = await findBeside(deps, operation)
  if (beside) throw anotherLive(beside)
  if (settlement.kind !== "strand") return
  const { reason } = settlement
  if (reason === "order_canceled") {
    throw refusal("order_closed.refund", {}, { payment: null })
  }
  const key =
    reason === "cart_changed"
      ? "amount_differs.cart"
      : reason === "another_payment"
        ? "another_payment_live"
        : "cannot_be_settled"
  throw refusal(key, { reason }, { reason })
}

/**
 * What pays the same cart by another collection, or has paid this one before, be it given back
 * since: the payment that Medusa holds of the session is that one's, and must not be taken for this
 * money.
 */
async function findBeside(
  deps: FlowDeps,
  { id, cartId, orderId, paymentCollectionId: collectionId }: Operation,
): Promise<Operation | undefined> {
  const [live, own] = await Promise.all([
    findLiveBeside(deps.database, { cartId, orderId, collectionId }),
    findAllOfCollection(deps.database, collectionId),
  ])
  return (
    live.find(({ state }) => state !== "drafted") ??
    own.find((other) => other.id !== id && other.recordedAt !== null)
  )
}

export function anotherLive(other: Operation | undefined): Refusal {
  return refusal("another_payment_live", {}, { operation_id: other?.id ?? null })
}

/**
 * What the person saw of it: the same money, found again, is no news. In another currency it is
 * none.
 */
function moneyOf({ amount, collected }: Operation, now: GatewayNow): Changes {
  if (now.kind !== "reads") return {}
  if (!now.isPaid) return { collectedMinor: null }
  const { currency, minor } = now.total ?? collected ?? amount
  return { collectedMinor: currency === amount.currency ? minor : 0n }
}

/** A source that is paid takes no more money, nor does one that nobody made. */
function canStillCome({ sourceId, reference }: Operation, now: GatewayNow): boolean {
  if (sourceId === null && reference === null) return false
  return !(now.kind === "reads" && now.isPaid && now.source === "PAID")
}

function sourceOf(now: GatewayNow): Changes {
  const isSeen = now.kind === "reads" && now.total !== null && now.source !== null
  return isSeen ? { sourceStatus: now.source } : {}
}
