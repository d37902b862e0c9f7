/**
 * A refund that did not go through is made once more, in the name of a person who says so. What Medusa
 * asked for goes through Medusa again, which makes its own row and asks our provider; what went straight
 * to the gateway does so again. It is a refund of its own: with its own reserve and its own reference.
 *
 * The one that failed is held by lease until the new one is answered, so of two people who press at once
 * one is told to wait. A process that dies in between leaves what any other click leaves, and whether the
 * refund was made again is read from the ledger's refunds, not from a mark on the one that failed. One that
 * slept past its lease stops before it asks; from there on it is a click of a person as any other.
 */
import { LIMITS } from "../../core/limits"
import { compareDecimals, majorText } from "../../core/money"
import { hasEnded, isHostRefund, type Operation } from "../../core/operation"
import { isToUndo } from "../../core/refund-delivery"
import { hasOpenRow } from "../../core/refund-books"
import { Refusal, REFUSALS, type RefusalCode } from "../../core/refusal"
import { claimOperation } from "../../ledger/claim-due-operations"
import { findById } from "../../ledger/find-operations"
import { findRefundsOf } from "../../ledger/find-refunds"
import { releaseOperation } from "../../ledger/postpone-operation"
import type { FlowDeps } from "../deps"
import { readNow } from "../desk/ask-now"
import { operationNotFound } from "../desk/resolve"
import { persist } from "../persist"
import { hostKeyOf } from "./known-refunds"
import { requestRefund } from "./request-refund"

/**
 * @param adminId kept in the events, and as whom Medusa's new row names
 * @returns the new refund
 * @throws Refusal `operation_not_found`, `refund_unavailable` (it has not failed, or its payment was
 *   accepted meanwhile), `refund_in_progress`
 *   (somebody is at it, or Medusa is being put right), `under_review`, `refund_retried`, and what a
 *   refund itself is refused with
 */
export async function retryRefund(
  deps: FlowDeps,
  refundId: string,
  adminId: string,
): Promise<Operation> {
  const found = await findById(deps.database, refundId)
  if (!found) throw operationNotFound()
  assertRetryable(found)
  const held = await claimOperation(deps.database, refundId, LIMITS.leaseMs)
  if (!held) throw inProgress("Somebody is at this refund just now.")
  let current = held
  try {
    deps.failpoints.at("refund_retry.claimed")
    assertRetryable(held)
    await assertNotRetried(deps, held)
    if (!isHostRefund(held)) assertStillInReview(await parentOf(deps, held))
    await assertNotGone(deps, held)
    deps.failpoints.at("refund_retry.before_commit")
    const noted = await persist(deps.database, held, {
      event: { note: "retried" },
      why: "a person has it made once more",
      facts: { asked_by: adminId },
    })
    if (!noted) throw inProgress("Somebody is at this refund just now.")
    current = noted
    deps.failpoints.at("refund_retry.committed")
    await assertStillHeld(deps, noted)
    await (isHostRefund(noted) ? throughHost(deps, noted, adminId) : straight(deps, noted, adminId))
    deps.failpoints.at("refund_retry.answered")
  } finally {
    await releaseOperation(deps.database, current)
  }
  const made = (await laterTries(deps, current)).at(-1)
  if (!made) throw unavailable("It was rounded away: all that was collected went back before.")
  return made
}

function assertRetryable(refund: Operation): void {
  if (refund.type !== "REFUND" || refund.surplus) {
    throw unavailable("This is no refund that failed.")
  }
  if (refund.state === "review") {
    throw new Refusal("under_review", "This refund waits for a person. Decide about it first.")
  }
  if (refund.state === "completed") throw unavailable("This refund went through.")
  if (!hasEnded(refund)) throw inProgress("It is not known yet whether this refund goes through.")
  if (isToUndo(refund)) throw inProgress("Medusa's books are being put right just now.")
}

/** As often as it failed; while one of the later ones lives, the money is on its way. */
async function assertNotRetried(deps: FlowDeps, refund: Operation): Promise<void> {
  const again = (await laterTries(deps, refund)).find((other) => !hasEnded(other))
  if (!again) return
  throw new Refusal(
    "refund_retried",
    `This amount was asked for again already, by ${again.id}. Nothing was sent.`,
    { refund: again.id },
  )
}

/**
 * What went straight to the gateway was money that no order had. Accepted meanwhile, it is Medusa's, and
 * goes back through its order: else Medusa would go on calling it paid.
 */
function assertStillInReview({ state, returnedAt }: Operation): void {
  if (state === "review") return
  throw unavailable(
    state === "completed" && returnedAt === null
      ? "Its payment was accepted meanwhile. Refund it on its order."
      : "Its payment does not wait for a decision any more.",
  )
}

/** One that slept past its lease may have been overtaken, by somebody whose refund is made by now. */
async function assertStillHeld(deps: FlowDeps, { id, leaseToken }: Operation): Promise<void> {
  const now = await findById(deps.database, id)
  if (now?.leaseToken !== leaseToken) throw inProgress("Somebody is at this refund just now.")
}

/** Between two looks of the watch it may have gone through after all; it must not go twice. */
async function assertNotGone(deps: FlowDeps, refund: Operation): Promise<void> {
  if (refund.reference === null) return
  const now = await readNow(deps, refund)
  if (now.isPaid) throw unavailable("The gateway says that this refund went through after all.")
  if (now.isMoving) throw inProgress("The gateway works on this refund just now.")
}

async function laterTries(deps: FlowDeps, refund: Operation): Promise<Operation[]> {
  const refunds = await findRefundsOf(deps.database, refund.parentId ?? "")
  const own = refunds.findIndex(({ id }) => id === refund.id)
  return refunds
    .slice(own + 1)
    .filter(({ hostAmount }) => compareDecimals(hostAmount, refund.hostAmount) === 0)
}

async function throughHost(deps: FlowDeps, refund: Operation, adminId: string): Promise<void> {
  const books = await deps.host.refundBooks(hostKeyOf(refund))
  if (!books) throw unavailable("Medusa holds no captured payment of it.")
  try {
    await deps.host.makeRefund({
      paymentId: books.paymentId,
      amount: refund.hostAmount ?? "0",
      createdBy: adminId,
      // Else the job writes the rest, as of any refund there.
      isByWorkflow: books.order !== null && !books.order.isCanceled && !hasOpenRow(books),
    })
  } catch (error) {
    throw asRefusal(error)
  }
}

async function straight(deps: FlowDeps, refund: Operation, adminId: string): Promise<void> {
  const parent = await parentOf(deps, refund)
  if (!parent.collected) throw unavailable("No money of this payment is here.")
  await requestRefund(deps, {
    operationId: parent.id,
    hostAmount: refund.hostAmount ?? "0",
    capturedAmount: majorText(parent.collected),
    hostRefundId: null,
    askedBy: adminId,
    adminId,
    why: `${refund.id} did not go through, and is made once more`,
    onlyIf: ({ state }) => state === "review",
    isWaitedFor: true,
  })
}

async function parentOf(deps: FlowDeps, { parentId }: Operation): Promise<Operation> {
  const parent = await findById(deps.database, parentId ?? "")
  if (!parent) throw unavailable("This is no payment of ours.")
  return parent
}

/** Our provider's refusal comes back through Medusa as text, its code before its sentence. */
function asRefusal(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Refusal) return error
  const [, said = "", sentence = ""] = /^([a-z_]+): (.+)$/s.exec(error.message) ?? []
  const isCode = (text: string): text is RefusalCode => Object.hasOwn(REFUSALS, text)
  return isCode(said) ? new Refusal(said, sentence) : error
}

function unavailable(sentence: string): Refusal {
  return new Refusal("refund_unavailable", `${sentence} Nothing was sent.`)
}

function inProgress(sentence: string): Refusal {
  return new Refusal("refund_in_progress", `${sentence} Try again in a minute. Nothing was sent.`)
}
