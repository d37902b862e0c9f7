/**
 * An admin checks now. What is under way is checked as the job would, its document included, and
 * moves as the gateway says. What waits for a decision, or is done, is only asked about, and nothing
 * is decided by it.
 */
import type { ExecutionFinding, Findings } from "../core/decide/decision"
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
 * @returns what the gateway said; undefined where the operation was checked, and shows it itself
 * @throws Refusal `operation_not_found`
 */
export async function checkForPerson(
  deps: FlowDeps,
  operationId: string,
  adminId: string,
): Promise<GatewayNow | undefined> {
  const operation = await findById(deps.database, operationId)
  if (!operation) throw refusal("operation_not_found")
  if (isChecked(operation)) {
    await note(deps, operation, adminId, undefined)
    await checkNow(deps, operation.id, { isForPerson: true })
    return undefined
  }
  const now = await askNow(deps, operation)
  // That money was taken back is listed at once. That all agree again, the comparison alone can say.
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
  return {
    ...(executed !== null && { execution }),
    ...(source !== null && total !== null && { source: { kind: "seen", status: source, total } }),
  }
}

/** Whether a check can move it. What never was at the gateway has nothing to check. */
function isChecked(operation: Operation): boolean {
  const { state } = operation
  if (!isAskable(operation)) return false
  return state === "completed"
    ? isOwedToMedusa(operation)
    : state !== "review" && state !== "drafted"
}

/** Not while a worker holds it: the worker's write must find the version that it read. */
async function note(
  deps: FlowDeps,
  { id }: Operation,
  adminId: string,
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
