/**
 * The payer has lost the link. The gateway has no call that sends anything to a payer (contract, 10): it
 * gives out a document's address once more, and the merchant sends it. So that is asked for and kept, and
 * who asked is written down. Nothing of it moves money; a link that is over is not brought back.
 *
 * A prompt on a phone can't be sent again at all: the gateway carries it out once, and only the shopper
 * starts another one.
 */
import { LIMITS } from "../../core/limits"
import type { Operation } from "../../core/operation"
import { Refusal } from "../../core/refusal"
import type { Gateway } from "../../gateway"
import { advanceOperation } from "../../ledger/advance-operation"
import { findById } from "../../ledger/find-operations"
import { ageOfLastEvent } from "../../ledger/last-event"
import type { FlowDeps } from "../deps"
import { operationNotFound } from "../desk/resolve"
import { gatewayFor } from "../gateway-for"
import { asksForAll } from "../open-amount"
import { shopperTime } from "../shopper-time"
import { setbackOf } from "../start/refuse-for"
import { isLiveLink } from "./make-link"

const SENT_AGAIN = "link_sent_again"

/**
 * @throws Refusal `operation_not_found`, `resend_not_possible`, `link_closed`, `too_many_requests`,
 *   `not_configured`, `gateway_refused`, `gateway_unavailable`
 */
export async function resendLink(
  deps: FlowDeps,
  operationId: string,
  adminId: string,
): Promise<void> {
  const operation = await readSendable(deps, operationId)
  await refusePaid(deps, operation)
  const gateway = await gatewayFor(deps, operation)
  if (!gateway) {
    throw new Refusal(
      "not_configured",
      "There are no credentials of the account that this link was made with.",
    )
  }
  const hostedUrl = await addressOf(deps, gateway, operation)
  for (let attempt = 0; attempt < LIMITS.resolveTries; attempt++) {
    // Read anew: of two clicks at once the second finds the first, and is refused.
    const fresh = attempt === 0 ? operation : await readSendable(deps, operationId)
    const written = await advanceOperation(deps.database, fresh, {
      event: { note: SENT_AGAIN },
      why: "an admin asked for the address once more, to send it to the payer",
      facts: { by: adminId },
      changes: { hostedUrl },
    })
    if (written) return
  }
  throw new Refusal("payment_in_progress", "Others are at this link just now. Try again.")
}

async function readSendable(deps: FlowDeps, operationId: string): Promise<Operation> {
  const operation = await findById(deps.database, operationId)
  if (!operation) throw operationNotFound()
  refuseOther(operation)
  await refuseTooSoon(deps, operation)
  return operation
}

function refuseOther(operation: Operation): void {
  if (operation.flow !== "link") {
    throw new Refusal(
      "resend_not_possible",
      operation.flow === "push"
        ? "A prompt can't be sent again: the gateway carries it out once. The shopper starts anew."
        : "Only a payment link can be sent again. This payment was made without one.",
    )
  }
  const isOver = operation.expiresAt.getTime() <= operation.readAt.getTime()
  if (isOver || !isLiveLink(operation)) throw linkClosed()
}

/** The job closes it within minutes. A payer who is reminded of it in that time would pay once more. */
async function refusePaid(deps: FlowDeps, operation: Operation): Promise<void> {
  const { orderId } = operation
  if (orderId !== null && !(await asksForAll(deps, orderId, operation))) throw linkClosed()
}

async function refuseTooSoon(deps: FlowDeps, { id }: Operation): Promise<void> {
  const ageMs = await ageOfLastEvent(deps.database, id, SENT_AGAIN)
  if (ageMs === undefined || ageMs >= LIMITS.linkResendEveryMs) return
  throw new Refusal("too_many_requests", "This was asked for a moment ago. Wait a minute.")
}

async function addressOf(
  deps: FlowDeps,
  gateway: Gateway,
  { sourceType, sourceNumber }: Operation,
): Promise<string> {
  if (sourceNumber === null) throw linkClosed()
  const { callOptions } = shopperTime(deps.clock)
  const outcome = await gateway.links.pay({ sourceType, sourceNumber }, callOptions())
  if (outcome.kind === "done") return outcome.value.url
  const { code } = setbackOf(outcome).refusal
  throw new Refusal(code, SENTENCES[code === "not_configured" ? code : "gateway_unavailable"])
}

const SENTENCES = {
  not_configured: "The gateway does not take these credentials. Look at the settings.",
  gateway_unavailable: "The gateway gives no address at the moment. The old one still works.",
} as const

function linkClosed(): Refusal {
  return new Refusal("link_closed", "This link can't be paid with any more. Make a new one.")
}
