/**
 * Finds a refund that the database has lost, and takes it into the ledger. The gateway's lists
 * show no refund; but a payment's next refund has the lost one's reference, and the gateway knows
 * it. Nothing is sent here.
 */
import { nextRefundReference, UNKNOWN_ASKER } from "../core/derived-reference"
import { majorText, type Money } from "../core/money"
import type { Operation } from "../core/operation"
import { spendChecks } from "../ledger/limits/check-budget"
import { findById } from "../ledger/find-operations"
import { releaseOperation } from "../ledger/postpone-operation"
import { askRefund } from "../engine/ask-gateway"
import type { MoneyDeps } from "../engine/deps"
import { requireGateway } from "../engine/gateway-for"
import { askLanded } from "../engine/landed-draft"
import { pauseIfAsked } from "../engine/pause-checks"
import type { Execution, Gateway } from "../gateway"
import { askIntent, findIntent } from "./find-intent"
import { findRefundsOf } from "./sql/find-refunds"
import { reserveRefund } from "./sql/reserve-refund"

/**
 * @returns `found`: the gateway knows a refund of the payment that was not here
 * @throws Refusal `not_configured`, `gateway_unavailable`
 */
export async function findLostRefund(
  deps: MoneyDeps,
  payment: Operation,
): Promise<"none" | "found" | "unanswered"> {
  const gateway = await requireGateway(deps, payment)
  const paymentIntentId = payment.paymentIntentId ?? (await askIntent(deps, gateway, payment))
  // Nothing is refunded without its intent.
  if (paymentIntentId === undefined) return "none"
  const refunds = await findRefundsOf(deps.database, payment.id)
  const reference = nextRefundReference({ ...payment, paymentIntentId }, refunds)
  await spendChecks(deps.database, payment.accountId, 1)
  const { finding, answer, isNotFound } = await askRefund(gateway, reference)
  await pauseIfAsked(deps, payment.accountId, finding)
  // A client that may not read refunds has made none, and a 404 in any form names none.
  if (isNotFound || finding.kind === "absent" || finding.kind === "refused") return "none"
  if (finding.kind !== "seen") return "unanswered"
  await keepFound(deps, gateway, payment, answer)
  return "found"
}

/** If the process dies in between, the job asks about the draft as about any other. */
async function keepFound(
  deps: MoneyDeps,
  gateway: Gateway,
  { id }: Operation,
  answer: Execution | undefined,
): Promise<void> {
  const read = await findById(deps.database, id)
  if (read?.paymentIntentId === null) await findIntent(deps, gateway, read)
  const [payment, refunds] = await Promise.all([
    findById(deps.database, id),
    findRefundsOf(deps.database, id),
  ])
  if (!payment?.collected) return
  const { collected, reservedRefundMinor } = payment
  const left = { ...collected, minor: collected.minor - reservedRefundMinor }
  if (left.minor <= 0n) return
  const amount = amountIn(answer, left)
  const draft = await reserveRefund(deps.database, payment, {
    id: deps.ids.operationId(),
    draftReference: nextRefundReference(payment, refunds),
    amount,
    medusaAmount: majorText(amount),
    medusaRefundId: null,
    askedBy: UNKNOWN_ASKER,
    code: "found_sent",
  })
  if (!draft || draft === "taken") return
  const landed = await askLanded(deps, gateway, draft)
  await releaseOperation(deps.database, landed.kind === "landed" ? landed.operation : draft)
}

/**
 * What was asked for lies between payer and payee, apart by the fees. The larger one is taken, so that
 * nothing can be refunded above what was paid; all that is left, where the answer does not say.
 */
function amountIn(answer: Execution | undefined, left: Money): Money {
  const sides = [answer?.payerAmount, answer?.payeeAmount].filter(
    (side) => side?.currency === left.currency,
  )
  const minor = sides.reduce((most, side) => (side && side.minor > most ? side.minor : most), 0n)
  return minor > 0n && minor < left.minor ? { ...left, minor } : left
}
