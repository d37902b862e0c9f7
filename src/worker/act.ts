/**
 * One check of an operation that this worker holds, or work in Medusa that follows from one. If
 * Medusa answers too late, the check stops at that call. The lease is kept until Medusa answers;
 * then the operation is due again.
 */
import { errorText } from "../core/error-text"
import { LIMITS } from "../core/limits"
import { hasOrderToClose, isToUndo, type Operation } from "../core/operation"
import { claimOperation } from "../ledger/claim-due-operations"
import { databaseFault, isAway } from "../ledger/database-error"
import { postponeUnasked, unasked } from "../ledger/postpone-operation"
import type { Held } from "../engine/deps"
import { noteFailure } from "../telemetry/correlation"
import { checkSpan } from "../telemetry/spans"
import { abandoning, type MedusaLate } from "./bounded"
import { stepOn, type Checking, type MedusaWork } from "./due-steps"
import { closingOf, MEDUSA_WORK } from "./under-way"

/** An operation that this worker holds, or work in Medusa that follows from its check. */
export type Check = { readonly operation: Operation } | MedusaWork

export const isMedusaWork = (what: object): what is MedusaWork => "isOwed" in what

/** The group whose places a check takes: its account's, or one of those for work in Medusa. */
export function groupOf(what: Check): string {
  if (isMedusaWork(what)) return what.group
  const { operation } = what
  const { state, accountId } = operation
  if (state === "completed") return MEDUSA_WORK
  const isClosing = state === "review" || hasOrderToClose(operation) || isToUndo(operation)
  return isClosing ? closingOf(accountId) : accountId
}

/** Runs a check to its end, or until Medusa is late with an answer. */
export function act(deps: Checking, what: Check, signal?: AbortSignal): Promise<void> {
  return checkSpan(deps, what.operation, () => actInSpan(deps, what, signal))
}

async function actInSpan(deps: Checking, what: Check, signal?: AbortSignal): Promise<void> {
  const held: Held = { operation: what.operation }
  let onLate: (late: MedusaLate) => void = () => undefined
  const late = new Promise<MedusaLate>((resolve) => (onLate = resolve))
  const letGo = deps.underWay.hold(held)
  let unanswered: MedusaLate | undefined
  try {
    const own = { ...deps, medusa: abandoning(deps.medusa, onLate) }
    const step = () =>
      isMedusaWork(what) ? inMedusa(own, what, held) : stepOn(own, what.operation)
    const done = untilDone(own, held, step, signal).then(() => undefined)
    unanswered = await Promise.race([done, late])
  } finally {
    if (!unanswered) letGo()
  }
  if (unanswered) leaveUnanswered(deps, groupOf(what), { held, letGo, late: unanswered })
}

/** Keeps the lease while Medusa may still do the work; then the operation is due at once. */
function leaveUnanswered(
  { underWay, database, logger }: Checking,
  group: string,
  { held, letGo, late }: { held: Held; letGo: () => void; late: MedusaLate },
): void {
  const { id } = held.operation
  logger.error(
    `merchant payments: ${id}: ${late.message}; ` +
      "the payment is held until it does, and the others go on",
  )
  const answered = underWay.leave(group, held)
  const end = async () => {
    await late.ended
    answered()
    letGo()
    await postponeUnasked(database, held.operation, 0)
    logger.info(`merchant payments: ${id}: Medusa has answered ${late.method}`)
  }
  // If the database is away, the lease ends by itself.
  end().catch(() => undefined)
}

async function inMedusa(deps: Checking, work: MedusaWork, held: Held): Promise<void> {
  const { database, worker } = deps
  const operation = work.isHeld
    ? work.operation
    : await claimOperation(database, work.operation.id, LIMITS.leaseMs, worker)
  if (!operation) return
  held.operation = operation
  if (work.isOwed(operation)) await work.act(deps, operation)
  else deps.writes.releaseUnbegun(operation)
}

async function untilDone(
  { writes, logger }: Checking,
  held: Held,
  step: () => Promise<void>,
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    await step()
  } catch (error) {
    // The check was waiting for its turn to ask when the process had to end.
    if (signal?.aborted && isAbort(error)) return writes.releaseUnbegun(held.operation)
    // Due again soon: at once it would fail the same way each second, and the lease lasts too long.
    writes.postpone(held.operation, unasked(LIMITS.checkFailedRetryMs))
    if (isAway(databaseFault(error))) throw error
    noteFailure(error)
    logger.error(`merchant payments: the check of ${held.operation.id} failed: ${errorText(error)}`)
  }
}

function isAbort(error: unknown): boolean {
  return (
    typeof error === "object" && error !== null && "name" in error && error.name === "AbortError"
  )
}
