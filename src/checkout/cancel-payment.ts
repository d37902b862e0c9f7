/**
 * A shopper gives up a payment. The source of a payment page, or of a prompt that is not being
 * paid, is closed if the gateway allows it, and read as `CANCELED`. For a payment that is moving,
 * or can't be read, the answer is 409. If the gateway was silent, the job closes the source later.
 */
import { hasRunningStart, isLive, isPage } from "../core/operation"
import { wasRecorded } from "../core/recorded"
import { refusal, tooMany } from "../core/refusal"
import { findById } from "../ledger/find-operations"
import type { FlowDeps } from "../engine/deps"
import { shopperTime } from "../engine/shopper-time"
import { closeLive, inProgress, inProgressNow, isOpenPush } from "./existing-payment"
import { readStatus, type StatusRequest } from "./read-status"
import { statusOf } from "./rules/status"
import type { Status } from "./schemas/status"
import { showOutcome } from "./show-outcome"

/**
 * @returns STATUS, once no money can be taken any more, or where nothing was sent
 * @throws Refusal `payment_in_progress`, `already_paid`, `under_review`, `session_not_found`,
 *   `too_many_requests`
 */
export async function cancelPayment(deps: FlowDeps, request: StatusRequest): Promise<Status> {
  const { operation, status } = await readStatus(deps, request)
  if (!operation || !isLive(operation)) return status
  if (wasRecorded(operation)) throw refusal("already_paid", {}, { payment: status })
  if (operation.state === "review") {
    throw refusal("under_review.shopper", {}, { payment: status })
  }
  const canClose =
    (operation.state === "drafted" && !hasRunningStart(operation)) ||
    (isPage(operation) && operation.state !== "completed") ||
    isOpenPush(operation)
  if (!canClose) throw inProgress(operation, status)
  const waitMs = await deps.shopperLimit.take({ counted: { cancelled: operation.id } })
  if (waitMs > 0) throw tooMany(waitMs)
  const held = await closeLive(
    deps,
    operation,
    { code: "shopper_canceled" },
    shopperTime(deps.clock),
  )
  const after = (await findById(deps.database, held.id)) ?? held
  if (isLive(after)) throw await inProgressNow(deps, after)
  await showOutcome(deps, after)
  return statusOf(after, request.sessionId)
}
