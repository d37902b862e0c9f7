/**
 * Money of a customer that waits in review. Accepted, it is completed and due, and the job brings it into
 * its cart or order as any other; so what Medusa would refuse is found out before, not after. Refunded, it
 * stays in review until the gateway says that it went back. Dismissed, it is settled outside: what can
 * still be paid is closed and watched as after any other end, and money that comes then waits anew.
 */
import { exactMoneyFromMajor, majorText, sameMoney, type Money } from "../../core/money"
import type { Operation } from "../../core/operation"
import { Refusal } from "../../core/refusal"
import { advanceOperation, type Advance, type Changes } from "../../ledger/advance-operation"
import { brokenRule } from "../../ledger/database"
import {
  findAllOfCollection,
  findLiveBeside,
  findLiveOfCollection,
} from "../../ledger/find-operations"
import type { FlowDeps } from "../deps"
import { foreseeSettlement } from "../settle-collection"
import { showOutcome } from "../show-outcome"
import { askNow, factsOf, readNow, type GatewayNow } from "./ask-now"
import { giveBack } from "./give-back"
import type { Resolution, Resolved } from "./resolve"

type Reads = Extract<GatewayNow, { kind: "reads" }>

export async function acceptCollection(
  deps: FlowDeps,
  operation: Operation,
  resolution: Resolution,
): Promise<Resolved> {
  const { note, adminId } = resolution
  const now = await readNow(deps, operation)
  const total = paidTotal(now)
  if (!sameMoney(total, operation.amount)) throw amountDiffers(operation, total)
  await refuseWhatWouldStrand(deps, operation, resolution)
  const written = await unlessLive(deps, operation, () =>
    commit(deps, operation, {
      event: "accept",
      why: note,
      facts: { by: adminId, ...factsOf(now), reason: operation.reason },
      changes: {
        surplus: false,
        collectedMinor: total.minor,
        ...sourceOf(now),
        reason: null,
        settleAttempts: 0,
        checks: 0,
        checkedAt: true,
        contradictedAt: false,
        failedAt: false,
        absentAt: false,
      },
      next: { inMs: 0 },
      lease: "release",
    }),
  )
  return written ? now : "moved"
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
      why: "the gateway says what came",
      facts: { by: adminId, ...factsOf(now) },
      changes: { collectedMinor: taken.minor, ...sourceOf(now) },
    })
  }
  if (!held) return "moved"
  await giveBack(deps, held, { note, adminId })
  return now
}

export async function dismissCollection(
  deps: FlowDeps,
  operation: Operation,
  { note, adminId }: Resolution,
): Promise<Resolved> {
  const now = await askToDismiss(deps, operation)
  if (now.kind === "reads" && now.isMoving) {
    throw new Refusal(
      "payment_in_progress",
      "It is being paid at this moment. Nothing was changed. Try again once it has ended.",
      { payment: null, reads: factsOf(now) },
    )
  }
  const written = await commit(deps, operation, {
    event: "dismiss",
    why: note,
    facts: { by: adminId, ...factsOf(now), reason: operation.reason },
    changes: {
      ...moneyOf(operation, now),
      ...sourceOf(now),
      closing: "canceled",
      // The look that closes its source is none of the watch's.
      checks: -1,
      dismissedAt: true,
    },
    next: canStillCome(operation, now) ? { inMs: 0 } : "never",
    lease: "release",
  })
  if (written && !written.surplus) await showOutcome(deps, written)
  return written ? now : "moved"
}

async function commit(
  deps: FlowDeps,
  operation: Operation,
  decision: Advance,
): Promise<Operation | undefined> {
  deps.failpoints.at("resolve.before_commit")
  const written = await advanceOperation(deps.database, operation, decision)
  deps.failpoints.at("resolve.committed")
  return written
}

/** Where nobody can answer, or nobody has for days, a person's word is all there is. */
function askToDismiss(deps: FlowDeps, operation: Operation): Promise<GatewayNow> {
  const { reason, sourceId, reference } = operation
  const isUnanswerable =
    reason === "no_answer" || reason === "credentials" || (sourceId === null && reference === null)
  return isUnanswerable ? askNow(deps, operation) : readNow(deps, operation)
}

/** @throws Refusal `not_paid` */
function paidTotal(now: Reads): Money {
  if (now.isPaid && now.total) return now.total
  const reads = [now.execution, now.source].filter((word) => word !== null).join(", ")
  throw new Refusal(
    "not_paid",
    `The gateway does not say now that this is paid: it reads ${reads || "nothing"}. ` +
      "Nothing was changed.",
    { reads: factsOf(now) },
  )
}

/** @throws Refusal `refund_amount_changed` */
function refuseUnexpected(taken: Money, expected: number | undefined): void {
  const { currency } = taken
  const shown = expected === undefined ? taken : exactMoneyFromMajor(expected, currency)
  if (shown && sameMoney(shown, taken)) return
  const amount = majorText(taken)
  throw new Refusal(
    "refund_amount_changed",
    `The gateway says now that ${amount} ${currency} was paid, which is not the amount that was ` +
      "confirmed. Nothing was sent. Confirm that amount, if it is what should go back.",
    { amount, currency },
  )
}

function amountDiffers(operation: Operation, total: Money): Refusal {
  const { amount } = operation
  return new Refusal(
    "amount_differs",
    `${majorText(total)} ${total.currency} was paid, and ${majorText(amount)} ${amount.currency} ` +
      "was asked for. Nothing was changed.",
    { paid: majorText(total), currency: total.currency, asked: majorText(amount) },
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
    throw new Refusal(
      "not_its_order",
      "Money goes onto the cart or order that it was paid for, or back. Nothing was changed.",
      { cart_id: own.cart, order_id: own.order },
    )
  }
  const beside = await findBeside(deps, operation)
  if (beside) throw anotherLive(beside)
  if (settlement.kind !== "strand") return
  const { reason, why } = settlement
  if (reason === "order_canceled") {
    throw new Refusal("order_closed", "Its order is cancelled. Give the money back.", {
      payment: null,
    })
  }
  const code =
    reason === "cart_changed"
      ? "amount_differs"
      : reason === "another_payment"
        ? "another_payment_live"
        : "cannot_be_settled"
  throw new Refusal(code, `It can't be put onto its order: ${why}. Nothing was changed.`, {
    reason,
  })
}

/**
 * What pays the same cart by another collection, or has paid this one before, be it given back since:
 * the payment that Medusa holds of the session is that one's, and must not be taken for this money.
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

/** The database says whether another holds the collection, not a read before. */
async function unlessLive(
  deps: FlowDeps,
  operation: Operation,
  write: () => Promise<Operation | undefined>,
): Promise<Operation | undefined> {
  try {
    return await write()
  } catch (error) {
    if (brokenRule(error) !== "one_live_collection_per_payment_collection") throw error
    throw anotherLive(await findLiveOfCollection(deps.database, operation.paymentCollectionId))
  }
}

function anotherLive(other: Operation | undefined): Refusal {
  return new Refusal(
    "another_payment_live",
    "Another payment of the same cart or order is live. Nothing was changed.",
    { operation_id: other?.id ?? null },
  )
}

/** What the person saw of it: the same money, found again, is no news. In another currency it is none. */
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
