/**
 * An admin checks an operation now. If it is under way, it is checked as the job would, its source
 * included, and moves as the gateway says. If it waits for a decision or is done, the gateway is
 * only asked, and nothing is decided by the answer.
 */
import type { ExecutionFinding, Findings } from "../core/decide/decision"
import type { AdminId, OperationId } from "../core/ids"
import { LIMITS } from "../core/limits"
import { isOwedToMedusa, type Operation } from "../core/operation"
import { isAskable } from "../core/possibilities"
import { refusal } from "../core/refusal"
import { advanceOperation } from "../ledger/advance-operation"
import { claimOperation } from "../ledger/claim-due-operations"
import { findById } from "../ledger/find-operations"
import { noteAskedAgain } from "../engine/ask-completed"
import { askNow, factsOf, type GatewayNow } from "../engine/ask-now"
import type { FlowDeps } from "../engine/deps"
import { checkNow } from "../worker/check-due-operations"

/**
 * @returns what the gateway said; undefined where the operation was checked, because the operation
 *   then shows the result
 * @throws Refusal `operation_not_found`
 */
export async function checkForPerson(
  deps: FlowDeps,
  operationId: OperationId,
  adminId: AdminId,
): Promise<GatewayNow | undefined> {
  const operation = await findById(deps.database, operationId)
  if (!operation) throw refusal("operation_not_found")
  if (isChecked(operation)) {
    await note(deps, operation, adminId, undefined)
    await checkNow(deps, operation.id, { isForPerson: true })
    return undefined
  }
  const now = await askNow(deps, operation)
  // Money that was taken back is listed at once. Only the comparison says that all agree again.
  if (operation.state === "completed" && operation.contradictedAt === null) {
    await noteAskedAgain(deps, operation, findingsOf(now))
  }
  await note(deps, operation, adminId, now)
  return now
}

function findingsOf(now: GatewayNow): Findings {
  if (now.kind !== "reads") return {}
  const { execution: executed, source, total } = now
  const execution: ExecutionFinding =
    executed === "absent" ? { kind: "absent" } : { kind: "seen", status: executed ?? "" }
  const isSourceRead = source !== null && source !== "unreadable" && total !== null
  return {
    ...(executed !== null && executed !== "unreadable" && { execution }),
    ...(isSourceRead && { source: { kind: "seen", status: source, total } }),
  }
}

/**
 * Whether a check can move the operation. One that never was at the gateway has nothing to check.
 */
function isChecked(operation: Operation): boolean {
  const { state } = operation
  if (!isAskable(operation)) return false
  return state === "completed"
    ? isOwedToMedusa(operation)
    : state !== "review" && state !== "drafted"
}

/**
 * Records the admin's check, unless a worker holds the operation: the worker's write must find the
 * version that it read.
 */
async function note(
  deps: FlowDeps,
  { id }: Operation,
  adminId: AdminId,
  now: GatewayNow | undefined,
): Promise<void> {
  const held = await claimOperation(deps.database, id, LIMITS.leaseMs)
  if (!held) return
  await advanceOperation(deps.database, held, {
    event: { note: "checked_by_person" },
    code: "checked_by_admin",
    facts: { by: adminId, ...(now ? factsOf(now) : {}) },
    lease: "release",
  })
}
