/**
 * Sources that an ended payment left open. A new operation begins only when none of them can take money
 * any more: one is taken over when it still fits, every other is closed, and seen `CANCELED`. One that
 * is paid after all is held for a person, and nothing new begins.
 */
import { age } from "../../core/decision"
import { LIMITS } from "../../core/limits"
import { sameMoney, type Money } from "../../core/money"
import { isPush, reusableForMs, type Operation } from "../../core/operation"
import type { Gateway } from "../../gateway"
import { bringForward } from "../../ledger/bring-forward"
import { claimOperation } from "../../ledger/claim-due-operations"
import { findEndedWithOpenSource } from "../../ledger/find-operations"
import { releaseOperation } from "../../ledger/postpone-operation"
import { alertReview } from "../alert-review"
import { askSource, closeSource } from "../ask-gateway"
import type { FlowDeps } from "../deps"
import { gatewayFor } from "../gateway-for"
import { pauseIfAsked } from "../pause-checks"
import { persist } from "../persist"
import { ownerByLedger, ownerOfPaid } from "../source-owner"
import type { StartContext } from "./context"
import { gatewayUnavailable } from "./refuse-for"
import { inProgress, isSamePayment, underReview } from "./standing"

export type TakenOver = { readonly sourceId: number; readonly partyId: number }

/**
 * Ended operations whose source may still be payable. The newest failed push's is taken over when it
 * still fits; every other is closed, and seen `CANCELED`, before a new source is made.
 *
 * @throws Refusal `payment_in_progress` when money moves after all, `under_review` when it has,
 *   `gateway_unavailable`
 */
export async function clearEnded(
  deps: FlowDeps,
  context: StartContext,
  lines: Operation["lines"],
): Promise<TakenOver | undefined> {
  const ended = await findEndedWithOpenSource(deps.database, context.payable.collectionId)
  let takenOver: TakenOver | undefined
  const seen = new Map<number, "taken over" | "closed" | "paid">()
  for (const operation of ended) {
    const { sourceId, partyId } = operation
    if (sourceId === null) continue
    if (seen.get(sourceId) === "closed") await settleEnded(deps, operation, "CANCELED", false)
    if (seen.has(sourceId)) continue
    const gateway = await gatewayFor(deps, operation)
    if (!gateway) {
      // Another merchant's by now. A push shows its source to nobody, nor did a page that was never
      // handed out; one that was can still be paid.
      if (isPush(operation) || operation.submittedAt === null) continue
      throw gatewayUnavailable()
    }
    const mayTakeOver = !takenOver && canTakeOver(operation, context, lines)
    deps.failpoints.at("ended.before_call")
    const asked =
      mayTakeOver || operation.sourceStatus === "PAID"
        ? await askSource(gateway, operation, context.callOptions())
        : await closeSource(gateway, operation, context.callOptions)
    deps.failpoints.at("ended.answered")
    await pauseIfAsked(deps, operation.accountId, asked.look)
    const status = asked.look.kind === "seen" ? asked.look.status : undefined
    if (mayTakeOver && status === "ACTIVE" && partyId !== null) {
      takenOver = { sourceId, partyId }
      seen.set(sourceId, "taken over")
      continue
    }
    if (asked.look.kind === "seen" && status === "PAID") {
      await meetPaid(deps, gateway, context, operation, asked.look.total)
      seen.set(sourceId, "paid")
      continue
    }
    await settleEnded(deps, operation, status, asked.look.kind === "absent")
    seen.set(sourceId, "closed")
  }
  return takenOver
}

/** The caller holds the draft by lease. */
export async function takeOver(
  deps: FlowDeps,
  draft: Operation,
  { sourceId, partyId }: TakenOver,
): Promise<Operation> {
  const withSource = await persist(deps.database, draft, {
    event: { note: "source_taken_over" },
    why: "the source of the failed payment is still payable",
    changes: { sourceId, partyId, sourceStatus: "ACTIVE" },
  })
  deps.failpoints.at("takeover.committed")
  return withSource ?? draft
}

/**
 * Paid by somebody without us, it is held for a person. By another try with the same source: that one
 * has the money, or is looked at now; if it was given back, nothing stands in the way.
 */
async function meetPaid(
  deps: FlowDeps,
  gateway: Gateway,
  context: StartContext,
  operation: Operation,
  total: Money,
): Promise<void> {
  const owner = isPush(operation) ? await ownerOfPaid(deps, gateway, operation, context) : "this"
  if (owner === "this") return holdForPerson(deps, operation, total)
  if (owner === "unsure") throw gatewayUnavailable()
  if (!(await ownerByLedger(deps, operation))) throw inProgress(operation)
}

/** Its source is paid though it had ended, and no look of ours may ever say by which execution. */
async function holdForPerson(deps: FlowDeps, operation: Operation, total: Money): Promise<never> {
  const held = await claimOperation(deps.database, operation.id, LIMITS.leaseMs)
  if (!held) throw inProgress(operation)
  if (held.state !== "failed" && held.state !== "expired") {
    // A look was faster: it holds the money already.
    await releaseOperation(deps.database, held)
    throw held.state === "review" ? underReview(held) : inProgress(held)
  }
  const isEqual = sameMoney(total, held.amount)
  const review = await persist(deps.database, held, {
    event: "complete",
    why: "its source is paid after the end",
    facts: { source: "PAID" },
    changes: {
      sourceStatus: "PAID",
      reason: isEqual ? "late_payment" : mismatchOf(total, held.amount),
      ...(total.currency === held.amount.currency ? { collectedMinor: total.minor } : {}),
    },
    next: "never",
    lease: "release",
  })
  alertReview(deps, held, review, "its source is paid after the end")
  throw review ? underReview(review) : inProgress(operation)
}

function mismatchOf(total: Money, asked: Money): "amount_mismatch" | "currency_mismatch" {
  return total.currency === asked.currency ? "amount_mismatch" : "currency_mismatch"
}

async function settleEnded(
  deps: FlowDeps,
  operation: Operation,
  status: string | undefined,
  isAbsent: boolean,
): Promise<void> {
  if (status === "CANCELED" || (isAbsent && (await isLongAbsent(deps, operation)))) {
    await persist(deps.database, operation, {
      event: { note: "source_closed" },
      why: "its source can't be paid any more",
      changes: { sourceStatus: "CANCELED" },
    })
    deps.failpoints.at("ended.committed")
    return
  }
  if (status === undefined) throw gatewayUnavailable()
  // Seen again: the next 404 begins to count anew.
  if (operation.absentAt !== null) {
    await persist(deps.database, operation, {
      event: { note: "source_seen" },
      why: "the gateway knows its source again",
      changes: { absentAt: false },
    })
  }
  await bringForward(deps.database, operation.id, 0)
  throw inProgress(operation)
}

/** One 404 is no proof, and a source that is called closed is never looked at again. */
async function isLongAbsent(deps: FlowDeps, operation: Operation): Promise<boolean> {
  if (operation.absentAt !== null) {
    return age(operation, operation.absentAt) >= LIMITS.neverLandedAfterMs
  }
  await persist(deps.database, operation, {
    event: { note: "absent" },
    why: "the gateway does not know its source",
    changes: { absentAt: true },
  })
  return false
}

function canTakeOver(
  operation: Operation,
  context: StartContext,
  lines: Operation["lines"],
): boolean {
  return (
    reusableForMs(operation) > 0 &&
    context.flow === "push" &&
    operation.accountId === context.account.id &&
    (operation.credentialId ?? context.credentialId) === context.credentialId &&
    isSamePayment(operation, context) &&
    operation.feeBearer === context.feeBearer &&
    operation.lines.length === lines.length &&
    operation.lines.every((line, index) => {
      const other = lines[index]
      return (
        other?.name === line.name &&
        other.quantity === line.quantity &&
        other.amount.minor === line.amount.minor
      )
    })
  )
}
