/**
 * What the job does at each run: claims what is due and looks at each, some at a time. A payment that a
 * look completes is settled in the same run. One operation that fails does not stop the others: its
 * lease ends and it is due again. What can't be begun in good time, because the gateway is slow or asked
 * to be left alone, is given back while the lease still holds. With the database away the whole pass
 * ends: nothing that a look learned could be written.
 */
import { LIMITS } from "../core/limits"
import { isOwedToMedusa, type Operation } from "../core/operation"
import { accountById } from "../ledger/accounts"
import { spendChecks } from "../ledger/check-budget"
import { claimDueOperations, claimOperation } from "../ledger/claim-due-operations"
import { databaseFault, isAway } from "../ledger/database-error"
import {
  postponeOperation,
  releaseOperation,
  releaseOperations,
} from "../ledger/postpone-operation"
import { alertReview } from "./alert-review"
import { checkOperation } from "./check-operation"
import type { FlowDeps } from "./deps"
import { expireDraft } from "./expire-draft"
import { isAsked, passBudget } from "./pass-budget"
import { persist } from "./persist"
import { settleCollection } from "./settle-collection"
import { showOutcome } from "./show-outcome"

/**
 * @returns how many operations were looked at
 * @throws what the database said, when it is away; once, whatever the number of looks that met it
 */
export async function checkDueOperations(
  deps: FlowDeps,
  options: { readonly atMost: number },
): Promise<number> {
  const due = await claimDueOperations(deps.database, {
    leaseMs: LIMITS.leaseMs,
    limit: options.atMost,
    worker: deps.worker,
    onRate: (accountId, perSecond) => deps.budget.allow(accountId, perSecond),
    onUnreadable: (error) => deps.logger.error(`merchant payments: ${error.message}`),
  })
  const beginBeforeMs = deps.clock.monotonicMs() + LIMITS.beginLooksWithinMs
  const budget = passBudget(deps.budget, due)
  const queue = [...due]
  const isToBegin = (operation: Operation) =>
    deps.clock.monotonicMs() <= beginBeforeMs &&
    !(isAsked(operation) && budget.isPaused(operation.accountId))
  const workers = Array.from(
    { length: Math.min(LIMITS.checksInFlight, queue.length) },
    async () => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        await (isToBegin(next) ? lookAt({ ...deps, budget }, next) : giveBack(deps, next))
      }
    },
  )
  const ends = await Promise.allSettled(workers.map((worker) => worker.catch(stop)))
  const failed = ends.find((end) => end.status === "rejected")
  if (failed) throw failed.reason
  for (const [accountId, questions] of budget.unpaid()) {
    await spendChecks(deps.database, accountId, questions)
  }
  return due.length

  /** What was not begun is given back in one go, by the first that notices. */
  async function stop(error: unknown): Promise<never> {
    const left = queue.splice(0)
    if (left.length > 0) await releaseOperations(deps.database, left).catch(() => undefined)
    throw error
  }
}

/** Looks at one operation now, whatever its schedule says, unless somebody else holds it. */
export async function checkNow(deps: FlowDeps, operationId: string): Promise<void> {
  const held = await claimOperation(deps.database, operationId, LIMITS.leaseMs)
  if (held) await lookAt(deps, held)
}

async function lookAt(deps: FlowDeps, operation: Operation): Promise<void> {
  deps.failpoints.at("claim.committed")
  try {
    await look(deps, operation)
  } catch (error) {
    if (isAway(databaseFault(error))) {
      // A single line that broke is enough to come here, so the row is not left until its lease ends.
      await retrySoon(deps, operation)
      throw error
    }
    const message = error instanceof Error ? error.message : String(error)
    deps.logger.error(
      `merchant payments: the look at ${operation.id} failed: ` +
        message.slice(0, LIMITS.messageLengthMax),
    )
    await retrySoon(deps, operation)
  }
}

/** Neither at once, which would fail in the same way each second, nor only when the lease ends. */
async function retrySoon(deps: FlowDeps, operation: Operation): Promise<void> {
  await postponeOperation(deps.database, operation, {
    inMs: LIMITS.lookFailedRetryMs,
    waitingForgottenMs: LIMITS.waitingForgottenMs,
    wasAnswered: false,
    isCounted: false,
  }).catch(() => undefined)
}

async function giveBack(deps: FlowDeps, operation: Operation): Promise<void> {
  // What can't be given back comes back by itself when its lease ends.
  await releaseOperation(deps.database, operation).catch(() => undefined)
}

async function look(deps: FlowDeps, operation: Operation): Promise<void> {
  if (operation.state === "completed") {
    if (isOwedToMedusa(operation)) await settleCollection(deps, operation)
    else await forget(deps, operation)
    return
  }
  if (operation.state === "review") return forget(deps, operation)
  const account = accountById(await deps.accounts(), operation.accountId)
  const gateway = account && deps.gatewayOf(account)
  if (operation.state === "drafted") {
    if (gateway && operation.sourceId !== null) await deps.budget.take(operation.accountId)
    return expireDraft(deps, gateway, operation)
  }
  if (!gateway) {
    return withoutCredentials(deps, operation)
  }
  const looked = await checkOperation(deps, gateway, operation)
  if (!looked || looked.state === operation.state) return
  if (!isOwedToMedusa(looked)) return showOutcome(deps, looked)
  const held = await claimOperation(deps.database, looked.id, LIMITS.leaseMs)
  if (!held) return
  // Another run may have settled it in between.
  await (isOwedToMedusa(held) ? settleCollection(deps, held) : giveBack(deps, held))
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
    next: isOver ? "never" : { inMs: LIMITS.neverLandedAfterMs },
    lease: "release",
  })
  alertReview(deps, operation, written, "there are no credentials to ask the gateway with")
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
