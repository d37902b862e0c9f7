/**
 * Medusa asks a payment provider for a refund, under a row of its own that it made just before. The
 * answer is yes where the money is on its way, and a refusal where it is not, or nobody knows: then
 * Medusa deletes its row again (H10), and what was reserved stays until it is known.
 *
 * A refund that the ledger has already, and no row of Medusa's stands for, is adopted: the same money is
 * not sent twice because somebody clicked twice, or because the job brings into Medusa what went back
 * while Medusa was not there. The job's own row carries a mark, and for it the gateway is never called.
 *
 * If the process dies before the yes is committed, or before Medusa has written what follows from it, the
 * row is there without its transaction; the job finds that, and asks again under its mark.
 */
import { markedRefund, standingOf } from "../../core/adopt-refund"
import { LIMITS } from "../../core/limits"
import { hasEnded, isOwedToMedusa, type EndReason, type Operation } from "../../core/operation"
import { Refusal } from "../../core/refusal"
import { adoptRefund, answerRefund } from "../../ledger/bind-refund"
import { findById } from "../../ledger/find-operations"
import { findCollectedFor, findRefundsOf } from "../../ledger/find-refunds"
import type { HostRefund, HostRefunds } from "./host-refunds"
import { notVerified, walletTooLow } from "./open-refund"
import type { RefundDeps } from "./refund-deps"
import { requestRefund, unavailable } from "./request-refund"

export type RefundForMedusaDeps = RefundDeps & { readonly refunds: HostRefunds }

/**
 * @param rowId of Medusa's refund; all else is read from Medusa's tables and from the ledger
 * @throws Refusal as `requestRefund`, and `refund_in_progress`, `under_review`, `gateway_refused`,
 *   `wallet_too_low`, `not_verified`. Medusa must show nothing then.
 */
export async function refundForMedusa(deps: RefundForMedusaDeps, rowId: string): Promise<void> {
  const row = await deps.refunds.refund(rowId)
  if (!row) throw unavailable("Medusa has no such refund.")
  if (row.isBehind) throw behind()
  const collected = await findCollectedFor(deps.database, row.sessionId)
  const [payment] = collected.filter(({ providerId }) => providerId === row.providerId)
  if (!payment) throw unavailable("No money of this payment is here.")
  if (isOfUndoneCompletion(row, payment)) {
    throw unavailable("This payment is on its way into its order. Nobody has asked for it back.")
  }
  const marked = markedRefund(row.createdBy)
  return marked === undefined
    ? refundOf(deps, row, payment)
    : adoptMarked(deps, row, collected, marked)
}

/**
 * A completion that fails after its capture makes Medusa refund the payment, in nobody's name (H25). The
 * money is owed to the order all the same: the job completes the cart again, or holds it for a person.
 */
function isOfUndoneCompletion(row: HostRefund, payment: Operation): boolean {
  return row.createdBy === null && !row.hasOrder && isOwedToMedusa(payment)
}

async function refundOf(
  deps: RefundForMedusaDeps,
  row: HostRefund,
  payment: Operation,
): Promise<void> {
  const answer = await requestRefund(deps, {
    operationId: payment.id,
    hostAmount: row.amount,
    capturedAmount: row.capturedAmount,
    hostRefundId: row.id,
    askedBy: row.createdBy ?? "medusa",
    ...(row.createdBy === null ? {} : { adminId: row.createdBy }),
    why: "Medusa gives it back",
    standIn: (collection) => standInFor(deps, row, collection),
    isWaitedFor: true,
  })
  switch (answer.kind) {
    case "nothing_to_send":
      return
    case "accepted":
      return tellMedusa(deps, row, answer.refund)
    case "refused":
      throw refusedBecause(answer.refund)
    case "in_progress":
      throw inProgress()
  }
}

/**
 * The yes is committed before it is said: whatever becomes of the refund later, the job knows what Medusa
 * shows. A process that slept so long that the job has taken its row away says no.
 */
async function tellMedusa(
  deps: RefundForMedusaDeps,
  row: HostRefund,
  refund: Operation,
): Promise<void> {
  if (!(await deps.refunds.shown([row.id])).has(row.id)) throw inProgress()
  deps.failpoints.at("refund_answer.before_commit")
  const told = await answerRefund(deps.database, refund.id, row.id)
  deps.failpoints.at("refund_answer.committed")
  if (told) return
  const now = await findById(deps.database, refund.id)
  throw now?.hostRefundId === row.id ? refusedBecause(now) : inProgress()
}

/** The refund that is asked for again, or undefined where there is none. */
async function standInFor(
  deps: RefundForMedusaDeps,
  row: HostRefund,
  collection: Operation,
): Promise<Operation | "again" | undefined> {
  const refunds = await findRefundsOf(deps.database, collection.id)
  const shown = await shownRows(deps, refunds)
  const click = { rowId: row.id, amount: row.amount, ageMs: row.ageMs }
  const judged = refunds.map((refund) => ({
    refund,
    standing: standingOf(refund, click, shown.has(refund.hostRefundId ?? "")),
  }))
  const open = judged.find(({ standing }) => standing === "adopt")
  if (open) return (await adopt(deps, row, open.refund)) ?? "again"
  if (judged.some(({ standing }) => standing === "in_progress")) throw inProgress()
  if (judged.some(({ standing }) => standing === "under_review")) throw underReview()
  return undefined
}

/** The job's own row: nothing is sent for it, whatever is found. */
async function adoptMarked(
  deps: RefundForMedusaDeps,
  row: HostRefund,
  payments: readonly Operation[],
  refundId: string,
): Promise<void> {
  for (let attempt = 0; attempt < LIMITS.refundReserveTries; attempt++) {
    const refund = await findById(deps.database, refundId)
    const isOfPayment = payments.some(({ id }) => id === refund?.parentId)
    if (!refund || !isOfPayment) throw unavailable("This payment has no such refund.")
    const shown = await shownRows(deps, [refund])
    const click = { rowId: row.id, amount: row.amount, ageMs: row.ageMs }
    const standing = standingOf(refund, click, shown.has(refund.hostRefundId ?? ""))
    if (standing === "in_progress") throw inProgress()
    if (standing === "under_review") throw underReview()
    if (standing === "another") {
      throw unavailable(
        "This refund did not go through, is shown already, or is of another amount.",
      )
    }
    if (await adopt(deps, row, refund)) return
  }
  throw inProgress()
}

async function adopt(
  deps: RefundForMedusaDeps,
  row: HostRefund,
  refund: Operation,
): Promise<Operation | undefined> {
  deps.failpoints.at("refund_adopt.before_commit")
  const adopted = await adoptRefund(deps.database, refund, {
    hostRefundId: row.id,
    dueInMs: LIMITS.refundAdoptedLookMs,
  })
  deps.failpoints.at("refund_adopt.committed")
  return adopted
}

function shownRows(
  { refunds: host }: RefundForMedusaDeps,
  refunds: readonly Operation[],
): Promise<ReadonlySet<string>> {
  return host.shown(refunds.flatMap(({ hostRefundId }) => hostRefundId ?? []))
}

const REASONS: Partial<Record<EndReason, string>> = {
  declined: "it was declined",
  wrong_pin: "a PIN was wrong",
  limit: "a limit of the wallet was reached",
  operator_unavailable: "the operator is not available",
  canceled: "it was cancelled",
}

/** FAILED is believed when it was said twice: until then nobody can say that nothing went back. */
function refusedBecause(refund: Operation): Refusal {
  const { reason, state } = refund
  const hasFailed = hasEnded(refund)
  if (reason === "insufficient_funds") return hasFailed ? walletTooLow() : walletSaidTooLow()
  if (state === "expired" && reason === "operator_unavailable") return notVerified()
  const [, because] = Object.entries(REASONS).find(([known]) => known === reason) ?? []
  const said = because === undefined ? "" : `: ${because}`
  return new Refusal(
    "gateway_refused",
    hasFailed
      ? `The gateway did not carry this refund out${said}. Nothing went back.`
      : `The gateway says that this refund failed${said}. ${ASKED_AGAIN}`,
  )
}

const ASKED_AGAIN =
  "It is asked once more, to be sure; if the money went back after all, it is shown here by itself. " +
  "Try again in a minute."

function walletSaidTooLow(): Refusal {
  return new Refusal(
    "wallet_too_low",
    "The gateway says that your wallet there holds less than what is to be given back. " +
      `${ASKED_AGAIN} Fill the wallet up in the merchant portal first.`,
  )
}

function inProgress(): Refusal {
  return new Refusal(
    "refund_in_progress",
    "A refund of this amount is in progress, and it is not known yet whether it went through. It is " +
      "shown here by itself as soon as it has. Nothing more was sent.",
  )
}

function behind(): Refusal {
  return new Refusal(
    "refund_in_progress",
    "Another refund of this payment is being made just now. Nothing was sent for this one. Try again " +
      "in a moment.",
  )
}

function underReview(): Refusal {
  return new Refusal(
    "under_review",
    "A refund of this amount waits for a person: nobody knows whether it went through. Nothing more " +
      "was sent.",
  )
}
