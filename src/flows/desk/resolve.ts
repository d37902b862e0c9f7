/**
 * A person decides about what waits in review: accept, refund or dismiss.
 *
 * The gateway is asked first, at this moment. What is decided is written by compare-and-set on the
 * version that was decided about, with who, why and what the gateway said in the event: of two admins at
 * once one writes, and the other is told what became of it. If the process dies before the write, nothing
 * was decided; after it, the job goes on from the row.
 */
import { NOT_POSSIBLE, whyNotResolved } from "../../core/desk"
import { LIMITS } from "../../core/limits"
import { isMoneyOut, type Operation } from "../../core/operation"
import { Refusal } from "../../core/refusal"
import { findById } from "../../ledger/find-operations"
import { findDecision } from "../../ledger/operation-events"
import type { FlowDeps } from "../deps"
import { keptNote } from "../kept-note"
import { acceptPayout, dismissPayout } from "../payout/resolve-payout"
import type { GatewayNow } from "./ask-now"
import { acceptCollection, dismissCollection, refundCollection } from "./resolve-collection"
import { acceptRefund, dismissRefund } from "./resolve-refund"

export type Resolution = {
  readonly operationId: string
  readonly action: "accept" | "refund" | "dismiss"
  /** Why, in the person's own words; kept with the event, phone numbers masked. */
  readonly note: string
  /** Who. */
  readonly adminId: string
  /** Of a refund, in major units: what the person was shown. Another amount is not sent. */
  readonly expectedAmount?: number | undefined
  /** Where the money is meant to go; only ever the payment's own. */
  readonly cartId?: string | undefined
  readonly orderId?: string | undefined
}

/** `moved`: somebody has written since it was read; it is to be read and decided about again. */
export type Resolved = GatewayNow | "moved"

/**
 * @returns what the gateway said when it was decided
 * @throws Refusal `operation_not_found`, `not_in_review`, `already_resolved`, `action_not_possible`,
 *   `refund_in_progress`, `payment_intent_unknown`, `not_paid`, `amount_differs`, `refund_amount_changed`, `order_closed`,
 *   `another_payment_live`, `not_its_order`, `cannot_be_settled`, `payment_in_progress`,
 *   `refund_completed`, `refund_not_completed`, `refund_needs_second_admin`, `gateway_unavailable`,
 *   `not_configured`, and those of `requestRefund`
 */
export async function resolveOperation(deps: FlowDeps, given: Resolution): Promise<GatewayNow> {
  const resolution = { ...given, note: keptNote(given.note) }
  for (let attempt = 0; attempt < LIMITS.resolveTries; attempt++) {
    const operation = await findById(deps.database, resolution.operationId)
    if (!operation) throw operationNotFound()
    await refuseImpossible(deps, operation, resolution)
    const resolved = await resolve(deps, operation, resolution)
    if (resolved !== "moved") return resolved
  }
  throw new Refusal(
    "payment_in_progress",
    "Others are at this payment just now. Nothing was changed. Try again in a moment.",
    { payment: null },
  )
}

export function operationNotFound(): Refusal {
  return new Refusal("operation_not_found", "There is no operation with this id.")
}

function resolve(deps: FlowDeps, operation: Operation, resolution: Resolution): Promise<Resolved> {
  if (isMoneyOut(operation) && resolution.action !== "refund") {
    const act = resolution.action === "accept" ? acceptPayout : dismissPayout
    return act(deps, operation, resolution)
  }
  const isRefund = operation.type === "REFUND"
  switch (resolution.action) {
    case "accept":
      return (isRefund ? acceptRefund : acceptCollection)(deps, operation, resolution)
    case "dismiss":
      return (isRefund ? dismissRefund : dismissCollection)(deps, operation, resolution)
    case "refund":
      return refundCollection(deps, operation, resolution)
  }
}

async function refuseImpossible(
  deps: FlowDeps,
  operation: Operation,
  { action }: Resolution,
): Promise<void> {
  const whyNot = whyNotResolved(operation, action)
  if (whyNot === null) return
  if (operation.state === "review") throw new Refusal(whyNot, NOT_POSSIBLE[whyNot].en)
  const decision = await findDecision(deps.database, operation.id)
  const code = decision ? "already_resolved" : whyNot
  throw new Refusal(code, `${NOT_POSSIBLE[code].en} It is ${operation.state}.`, {
    decided: decision && {
      action: decision.name,
      by: decision.facts["by"] ?? decision.facts["asked_by"] ?? null,
      at: decision.at.toISOString(),
    },
  })
}
