/**
 * Medusa's `cancel-order` refunds first and swallows a refund that is refused: the order would read
 * canceled and refunded while nothing went back (H24). So it is refused while the refund that it needs
 * can't be sent, and passes else.
 *
 * Between the question here and Medusa's refund the gateway may go away; nothing can hold that moment
 * shut, and what Medusa shows without money behind it is put right afterwards.
 */
import { isOnItsWay, standingOf } from "../core/adopt-refund"
import { compareDecimals, majorText, type Money } from "../core/money"
import type { Operation } from "../core/operation"
import { Refusal } from "../core/refusal"
import {
  findAllOfCollection,
  findMoneyOfOrder,
  findMoneyOfSession,
} from "../ledger/find-operations"
import { findCollectedFor, findRefundsOf } from "../ledger/find-refunds"
import { findRefundGround } from "../ledger/reserve-refund"
import type { FlowDeps } from "./deps"
import { assertEndedStayed } from "./refund/ask-ended"
import type { HostPaid, HostRefunds } from "./refund/host-refunds"
import { readyToSend } from "./refund/request-refund"
import { isSecondAdminNeeded } from "./refund/second-admin"

type GuardDeps = FlowDeps & { readonly refunds: HostRefunds }

/**
 * @throws Refusal `payment_in_progress`, `under_review`, `refund_in_progress`, `payment_intent_unknown`,
 *   `payment_intent_taken`, `refund_unclear`, `refund_too_much`, `not_configured`,
 *   `gateway_unavailable`, `refund_needs_second_admin`
 */
export async function refuseOrderCancel(deps: GuardDeps, orderId: string): Promise<void> {
  const [money, paid] = await Promise.all([
    moneyOf(deps, orderId),
    deps.refunds.paidOfOrder(orderId),
  ])
  for (const operation of money) refuseUnsettled(operation)
  const left = paid.filter(({ leftAmount }) => (compareDecimals(leftAmount, "0") ?? 1) > 0)
  for (const payment of left) await refuseUnsendable(deps, payment)
}

function refuseUnsettled({ state, recordedAt, surplus }: Operation): void {
  // Not in Medusa, and not the order's: cancelling gives nothing of it back and leaves it where it is.
  if (surplus) return
  if (state === "review") {
    throw new Refusal(
      "under_review",
      "Money of this order waits for a person. Decide about it first. Nothing was changed.",
    )
  }
  if (recordedAt === null) {
    throw new Refusal(
      "payment_in_progress",
      "This order is being paid just now. Try again in a minute. Nothing was changed.",
    )
  }
}

/** As Medusa will ask for it: all that its rows do not show as given back. */
async function refuseUnsendable(deps: GuardDeps, payment: HostPaid): Promise<void> {
  const { leftAmount: hostAmount, capturedAmount } = payment
  const [operation] = await findCollectedFor(deps.database, payment.sessionId)
  const ground = operation && (await findRefundGround(deps.database, operation.id))
  if (ground && (await isAskedForAlready(deps, ground.parent, hostAmount))) return
  if (!ground || ground.parent.returnedAt) {
    throw new Refusal(
      "refund_unavailable",
      "Medusa shows this order as paid, and its money is not here. Look it up in the merchant " +
        "portal. Nothing was changed.",
    )
  }
  const ready = await readyToSend(deps, ground, { hostAmount, capturedAmount })
  if (ready === "nothing_to_send") return
  await assertEndedStayed(deps, ground.parent.id)
  await refuseAlone(deps, ground.parent, ready.amount)
}

/** Medusa would swallow that a second admin has to agree; with the money back first it asks for none. */
async function refuseAlone(deps: GuardDeps, payment: Operation, amount: Money): Promise<void> {
  if (!(await isSecondAdminNeeded(deps.database, payment, amount))) return
  throw new Refusal(
    "refund_needs_second_admin",
    `The refund of ${majorText(amount)} ${amount.currency} needs a second admin. Refund the payment ` +
      "first, and cancel the order then. Nothing was changed.",
  )
}

/**
 * Whether it is on its way, and Medusa would only be told so.
 *
 * @throws Refusal while Medusa does not show another one: cancelling would ask for its money once more
 */
async function isAskedForAlready(
  deps: GuardDeps,
  payment: Operation,
  amount: string,
): Promise<boolean> {
  const refunds = await findRefundsOf(deps.database, payment.id)
  const shown = await deps.refunds.shown(refunds.flatMap(({ hostRefundId }) => hostRefundId ?? []))
  const isShown = ({ hostRefundId }: Operation) => shown.has(hostRefundId ?? "")
  const click = { rowId: "", amount, ageMs: 0 }
  if (refunds.some((refund) => standingOf(refund, click, isShown(refund)) === "adopt")) return true
  for (const refund of refunds) {
    if (refund.surplus || refund.state === "failed" || refund.state === "expired") continue
    if (isOnItsWay(refund) && isShown(refund) && refund.answeredAt) continue
    if (refund.state !== "review") {
      throw new Refusal(
        "refund_in_progress",
        "A refund of this order is in progress. Try again when it is shown here. Nothing was changed.",
      )
    }
    throw new Refusal(
      "under_review",
      "A refund of this order waits for a person: nobody knows whether it went through. Nothing " +
        "was changed.",
    )
  }
  return false
}

/** By order, by collection and by payment: an order placed before its money is not in the ledger's row. */
async function moneyOf(deps: GuardDeps, orderId: string): Promise<Operation[]> {
  const [collections, sessions, own] = await Promise.all([
    deps.host.collectionsOfOrder(orderId),
    deps.host.paidSessionsOfOrder(orderId),
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
