/**
 * An admin decides about what waits in review: accept, refund or dismiss. The gateway is asked
 * first. The event keeps who, why, and what the gateway said.
 *
 * The decision is a compare-and-set on the version that was decided about: of two admins at once
 * one writes, and the other learns what became of it.
 *
 * If the process dies before the write, nothing was decided; after it, the job goes on.
 */
import { LIMITS } from "../core/limits"
import type { Operation, OperationType } from "../core/operation"
import { whyNotResolved } from "../core/possibilities"
import { refusal } from "../core/refusal"
import type { Changes } from "../ledger/advance-operation"
import { brokenRule } from "../ledger/database"
import { findById, findLiveOfCollection } from "../ledger/find-operations"
import { askNow, factsOf, readNow, type GatewayNow } from "../engine/ask-now"
import type { FlowDeps } from "../engine/deps"
import { KINDS } from "../engine/kinds"
import { showOutcome } from "../checkout/show-outcome"
import { keptNote } from "../payouts/kept-note"
import type { Resolution, Resolved, Rule, Ruling } from "./resolution"
import { anotherLive, collectionRule, refundCollection } from "./resolve-collection"
import { moneyOutRule } from "./resolve-money-out"
import { findDecision } from "./sql/operation-events"

const RULES: Readonly<Record<OperationType, Rule>> = {
  COLLECTION: collectionRule,
  REFUND: moneyOutRule,
  PAYOUT: moneyOutRule,
  TRANSFER: moneyOutRule,
}

/**
 * @returns what the gateway said when it was decided
 * @throws Refusal `operation_not_found`, `not_in_review`, `already_resolved`,
 *   `action_not_possible`, `refund_in_progress`, `payment_intent_unknown`, `not_paid`,
 *   `amount_differs`, `refund_amount_changed`, `order_closed`, `another_payment_live`,
 *   `not_its_order`, `cannot_be_settled`, `payment_in_progress`, `refund_completed`,
 *   `refund_not_completed`, `refund_needs_second_admin`, `gateway_unavailable`, `not_configured`,
 *   and those of `requestRefund`
 */
export async function resolveOperation(deps: FlowDeps, given: Resolution): Promise<GatewayNow> {
  const resolution = { ...given, note: keptNote(given.note) }
  for (let attempt = 0; attempt < LIMITS.resolveTries; attempt++) {
    const operation = await findById(deps.database, resolution.operationId)
    if (!operation) throw refusal("operation_not_found")
    await refuseImpossible(deps, operation, resolution)
    const resolved = await resolve(deps, operation, resolution)
    if (resolved !== "moved") return resolved
  }
  throw refusal("payment_in_progress", {}, { payment: null })
}

async function resolve(
  deps: FlowDeps,
  operation: Operation,
  resolution: Resolution,
): Promise<Resolved> {
  const rule = RULES[operation.type]
  switch (resolution.action) {
    case "refund":
    case "refund_rest":
      return refundCollection(deps, operation, resolution)
    case "accept":
    case "accept_asked": {
      const now = await readNow(deps, operation)
      const ruling = await rule.accept(deps, operation, now, resolution)
      return write(deps, operation, resolution, now, {
        ...ruling,
        changes: { ...ACCEPTED, ...ruling.changes },
      })
    }
    case "dismiss": {
      const now = await (isUnanswerable(operation) ? askNow : readNow)(deps, operation)
      return write(deps, operation, resolution, now, rule.dismiss(operation, now))
    }
  }
}

const ACCEPTED: Changes = {
  checks: 0,
  checkedAt: true,
  failedAt: false,
  absentAt: false,
  reason: null,
}

/** Where no answer can come, or none has come for days, only the admin's word is left. */
function isUnanswerable({ reason, sourceId, reference }: Operation): boolean {
  return (
    reason === "no_answer" || reason === "credentials" || (sourceId === null && reference === null)
  )
}

async function write(
  deps: FlowDeps,
  operation: Operation,
  { action, note, adminId }: Resolution,
  now: GatewayNow,
  { shown, changes, facts, ...ruling }: Ruling,
): Promise<Resolved> {
  const isDismissed = action === "dismiss"
  const decided = {
    event: isDismissed ? "dismiss" : "accept",
    code: "note",
    facts: { by: adminId, note, ...factsOf(now), reason: operation.reason, ...facts },
    changes: isDismissed ? { ...changes, dismissedAt: true } : changes,
    ...ruling,
    lease: "release",
  } as const
  const written = await unlessLive(deps, operation, () =>
    KINDS[operation.type].advance(deps.database, operation, decided),
  )
  if (!written) return "moved"
  const toShow = shown?.(written)
  if (toShow) await showOutcome(deps, toShow)
  return now
}

/** The database's rule, not an earlier read, says whether another payment holds the collection. */
async function unlessLive<T>(
  deps: FlowDeps,
  operation: Operation,
  writing: () => Promise<T>,
): Promise<T> {
  try {
    return await writing()
  } catch (error) {
    if (brokenRule(error) !== "one_live_collection_per_payment_collection") throw error
    throw anotherLive(await findLiveOfCollection(deps.database, operation.paymentCollectionId))
  }
}

async function refuseImpossible(
  deps: FlowDeps,
  operation: Operation,
  { action }: Resolution,
): Promise<void> {
  const whyNot = whyNotResolved(operation, action)
  if (whyNot === null) return
  if (operation.state === "review") throw refusal(whyNot)
  const decision = await findDecision(deps.database, operation.id)
  const code = decision ? "already_resolved" : whyNot
  const decided = decision && {
    action: decision.name,
    by: decision.facts["by"] ?? decision.facts["asked_by"] ?? null,
    at: decision.at.toISOString(),
  }
  throw refusal(code, { state: operation.state }, { decided })
}
