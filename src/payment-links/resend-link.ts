/**
 * Gives out a payment link again, for a payer who has lost it. The gateway has no call that sends
 * anything to a payer (contract, 10): it gives out the address of a source's page once more, and
 * the merchant sends it. No money moves, and a link that is over is not brought back.
 *
 * A prompt on a phone can't be sent again: the gateway carries it out once.
 */
import { LIMITS } from "../core/limits"
import type { Operation } from "../core/operation"
import { refusal, tooMany } from "../core/refusal"
import type { WebAddress } from "../core/said/texts"
import type { Gateway } from "../gateway"
import { advanceOperation } from "../ledger/advance-operation"
import { ageOfLastEvent } from "../ledger/find-events"
import { findById } from "../ledger/find-operations"
import type { FlowDeps } from "../engine/deps"
import { requireGateway } from "../engine/gateway-for"
import { isForOtherTotal } from "../engine/open-amount"
import { shopperTime } from "../engine/shopper-time"
import { startRefusalOf } from "../checkout/start-refusal"
import type { AdminId, OperationId } from "../core/ids"
import { forAdmin, isLiveLink } from "./make-link"

const SENT_AGAIN = "link_sent_again"

/**
 * @throws Refusal `operation_not_found`, `resend_not_possible`, `link_closed`, `too_many_requests`,
 *   `not_configured`, `gateway_refused`, `gateway_unavailable`
 */
export async function resendLink(
  deps: FlowDeps,
  operationId: OperationId,
  adminId: AdminId,
): Promise<void> {
  const operation = await readSendable(deps, operationId)
  await refuseOutdated(deps, operation)
  const gateway = await requireGateway(deps, operation)
  const hostedUrl = await addressOf(deps, gateway, operation)
  for (let attempt = 0; attempt < LIMITS.resolveTries; attempt++) {
    // The operation is read again: of two clicks at once the second finds the first, and is
    // refused.
    const fresh = attempt === 0 ? operation : await readSendable(deps, operationId)
    const written = await advanceOperation(deps.database, fresh, {
      event: { note: SENT_AGAIN },
      code: "link_sent_again",
      facts: { by: adminId },
      changes: { hostedUrl },
    })
    if (written) return
  }
  throw refusal("payment_in_progress")
}

async function readSendable(deps: FlowDeps, operationId: OperationId): Promise<Operation> {
  const operation = await findById(deps.database, operationId)
  if (!operation) throw refusal("operation_not_found")
  refuseOther(operation)
  await refuseTooSoon(deps, operation)
  return operation
}

function refuseOther(operation: Operation): void {
  if (operation.flow !== "link") throw refusal("resend_not_possible")
  const isOver = operation.expiresAt.getTime() <= operation.readAt.getTime()
  if (isOver || !isLiveLink(operation)) throw refusal("link_closed")
}

/**
 * Refuses a link whose order asks for another amount now. The job closes such a link within
 * minutes, but a payer who gets the address before that would pay what no order asks for.
 */
async function refuseOutdated(deps: FlowDeps, operation: Operation): Promise<void> {
  if (await isForOtherTotal(deps, operation)) throw refusal("link_closed")
}

async function refuseTooSoon(deps: FlowDeps, { id }: Operation): Promise<void> {
  const ageMs = await ageOfLastEvent(deps.database, id, SENT_AGAIN)
  if (ageMs === undefined || ageMs >= LIMITS.linkResendEveryMs) return
  throw tooMany(LIMITS.linkResendEveryMs - ageMs)
}

async function addressOf(
  deps: FlowDeps,
  gateway: Gateway,
  { sourceType, sourceNumber }: Operation,
): Promise<WebAddress> {
  if (sourceNumber === null) throw refusal("link_closed")
  const { callOptions } = shopperTime(deps.clock)
  const outcome = await gateway.links.pay({ sourceType, sourceNumber }, callOptions())
  if (outcome.kind === "done") return outcome.value.url
  throw forAdmin(startRefusalOf(outcome).refusal, "hosted")
}
