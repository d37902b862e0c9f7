/**
 * A shopper gives up. What the gateway allows to be closed is closed there and seen `CANCELED`; what is
 * already moving is watched and answered with 409: only the shopper's phone can decline a prompt.
 */
import { hasRunningStart, isLive, isPage, isRecorded, type Operation } from "../core/operation"
import { Refusal, tooMany } from "../core/refusal"
import { statusOf, type Status } from "../core/status"
import { findById } from "../ledger/find-operations"
import { releaseOperation } from "../ledger/postpone-operation"
import { checkOperation } from "./check-operation"
import type { FlowDeps } from "./deps"
import { endDraft } from "./expire-draft"
import { gatewayFor } from "./gateway-for"
import { persist } from "./persist"
import { readStatus, type StatusRequest } from "./read-status"
import { shopperTime, type ShopperTime } from "./shopper-time"
import { showOutcome } from "./show-outcome"
import { gatewayUnavailable } from "./start/refuse-for"
import { claimClosable, inProgress } from "./start/standing"

/**
 * @returns STATUS once nothing can be taken any more, or nothing was sent
 * @throws Refusal `payment_in_progress`, `already_paid`, `under_review`, `session_not_found`,
 *   `too_many_requests`
 */
export async function cancelPayment(deps: FlowDeps, request: StatusRequest): Promise<Status> {
  const { operation, status } = await readStatus(deps, request)
  if (!operation || !isLive(operation)) return status
  if (isRecorded(operation)) {
    throw new Refusal("already_paid", "This is paid already.", { payment: status })
  }
  if (operation.state === "review") {
    throw new Refusal("under_review", "We have your payment and look into it.", { payment: status })
  }
  const canClose =
    (operation.state === "drafted" && !hasRunningStart(operation)) ||
    (isPage(operation) && operation.state !== "completed")
  if (!canClose) throw inProgress(operation)
  const waitMs = await deps.shopperLimit.take({ counted: { cancelled: operation.id } })
  if (waitMs > 0) throw tooMany("This was asked for a moment ago.", waitMs)
  const held = await claimClosable(deps, operation)
  if (!held) throw inProgress(operation)
  await close(deps, held, shopperTime(deps.clock))
  const after = (await findById(deps.database, held.id)) ?? held
  if (isLive(after)) throw inProgress(after)
  await showOutcome(deps, after)
  return statusOf(after, request.sessionId)
}

async function close(deps: FlowDeps, held: Operation, shopper: ShopperTime): Promise<void> {
  const gateway = await gatewayFor(deps, held)
  if (held.state === "drafted") {
    await endDraft(deps, gateway, held, "canceled", shopper)
    return
  }
  if (!gateway) {
    await releaseOperation(deps.database, held)
    throw gatewayUnavailable()
  }
  deps.failpoints.at("cancel.before_commit")
  const closing = await persist(deps.database, held, {
    event: { note: "closing" },
    why: "the shopper gave up",
    changes: { closing: "canceled" },
  })
  deps.failpoints.at("cancel.committed")
  if (closing) await checkOperation(deps, gateway, closing, { shopper })
}
