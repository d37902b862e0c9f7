/**
 * What the job does at each run: claims what is due and looks at each, some at a time, and goes on while
 * more is due. A payment that a look completes is settled in the same run. One operation that fails does
 * not stop the others: its lease ends and it is due again. What can't be begun in good time, because the
 * gateway is slow or asked to be left alone or the process is to end, is given back while the lease still
 * holds. With the database away the whole pass ends: nothing that a look learned could be written.
 */
import { setMaxListeners } from "node:events"
import { errorText } from "../core/error-text"
import { LIMITS } from "../core/limits"
import { hasOrderToClose, isMoneyOut, isOwedToMedusa, type Operation } from "../core/operation"
import { isToUndo, isUndelivered } from "../core/refund-delivery"
import { spendChecks } from "../ledger/check-budget"
import { claimDueOperations, claimOperation } from "../ledger/claim-due-operations"
import { databaseFault, isAway } from "../ledger/database-error"
import { findById } from "../ledger/find-operations"
import { alertReview } from "./alert-review"
import { checkOperation } from "./check-operation"
import { closeOrderOf, closeUnpaidOrder } from "./close-unpaid-order"
import type { FlowDeps } from "./deps"
import { expireDraft } from "./expire-draft"
import { gate, type Gate } from "./gate"
import { gatewayFor } from "./gateway-for"
import { heldBackWrites, type HeldBackWrites } from "./held-back-writes"
import { isAsked, passBudget, type PassBudget } from "./pass-budget"
import { abandonPayout } from "./payout/abandon-payout"
import { lookAtPayout } from "./payout/look-at-payout"
import { persist } from "./persist"
import { abandonRefund } from "./refund/abandon-refund"
import { deliverRefund } from "./refund/deliver-refund"
import { gatewayForRefund } from "./refund/gateway-for-refund"
import { lookAtRefund } from "./refund/look-at-refund"
import { refundOrphan } from "./refund/refund-orphans"
import { undoRefund } from "./refund/undo-refund"
import { settleCollection } from "./settle-collection"
import { showOutcome } from "./show-outcome"
import { workOff } from "./work-off"

/** What the looks of a pass share. */
type PassDeps = FlowDeps & {
  readonly writes: HeldBackWrites
  /** Before Medusa is told: its connections to the database are the shop's, too. */
  readonly settling: Gate
  /** The lease of the look surely outlives what begins now. */
  isInTime(): boolean
}

type Claimed = { readonly operation: Operation; readonly beginBeforeMs: number }

/**
 * @param options.atMost of one claim; a full one is followed by another before its last look has begun,
 *   for {@link LIMITS.passMs} at most
 * @param options.signal begins nothing more and gives back what waits; what is under way is waited for
 * @returns how many operations were claimed
 * @throws what the database said, when it is away; once, whatever the number of looks that met it
 */
export async function checkDueOperations(
  deps: FlowDeps,
  { atMost, signal }: { readonly atMost: number; readonly signal?: AbortSignal },
): Promise<number> {
  const { clock } = deps
  // Each look that waits for its turn listens to it.
  if (signal) setMaxListeners(0, signal)
  const endsAtMs = clock.monotonicMs() + LIMITS.passMs
  const budget = passBudget(deps.budget, clock, signal)
  const pass: Omit<PassDeps, "isInTime"> = {
    ...deps,
    writes: heldBackWrites(deps),
    settling: gate(LIMITS.settlesInFlight),
  }
  let claimed = 0
  let isMore = true
  const { failure, left } = await workOff<Claimed>({
    atOnce: LIMITS.checksInFlight,
    async more() {
      if (!isMore || signal?.aborted) return []
      await settleBudget(deps, budget)
      const due = await claim(deps, atMost)
      claimed += due.length
      isMore = due.length >= atMost && clock.monotonicMs() < endsAtMs
      const beginBeforeMs = clock.monotonicMs() + LIMITS.beginLooksWithinMs
      return due.map((operation) => ({ operation, beginBeforeMs }))
    },
    async work({ operation, beginBeforeMs }) {
      const look = budget.look(operation)
      try {
        const isPaused = isAsked(operation) && budget.isPaused(operation.accountId)
        const isInTime = () => clock.monotonicMs() <= beginBeforeMs
        if (isPaused || !isInTime() || signal?.aborted) pass.writes.giveBack(operation)
        else await lookAt({ ...pass, budget: look, isInTime }, operation, signal)
      } finally {
        look.end()
      }
    },
  })
  for (const { operation } of left) pass.writes.giveBack(operation)
  const end = pass.writes.end()
  if (failure) {
    // The first error says it; that the last writes meet it, too, is no news.
    await end.catch(() => undefined)
    throw failure.error
  }
  await end
  await settleBudget(deps, budget)
  return claimed
}

function claim(deps: FlowDeps, limit: number): Promise<Operation[]> {
  return claimDueOperations(deps.database, {
    leaseMs: LIMITS.leaseMs,
    limit,
    worker: deps.worker,
    onRate: (accountId, perSecond) => deps.budget.allow(accountId, perSecond),
    onUnreadable: (error) => deps.logger.error(`merchant payments: ${error.message}`),
  })
}

async function settleBudget(deps: FlowDeps, budget: PassBudget): Promise<void> {
  for (const [accountId, questions] of budget.takeUnpaid()) {
    await spendChecks(deps.database, accountId, questions)
  }
}

/** Looks at one operation now, whatever its schedule says, unless somebody else holds it. */
export async function checkNow(deps: FlowDeps, operationId: string): Promise<void> {
  const held = await claimOperation(deps.database, operationId, LIMITS.leaseMs)
  if (!held) return
  const writes = heldBackWrites(deps)
  try {
    await lookAt({ ...deps, writes, settling: (work) => work(), isInTime: () => true }, held)
  } finally {
    await writes.end()
  }
}

async function lookAt(deps: PassDeps, operation: Operation, signal?: AbortSignal): Promise<void> {
  deps.failpoints.at("claim.committed")
  try {
    await look(deps, operation)
  } catch (error) {
    // It waited for its turn to ask when the process was told to end.
    if (signal?.aborted && isAbort(error)) return deps.writes.giveBack(operation)
    // Neither at once, which would fail in the same way each second, nor only when the lease ends.
    deps.writes.postpone(operation, {
      inMs: LIMITS.lookFailedRetryMs,
      wasAnswered: false,
      isCounted: false,
    })
    if (isAway(databaseFault(error))) throw error
    deps.logger.error(`merchant payments: the look at ${operation.id} failed: ${errorText(error)}`)
  }
}

function isAbort(error: unknown): boolean {
  return (
    typeof error === "object" && error !== null && "name" in error && error.name === "AbortError"
  )
}

async function look(deps: PassDeps, operation: Operation): Promise<void> {
  if (isUndelivered(operation) && operation.state === "completed") {
    return settling(deps, operation, () => deliverRefund(deps, operation))
  }
  if (operation.state === "completed") {
    if (!isOwedToMedusa(operation)) return forget(deps, operation)
    return settling(deps, operation, () => settleCollection(deps, operation))
  }
  if (operation.state === "review") {
    return operation.type === "COLLECTION" ? refundOrphan(deps, operation) : forget(deps, operation)
  }
  if (operation.type === "REFUND") return lookAtReturn(deps, operation)
  if (isMoneyOut(operation)) return lookAtMoneyOut(deps, operation)
  const gateway = await gatewayFor(deps, operation)
  if (operation.state === "drafted") {
    if (gateway && operation.sourceId !== null) await deps.budget.take(operation.accountId)
    const ended = await expireDraft(deps, gateway, operation)
    if (ended) await deps.settling(() => closeOrderOf(deps, ended))
    return
  }
  if (hasOrderToClose(operation)) {
    return settling(deps, operation, () => closeUnpaidOrder(deps, operation))
  }
  if (!gateway) {
    return withoutCredentials(deps, operation)
  }
  const looked = await checkOperation(deps, gateway, operation, {
    postpone: deps.writes.postpone,
  })
  if (!looked || looked.state === operation.state) return
  if (!isOwedToMedusa(looked)) {
    await showOutcome(deps, looked)
    return deps.settling(() => closeOrderOf(deps, looked))
  }
  await deps.settling(async () => {
    const held = await claimOperation(deps.database, looked.id, LIMITS.leaseMs)
    if (!held) return
    // Another run may have settled it in between.
    if (isOwedToMedusa(held)) await settleCollection(deps, held)
    else deps.writes.giveBack(held)
  })
}

/** It waits for its turn under the lease of its look; where Medusa is slow, that may be over by then. */
async function settling(
  deps: PassDeps,
  operation: Operation,
  work: () => Promise<unknown>,
): Promise<void> {
  await deps.settling(async () => {
    if (deps.isInTime()) await work()
    else deps.writes.giveBack(operation)
  })
}

/** All of a payment that is in no order went back: its session shows that it can be paid again. */
async function lookAtReturn(deps: PassDeps, refund: Operation): Promise<void> {
  if (refund.state === "drafted") {
    return abandonRefund(deps, refund, "whoever asked for it stopped before anything was sent")
  }
  if (isToUndo(refund)) return settling(deps, refund, () => undoRefund(deps, refund))
  if (refund.reference === null) return forget(deps, refund)
  const gateway = await gatewayForRefund(deps, refund)
  if (!gateway) return withoutCredentials(deps, refund)
  const written = await lookAtRefund(deps, gateway, refund)
  const parent = written?.parent
  if (parent?.returnedAt && !parent.recordedAt) await showOutcome(deps, parent)
  const isOpen = refund.state === "submitted" || refund.state === "in_flight"
  const looked = written?.refund ?? (isOpen ? await findById(deps.database, refund.id) : undefined)
  if (!looked || !isUndelivered(looked)) return
  await deps.settling(async () => {
    const held = await claimOperation(deps.database, looked.id, LIMITS.leaseMs)
    if (held && isUndelivered(held)) await deliverRefund(deps, held)
    else if (held) deps.writes.giveBack(held)
  })
}

/** A draft's recipient and passcode were in the memory of whoever made it. */
async function lookAtMoneyOut(deps: FlowDeps, operation: Operation): Promise<void> {
  if (operation.state === "drafted") {
    return abandonPayout(deps, operation, {
      why: "whoever asked for it stopped before anything was sent",
      reason: "never_landed",
    })
  }
  // It ended before it had one: nothing of it is at the gateway.
  if (operation.reference === null) return forget(deps, operation)
  const gateway = await gatewayFor(deps, operation)
  if (!gateway) return withoutCredentials(deps, operation)
  await lookAtPayout(deps, gateway, operation)
}

/** Nobody to ask: asked again while it may still be put right, then before a person. */
async function withoutCredentials(deps: FlowDeps, operation: Operation): Promise<void> {
  const isOpen = operation.state === "submitted" || operation.state === "in_flight"
  const ageMs = operation.readAt.getTime() - operation.createdAt.getTime()
  const isOver = ageMs >= (isOpen ? LIMITS.collectionAskMs : LIMITS.watchForMs)
  const written = await persist(deps.database, operation, {
    event: isOver && isOpen ? "doubt" : { note: "no_credentials" },
    why: "there are no credentials to ask the gateway with",
    changes: isOver && isOpen ? { reason: "credentials" } : {},
    next: isOver ? "never" : { inMs: withoutCredentialsMs(ageMs) },
    lease: "release",
  })
  alertReview(deps, operation, written, "there are no credentials to ask the gateway with")
}

/** At first another worker, with the credentials of before, may still come by. */
function withoutCredentialsMs(ageMs: number): number {
  return ageMs < LIMITS.neverLandedAfterMs ? LIMITS.lookFailedRetryMs : LIMITS.neverLandedAfterMs
}

/** Due without a reason: a row that a later version or a person's change left so. */
async function forget(deps: FlowDeps, operation: Operation): Promise<void> {
  await persist(deps.database, operation, {
    event: { note: "not_due" },
    why: "nothing is to be asked or told",
    next: "never",
    lease: "release",
  })
}
