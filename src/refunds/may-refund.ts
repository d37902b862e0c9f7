/**
 * What has to hold before a refund's money is sent, and how much would be sent. Nothing is sent
 * here. Cancelling an order makes the same checks, because Medusa ignores a refund that is refused.
 */
import { isAbove, strictest } from "../core/account-policies"
import { absenceLeftMs } from "../core/decide/decision"
import type { AdminId, OperationId } from "../core/ids"
import { majorText, type Money } from "../core/money"
import { hasEnded, type Operation } from "../core/operation"
import { amountFact, refusal } from "../core/refusal"
import type { Gateway } from "../gateway"
import { accountById } from "../ledger/accounts/find-accounts"
import { findClientPolicies } from "../ledger/accounts/merchant-client"
import { askAnotherAdmin } from "../ledger/ask-another-admin"
import { assertUsable, endedRefusal, requestOfKind, type RequestUse } from "../ledger/requests"
import type { RefundAskedFor } from "../ledger/schemas/stored-request"
import { spendChecks } from "../ledger/limits/check-budget"
import type { Database } from "../ledger/database"
import { wasDismissed } from "../ledger/find-events"
import { askRefund } from "../engine/ask-gateway"
import { checkUnheld } from "../engine/check"
import type { MoneyDeps } from "../engine/deps"
import { gatewayFor, requireGateway } from "../engine/gateway-for"
import { pauseIfAsked } from "../engine/pause-checks"
import { findIntent } from "./find-intent"
import {
  isClear,
  ownShare,
  refundToSend,
  restToSend,
  type RefundAsked,
} from "./rules/refund-amount"
import { findOfIntent, findRefundsOf, refundedLately } from "./sql/find-refunds"
import type { RefundBasis } from "./sql/reserve-refund"

/**
 * The amount that would be sent for this refund now, and the gateway client for it.
 *
 * @throws Refusal where nothing can be sent
 */
export async function readyToSend(
  deps: MoneyDeps,
  basis: RefundBasis,
  asked: RefundAsked,
): Promise<{ readonly amount: Money; readonly gateway: Gateway } | "nothing_to_send"> {
  const { parent } = basis
  // Its operator has given it back: Medusa may show that, and nothing more is sent.
  if (parent.takenBackAt !== null) return "nothing_to_send"
  const account = accountById(await deps.accounts(), parent.accountId)
  const isSaid = account?.policies.refund_currency === "SOURCE"
  const amount = amountOf(basis, asked, isSaid)
  if (amount === "nothing_to_send") return amount
  const gateway = await requireGateway(deps, parent)
  const intent = parent.paymentIntentId ?? (await findIntent(deps, gateway, parent))
  // By an id that two payments have, the gateway could give the wrong customer's money back.
  const other = await findOfIntent(deps.database, parent, intent)
  if (other) throw refusal("payment_intent_taken", {}, { operation_id: other.id })
  return { amount, gateway }
}

/** @param isSaid the merchant has said which currency the gateway takes an amount in */
function amountOf({ parent, before, restMinor }: RefundBasis, asked: RefundAsked, isSaid: boolean) {
  const { state, collected } = parent
  if ((state !== "completed" && state !== "review") || !collected) {
    throw refusal("refund_unavailable")
  }
  const own = ownShare({ ...parent, collected }, before, restMinor)
  const toSend = asked.isRest
    ? restToSend(parent, before)
    : refundToSend(own.collected, own.before, asked)
  if (toSend.kind === "nothing") return "nothing_to_send"
  if (toSend.kind === "too_small") throw refusal("amount_not_payable.refund")
  if (toSend.kind === "too_much") {
    const left = amountFact(toSend.left)
    throw refusal("refund_too_much", { left }, { left: left.amount })
  }
  const isAll = toSend.amount.minor === own.collected.minor
  if (state === "completed" && parent.recordedAt === null && !isAll) {
    throw refusal("payment_in_progress")
  }
  if (!isSaid && !isClear(collected, toSend.amount, parent.payerCurrency)) {
    throw refusal("refund_unclear")
  }
  return toSend.amount
}

/**
 * Asks the gateway about the payment's refunds that failed or expired. One of them may have gone
 * through since its last check, and the same money would go a second time.
 *
 * @throws Refusal `refund_in_progress`, `gateway_unavailable`
 */
export async function assertEndedStayed(
  deps: MoneyDeps,
  collectionOperationId: OperationId,
): Promise<void> {
  const refunds = await findRefundsOf(deps.database, collectionOperationId)
  for (const refund of refunds.filter(mayHaveGone)) await assertStayed(deps, refund)
}

const mayHaveGone = (refund: Operation) => hasEnded(refund) && refund.reference !== null

async function assertStayed(deps: MoneyDeps, refund: Operation): Promise<void> {
  const gateway = await gatewayFor(deps, refund)
  const says = gateway && (await hasGone(deps, gateway, refund))
  if (says === false) return
  // An admin has decided without the gateway's word that it did not go through.
  if (says === undefined && (await wasDismissed(deps.database, refund.id))) return
  if (says === undefined) throw refusal("gateway_unavailable")
  // It is checked now, so that admins see at once that it went through.
  await checkUnheld(deps, refund.id, mayHaveGone)
  throw refusal("refund_in_progress.went_through", {}, { refund: refund.id })
}

/**
 * Whether an ended refund went through after all. One 404 frees nothing: it counts once it has
 * lasted, or once nothing can be executed any more.
 *
 * @returns undefined where the gateway gives no answer just now, or a 404 that has not lasted yet
 */
async function hasGone(
  deps: MoneyDeps,
  gateway: Gateway,
  refund: Operation,
): Promise<boolean | undefined> {
  const { accountId, reference, expiresAt, readAt } = refund
  await spendChecks(deps.database, accountId, 1)
  const { finding } = await askRefund(gateway, reference)
  await pauseIfAsked(deps, accountId, finding)
  if (finding.kind === "seen") return finding.status !== "FAILED"
  const isOver = expiresAt.getTime() <= readAt.getTime()
  const isLasting = refund.absentAt !== null && absenceLeftMs(refund, false) === 0
  return finding.kind === "absent" && (isOver || isLasting) ? false : undefined
}

/** The collection whose money goes back. */
type Payment = Pick<Operation, "id" | "accountId" | "credentialId">

/**
 * A second admin is needed above an amount that an account of the merchant's client sets. Refunds
 * of the payment within a day count together, or one admin could give back in parts what needs two.
 * The accounts' current policies decide; a removed account still guards its own money.
 */
export async function isSecondAdminNeeded(
  database: Database,
  payment: Payment,
  { minor, currency }: Money,
): Promise<boolean> {
  const every = await findClientPolicies(database, payment)
  const most = strictest(every, "refund_second_admin_above", currency)
  if (most === null) return false
  const together = { minor: minor + (await refundedLately(database, payment.id)), currency }
  return isAbove(most, together)
}

/** Who wants a refund. */
type Asker = {
  /** A user's id, or an API key's. */
  readonly adminId: AdminId
  readonly note: string | null
  /** What is approved; undefined: the refund is asked for now. */
  readonly use: RequestUse | undefined
}

/**
 * Called after the collection was read and before its part is reserved: a refund in between makes
 * the reserve fail, and this is called again. The reserve uses the request. The same amount of the
 * same payment is refunded once a day by two admins: a double click is not a second intention.
 *
 * @returns if one admin is enough, or the request can be used for this amount
 * @throws Refusal `refund_needs_second_admin`; the request of an admin is noted. `request_ended`
 *   where it was approved and sent already, `request_needs_right`
 */
export async function assertSecondAdmin(
  { database, people }: Pick<MoneyDeps, "database" | "people">,
  payment: Payment,
  amount: Money,
  refund: RefundAskedFor,
  { adminId, note, use }: Asker,
): Promise<void> {
  const { minor, currency } = amount
  const subject = `request refund ${payment.id} ${minor} ${currency}`
  if (use) {
    const request = await requestOfKind(database, use.id, ["REFUND"])
    if (request.state !== "waiting") throw endedRefusal(request)
    // Money that came or went since has changed what the same part of the payment is.
    if (request.subject !== subject) throw refusal("request_ended.amount")
    return assertUsable(database, people, request, use.approvedBy)
  }
  if (!(await isSecondAdminNeeded(database, payment, amount))) return
  const details = { account_id: payment.accountId, amount: majorText(amount), currency, refund }
  const asked = { kind: "REFUND", subject, askedBy: adminId, key: null, details, note } as const
  await askAnotherAdmin(database, people, asked, {
    noted: (id) => refusal("refund_needs_second_admin", {}, { request_id: id }),
    noPerson: () => refusal("refund_needs_second_admin.person"),
  })
}
