/**
 * A shopper gives up. What the gateway allows to be closed is closed there and seen `CANCELED`;
 * what is already moving is watched and answered with 409: only the shopper's phone can decline a
 * prompt.
 */
import { hasRunningStart, isLive, isPage, isRecorded, type Operation } from "../core/operation"
import { refusal, tooMany } from "../core/refusal"
import { findById } from "../ledger/find-operations"
import { releaseOperation } from "../ledger/postpone-operation"
import { check } from "../engine/check"
import type { FlowDeps } from "../engine/deps"
import { endDraft } from "../engine/end-draft"
import { gatewayFor } from "../engine/gateway-for"
import { persist } from "../engine/persist"
import { shopperTime, type ShopperTime } from "../engine/shopper-time"
import { claimClosable, inProgress } from "./existing-payment"
import { readStatus, type StatusRequest } from "./read-status"
import { statusOf, type Status } from "./rules/status"
import { showOutcome } from "./show-outcome"

/**
 * @returns STATUS once nothing can be taken any more, or nothing was sent
 * @throws Refusal `payment_in_progress`, `already_paid`, `under_review`, `session_not_found`,
 *   `too_many_requests`
 */
export async function cancelPayment(deps: FlowDeps, request: StatusRequest): Promise<Status> {
  const { operation, status } = await readStatus(deps, request)
  if (!operation || !isLive(operation)) return status
  if (isRecorded(operation)) {
    throw refusal("already_paid", {}, { payment: status })
  }
  if (operation.state === "review") {
    throw refusal("under_review.shopper", {}, { payment: status })
  }
  const canClose =
    (operation.state === "drafted" && !hasRunningStart(operation)) ||
    (isPage(operation) && operation.state !== "completed")
  if (!canClose) throw inProgress(operation)
  const waitMs = await deps.shopperLimit.take({ counted: { cancelled: operation.id } })
  if (waitMs > 0) throw tooMany(waitMs)
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
    throw refusal("gateway_unavailable")
  }
  const closing = await persist(deps.database, held, {
    event: { note: "closing" },
    code: "shopper_canceled",
    changes: { closing: "canceled" },
  })
  if (closing) await check(deps, gateway, closing, { host: deps.host, shopper })
}
