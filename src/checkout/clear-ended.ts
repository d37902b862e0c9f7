/**
 * Closes the sources that ended payments left open. A new operation begins only when none of them
 * can take money any more. It takes over the source of the newest failed push if that still fits;
 * every other source is closed and read as `CANCELED`. If one is paid after all, its money is held
 * for an admin, and nothing new begins.
 */
import { age } from "../core/decide/decision"
import type { PartyId, SourceId } from "../core/ids"
import { LIMITS } from "../core/limits"
import type { Money } from "../core/money"
import { isPush, reusableForMs, type Operation } from "../core/operation"
import { refusal } from "../core/refusal"
import { exact, type Gateway } from "../gateway"
import { bringForward } from "../ledger/bring-forward"
import { claimOperation } from "../ledger/claim-due-operations"
import { findEndedWithOpenSource } from "../ledger/find-operations"
import { askSource, closeSource, executionNow } from "../engine/ask-gateway"
import { ownerByLedger, ownerOfPaid } from "../engine/collection"
import type { FlowDeps } from "../engine/deps"
import { gatewayFor } from "../engine/gateway-for"
import { pauseIfAsked } from "../engine/pause-checks"
import { holdLateMoney, persist } from "../engine/persist"
import type { StartContext } from "./context"
import { inProgress, isSamePayment, underReview } from "./existing-payment"

export type TakenOver = {
  readonly sourceId: SourceId
  readonly sourceNumber: string | null
  readonly partyId: PartyId
}

/**
 * @returns the source for the new operation to take over, if there is one
 * @throws Refusal `payment_in_progress` when money moves after all, `under_review` when it has,
 *   `gateway_unavailable`
 */
export async function clearEnded(
  deps: FlowDeps,
  context: StartContext,
  lines: Operation["lines"],
): Promise<TakenOver | undefined> {
  const ended = await findEndedWithOpenSource(deps.database, context.payable.paymentCollectionId)
  let takenOver: TakenOver | undefined
  const seen = new Map<string, "taken over" | "closed" | "paid">()
  for (const operation of ended) {
    const { sourceId, partyId } = operation
    if (sourceId === null) continue
    const source = sourceOf(operation)
    if (seen.get(source) === "closed") await settleEnded(deps, operation, "CANCELED", false)
    if (seen.has(source)) continue
    const gateway = await gatewayFor(deps, operation)
    if (!gateway) {
      // No credentials of this source's merchant are left. Only a page that a shopper got can still
      // be paid: a push, or a page that was not submitted, shows its source to no shopper.
      if (isPush(operation) || operation.submittedAt === null) continue
      throw refusal("gateway_unavailable")
    }
    const mayTakeOver = !takenOver && canTakeOver(operation, context, lines)
    const asked =
      mayTakeOver || operation.sourceStatus === "PAID"
        ? await askSource(gateway, operation, context.callOptions())
        : await closeSource(gateway, operation, context.callOptions)
    await pauseIfAsked(deps, operation.accountId, asked.finding)
    const status = asked.finding.kind === "seen" ? asked.finding.status : undefined
    if (mayTakeOver && status === "ACTIVE" && partyId !== null) {
      takenOver = { sourceId, sourceNumber: operation.sourceNumber, partyId }
      seen.set(source, "taken over")
      continue
    }
    if (asked.finding.kind === "seen" && status === "PAID") {
      await meetPaid(deps, gateway, context, operation, asked.finding.total)
      seen.set(source, "paid")
      continue
    }
    await settleEnded(deps, operation, status, asked.finding.kind === "absent")
    seen.set(source, "closed")
  }
  return takenOver
}

/** The credential is part of the key: another gateway or merchant may use the same numbers. */
function sourceOf({ credentialId, sourceType, sourceId }: Operation): string {
  return `${credentialId} ${sourceType} ${sourceId}`
}

/** Gives the draft the source of an ended payment. The caller holds the draft by lease. */
export async function takeOver(
  deps: FlowDeps,
  draft: Operation,
  { sourceId, sourceNumber, partyId }: TakenOver,
): Promise<Operation> {
  const withSource = await persist(deps.database, draft, {
    event: { note: "source_taken_over" },
    code: "source_taken_over",
    changes: {
      sourceId,
      ...(sourceNumber !== null && { sourceNumber: exact(sourceNumber) }),
      partyId,
      sourceStatus: "ACTIVE",
    },
  })
  return withSource ?? draft
}

/**
 * The source is paid. If no execution of ours paid it, the money is held for an admin. If another
 * try with the same source did, that try has the money or is checked now; if its money was given
 * back, a new payment may begin.
 */
async function meetPaid(
  deps: FlowDeps,
  gateway: Gateway,
  context: StartContext,
  operation: Operation,
  total: Money,
): Promise<void> {
  const owner = isPush(operation) ? await ownerOfPaid(deps, gateway, operation, context) : "this"
  if (owner === "this") {
    const execution = await executionNow(gateway, operation, context.callOptions())
    return holdForAdmin(deps, operation, total, execution)
  }
  if (owner === "unsure") throw refusal("gateway_unavailable")
  if (!(await ownerByLedger(deps, operation))) throw inProgress(operation)
}

/**
 * The operation has ended, yet its source is paid, and no check of ours may ever say by which
 * execution. So an admin decides.
 */
async function holdForAdmin(
  deps: FlowDeps,
  operation: Operation,
  total: Money,
  execution: string | null,
): Promise<never> {
  const held = await claimOperation(deps.database, operation.id, LIMITS.leaseMs)
  if (!held) throw inProgress(operation)
  // If the operation is in review already, a check was faster and holds the money.
  const now = (await holdLateMoney(deps, held, total, execution)) ?? held
  throw now.state === "review" ? underReview(now) : inProgress(now)
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
      code: "source_closed",
      changes: { sourceStatus: "CANCELED" },
    })
    return
  }
  if (status === undefined) throw refusal("gateway_unavailable")
  // The gateway knows the source again, so that the next 404 has to last anew.
  if (operation.absentAt !== null) {
    await persist(deps.database, operation, {
      event: { note: "source_seen" },
      code: "source_known_again",
      changes: { absentAt: false },
    })
  }
  await bringForward(deps.database, operation.id, 0)
  throw inProgress(operation)
}

/**
 * One 404 proves nothing, and a source that is marked as closed is never checked again. So the 404
 * has to last.
 */
async function isLongAbsent(deps: FlowDeps, operation: Operation): Promise<boolean> {
  if (operation.absentAt !== null) {
    return age(operation, operation.absentAt) >= LIMITS.neverLandedAfterMs
  }
  await persist(deps.database, operation, {
    event: { note: "absent" },
    code: "source_unknown",
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
    isPush(context) &&
    operation.accountId === context.account.id &&
    operation.credentialId === context.credentialId &&
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
