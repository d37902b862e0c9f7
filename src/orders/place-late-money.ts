/**
 * Places money that came after its payment had ended, if the account's policy `place_late_money`
 * says so. If its cart or order is unchanged, open and not paid in another way, the money is
 * accepted and settled as if it had come in time. Else it waits in review for an admin.
 *
 * The gateway is asked once more before, because it has called this payment ended. The constraint
 * of one live payment for a payment collection, and the version of the row, keep money from being
 * placed twice.
 */
import { LIMITS } from "../core/limits"
import { cartLines } from "../core/cart-lines"
import { sameMoney } from "../core/money"
import { ofMedusa, isPush, type Line, type Operation } from "../core/operation"
import { Refusal, refusal } from "../core/refusal"
import { stateWord } from "../gateway"
import { accountById } from "../ledger/accounts/find-accounts"
import { wasDismissed } from "../ledger/find-events"
import { findAllOfCollection, findLiveBeside } from "../ledger/find-operations"
import { postponeUnasked } from "../ledger/postpone-operation"
import { factsOf, readNow, type Reads } from "../engine/ask-now"
import type { FlowDeps } from "../engine/deps"
import type { MedusaRecord } from "../engine/medusa-port"
import { KINDS } from "../engine/kinds"
import { findLostRefund } from "../refunds/find-lost-refund"
import { foreseeSettlement, settleCollection } from "./settle-collection"

/** The name under which the policy accepts money. */
const BY_POLICY = "policy place_late_money"

/**
 * The caller holds the operation, in review, by lease.
 *
 * @returns true: the operation was dealt with, and the lease given back; false: another policy may
 *   apply
 */
export async function placeLateMoney(deps: FlowDeps, operation: Operation): Promise<boolean> {
  if (!(await mayPlace(deps, operation))) return false
  let now: Reads
  let refund: Awaited<ReturnType<typeof findLostRefund>>
  try {
    now = await readNow(deps, operation, "rule")
    refund = await findLostRefund(deps, operation)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return askLater(deps, operation, error)
  }
  if (refund === "unanswered") return askLater(deps, operation, refusal("gateway_unavailable"))
  // It went back before a backup was played back, whatever its source reads.
  if (refund === "found") {
    await postponeUnasked(deps.database, operation, null)
    return true
  }
  if (!isItsOwn(operation, now)) return false
  // Last: a shopper may have begun another payment while the gateway was asked.
  if (!(await isAsItWas(deps, operation))) return false
  const written = await KINDS[operation.type].advance(deps.database, operation, {
    event: "accept",
    code: "placed_by_policy",
    facts: { by: BY_POLICY, ...factsOf(now), reason: operation.reason },
    changes: {
      reason: null,
      checks: 0,
      settleAttempts: 0,
      checkedAt: true,
      failedAt: false,
      absentAt: false,
      contradictedAt: false,
      ...(now.source === null ? {} : { sourceStatus: stateWord(now.source) }),
    },
    next: { inMs: 0 },
  })
  // Another writer was faster: an admin has decided, or has asked to give the money back.
  if (!written) return false
  await settleCollection(deps, written.operation)
  return true
}

/**
 * Whether the money is this operation's own. A payer who pays a prompt's source in another way may
 * mean it for something else, so an admin decides.
 */
function isItsOwn(operation: Operation, { isPaid, total, execution }: Reads): boolean {
  const isSame = isPaid && total !== null && sameMoney(total, operation.amount)
  return isSame && (!isPush(operation) || execution === "COMPLETED")
}

/** Whether the operation holds late money that came in full and is undecided. */
async function mayPlace(deps: FlowDeps, operation: Operation): Promise<boolean> {
  const { type, state, reason, amount, collected } = operation
  const isLate = type === "COLLECTION" && state === "review" && reason === "late_payment"
  if (!isLate || operation.isDuplicate || operation.returnedAt !== null) return false
  if (collected === null || !sameMoney(collected, amount)) return false
  if (operation.reservedRefundMinor > 0n) return false
  const account = accountById(await deps.accounts(), operation.accountId)
  if (account?.policies.place_late_money !== true) return false
  return !(await wasDismissed(deps.database, operation.id)) && isAsItWas(deps, operation)
}

/** Whether cart or order is unchanged and open, and neither paid nor being paid otherwise. */
async function isAsItWas(deps: FlowDeps, operation: Operation): Promise<boolean> {
  const { id, cartId, orderId, paymentCollectionId } = ofMedusa(operation)
  const { record, settlement } = await foreseeSettlement(deps, operation)
  if (settlement.kind !== "complete_cart" && settlement.kind !== "capture_on_order") return false
  const [beside, own] = await Promise.all([
    findLiveBeside(deps.database, { cartId, orderId, paymentCollectionId }),
    findAllOfCollection(deps.database, paymentCollectionId),
  ])
  const hasOther = own.some((other) => other.id !== id && other.recordedAt !== null)
  return beside.length === 0 && !hasOther && (await hasSameLines(deps, operation, record))
}

async function hasSameLines(
  { medusa }: FlowDeps,
  { lines, amount }: Operation,
  { order, cartId }: MedusaRecord,
): Promise<boolean> {
  // The order was placed before any payment was asked for, so the ledger has no lines to compare.
  if (lines.length === 0) return true
  const basket = order
    ? await medusa.basketOfOrder(order.id)
    : cartId === null
      ? undefined
      : await medusa.basketOfCart(cartId)
  return (
    basket !== undefined && textOf(cartLines(basket.positions, amount, "Order")) === textOf(lines)
  )
}

/** The lines as one text, the same in whatever order Medusa lists them. */
function textOf(lines: readonly Line[]): string {
  return lines
    .map(({ name, quantity, amount }) => JSON.stringify([name, quantity, String(amount.minor)]))
    .sort()
    .join()
}

/**
 * While the gateway can't answer, it is asked again later. After `LIMITS.watchForMs` the money
 * waits for an admin.
 *
 * @returns whether the gateway is asked again
 */
async function askLater(
  { database }: FlowDeps,
  operation: Operation,
  { code }: Refusal,
): Promise<boolean> {
  const isOld = operation.readAt.getTime() - operation.createdAt.getTime() >= LIMITS.watchForMs
  const isForNow = (code === "gateway_unavailable" || code === "not_configured") && !isOld
  if (isForNow) await postponeUnasked(database, operation, LIMITS.checkFailedRetryMs)
  return isForNow
}
