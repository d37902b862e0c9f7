/**
 * Decides about a customer's money in review. Accepted, the payment is completed, and the job
 * brings the money into its cart or order; so what Medusa would refuse is checked first. Refunded,
 * it stays in review until the gateway says that the money went back; if only the rest went back,
 * the job then accepts the payment.
 *
 * Dismissed, the money is settled outside. A source that can still be paid is closed and watched as
 * after any other end, and money that comes then waits for a new decision.
 */
import type { AdminId, CartId, OperationId, OrderId } from "../core/ids"
import { exactMoneyFromMajor, majorText, sameMoney, type Money } from "../core/money"
import type { Operation } from "../core/operation"
import { payerChange } from "../core/payer-change"
import type { Decision } from "../core/possibilities"
import { amountFact, refusal, type Refusal } from "../core/refusal"
import { stateWord } from "../gateway"
import { advanceOperation, type Advance, type Changes } from "../ledger/advance-operation"
import { factsOf, readNow, type GatewayNow, type Reads } from "../engine/ask-now"
import type { FlowDeps } from "../engine/deps"
import type { Written } from "../engine/kinds"
import { findLostRefund } from "../refunds/find-lost-refund"
import { decisionFactsOf } from "./decision-facts"
import { giveBack } from "./give-back"
import { soldOutFacts, whyNotTaken } from "./rules/choices"

export type Resolution = {
  readonly operationId: OperationId
  readonly action: Decision
  /** Why, in the admin's own words; kept with the event, phone numbers masked. */
  readonly note: string
  readonly adminId: AdminId
  /** For a refund, in major units: the amount that the admin was shown. No other amount is sent. */
  readonly expectedAmount?: number | undefined
  /** The cart and the order that the money is meant for. Only the payment's own are accepted. */
  readonly cartId?: CartId | undefined
  readonly orderId?: OrderId | undefined
}

/** What a decision writes beyond what every decision writes. */
export type Ruling = {
  readonly changes: Changes
  readonly next: NonNullable<Advance["next"]>
  readonly isCountedLate?: boolean
  /** More facts for the event. */
  readonly facts?: Readonly<Record<string, string>>
  /** The payment whose session in Medusa shows the outcome. */
  readonly shown?: (written: Written) => Operation | undefined
}

/** `moved`: another writer was faster; the operation has to be read and decided about again. */
export type Resolved = GatewayNow | "moved"

/** @throws Refusal where the gateway's word or Medusa forbids it */
export async function acceptCollection(
  deps: FlowDeps,
  operation: Operation,
  now: Reads,
  resolution: Resolution,
): Promise<Ruling> {
  const total = paidTotal(now)
  const isRestNoted = resolution.action === "accept_asked"
  const taken = isRestNoted ? (now.taken ?? total) : total
  if (isRestNoted ? !covers(taken, operation.amount) : !sameMoney(total, operation.amount)) {
    throw amountDiffers(operation, total)
  }
  await refuseWhatWouldStrand(deps, operation, resolution)
  // Without an answer about refunds the admin decides: the source shows the money.
  if ((await findLostRefund(deps, operation)) === "found") {
    throw refusal("refund_in_progress.lost")
  }
  return {
    changes: {
      isDuplicate: false,
      ...(operation.reservedRefundMinor > 0n ? {} : { collectedMinor: taken.minor }),
      ...sourceOf(operation, now),
      settleAttempts: 0,
      contradictedAt: false,
    },
    next: { inMs: 0 },
    ...(isRestNoted ? { facts: { total: textOf(total), taken: textOf(taken) } } : {}),
  }
}

/** @throws Refusal `payment_in_progress` while the money moves */
export function dismissCollection(operation: Operation, now: GatewayNow): Ruling {
  if (now.kind === "reads" && now.isMoving) {
    throw refusal("payment_in_progress", {}, { payment: null, reads: factsOf(now) })
  }
  return {
    changes: {
      ...moneyOf(operation, now),
      ...sourceOf(operation, now),
      closing: "canceled",
      // The check that closes the source does not count for the watch.
      checks: -1,
    },
    next: canStillCome(operation, now) ? { inMs: 0 } : "never",
    shown: ({ operation: written }) => (written.isDuplicate ? undefined : written),
  }
}

/** Gives back all that is left of the money, or only the part above the asked amount. */
export async function refundCollection(
  deps: FlowDeps,
  operation: Operation,
  resolution: Resolution,
): Promise<Resolved> {
  const { action, note, adminId, expectedAmount } = resolution
  const { amount, refundedMinor } = operation
  const now = await readNow(deps, operation)
  const read = now.taken ?? paidTotal(now)
  // It is not known what a source reads after a part went back: the ledger's amount stands.
  const taken = (operation.reservedRefundMinor > 0n && operation.collected) || read
  const isRest = action === "refund_rest"
  if (isRest && !now.isTakenShown) throw refusal("refund_unclear")
  const keptMinor = isRest ? amount.minor : refundedMinor
  if (taken.currency !== amount.currency || taken.minor <= keptMinor) {
    throw amountDiffers(operation, taken)
  }
  const { currency } = taken
  refuseUnexpected({ minor: taken.minor - keptMinor, currency }, expectedAmount)
  if (isRest) await refuseWhatWouldStrand(deps, operation, resolution)
  let held: Operation | undefined = operation
  if (operation.collected === null || !sameMoney(operation.collected, taken)) {
    held = await advanceOperation(deps.database, operation, {
      event: { note: "money_seen" },
      code: "money_seen",
      facts: { by: adminId, ...factsOf(now) },
      changes: { collectedMinor: taken.minor, ...sourceOf(operation, now) },
    })
  }
  if (!held) return "moved"
  await giveBack(deps, held, { money: taken, isRest, note, adminId })
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

const covers = (paid: Money, asked: Money) =>
  paid.currency === asked.currency && paid.minor >= asked.minor

const textOf = (money: Money) => `${majorText(money)} ${money.currency}`

function amountDiffers(operation: Operation, total: Money): Refusal {
  const paid = amountFact(total)
  const asked = amountFact(operation.amount)
  return refusal(
    "amount_differs",
    { paid, asked },
    { paid: paid.amount, currency: paid.currency, asked: asked.amount },
  )
}

/**
 * Refuses money that the job would put straight back under review.
 * @throws Refusal
 */
async function refuseWhatWouldStrand(
  deps: FlowDeps,
  operation: Operation,
  { cartId, orderId }: Resolution,
): Promise<void> {
  const facts = await decisionFactsOf(deps, operation)
  const { record, stranded: reason, beside } = facts
  const own = {
    cart: record.cartId ?? operation.cartId,
    order: record.order?.id ?? operation.orderId,
  }
  if ((cartId ?? own.cart) !== own.cart || (orderId ?? own.order) !== own.order) {
    throw refusal("not_its_order", {}, { cart_id: own.cart, order_id: own.order })
  }
  switch (whyNotTaken(facts)) {
    case null:
      return
    case "order_closed":
      throw refusal("order_closed.refund", {}, { payment: null })
    case "another_payment_live":
      throw beside ? anotherLive(beside) : refusal("another_payment_live", {}, { reason })
    case "cart_differs":
      throw refusal("amount_differs.cart", { reason }, { reason })
    case "out_of_stock":
      throw refusal("cannot_be_settled.out_of_stock", soldOutFacts(facts), {
        reason: "out_of_stock",
      })
    case "cannot_be_settled":
      throw refusal("cannot_be_settled", { reason }, { reason })
  }
}

export function anotherLive(other: Operation | undefined): Refusal {
  return refusal("another_payment_live", {}, { operation_id: other?.id ?? null })
}

/**
 * Keeps the money that the admin saw: if a check finds the same money again, it is no new money.
 * Money of another currency can't be kept in this one, and counts as none.
 */
function moneyOf(operation: Operation, now: GatewayNow): Changes {
  const { amount, collected, reservedRefundMinor } = operation
  // After a part went back, the ledger's amount stands, as in `refundCollection`.
  if (now.kind !== "reads" || reservedRefundMinor > 0n) return {}
  if (!now.isPaid) return { collectedMinor: null }
  const { currency, minor } = now.total ?? collected ?? amount
  return { collectedMinor: currency === amount.currency ? minor : 0n }
}

/**
 * Whether money can still come. A paid source takes no more, and a payment without source and
 * reference gets none.
 */
function canStillCome({ sourceId, reference }: Operation, now: GatewayNow): boolean {
  if (sourceId === null && reference === null) return false
  return !(now.kind === "reads" && now.isPaid && now.source === "PAID")
}

function sourceOf(operation: Operation, now: GatewayNow): Changes {
  if (now.kind !== "reads" || now.total === null || now.source === null) return {}
  const isSeen = now.source !== "absent" && now.source !== "unreadable"
  const status = isSeen ? { sourceStatus: stateWord(now.source) } : {}
  return { ...status, ...payerChange(operation, now) }
}
