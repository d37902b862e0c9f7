/** Sends the execution of a committed payment while its shopper waits for the answer. */
import { fieldsOf } from "../core/log-fields"
import { LIMITS } from "../core/limits"
import type { Operation } from "../core/operation"
import { refusal } from "../core/refusal"
import { findById } from "../ledger/find-operations"
import type { FlowDeps } from "../engine/deps"
import { callOf, send } from "../engine/send"
import type { StartContext } from "./context"
import { forgiveStart } from "./limit-start"
import type { CardTurn } from "./push/card-turn"
import type { Instructions } from "./offer/read-instructions"
import { statusFor } from "./read-status"
import { statusOf } from "./rules/status"
import type { Status } from "./schemas/status"
import { showOutcome } from "./show-outcome"

/** The shopper is answered in time; a slower execution goes on, and STATUS shows the rest. */
export async function sendForShopper(
  deps: FlowDeps,
  context: StartContext,
  instructions: Instructions,
  submitted: Operation,
  turn?: CardTurn,
): Promise<Status> {
  const stop = new AbortController()
  const call = callOf(context.gateway, submitted, "shopper")
  const inTurn = turn && (async () => ((await turn.keep()) ? call() : undefined))
  const executed = send(deps, context.gateway, submitted, inTurn ?? call).catch(
    (error: unknown) => {
      // The lease ends and the job asks the gateway: nothing is lost but this answer.
      const fields = fieldsOf(submitted, "sending_failed")
      deps.logger.error(`merchant payments: ${submitted.id}: ${String(error)}`, fields)
      return undefined
    },
  )
  turn?.endAfter(executed)
  const patience = deps.clock
    .sleep(Math.max(LIMITS.shortestCallMs, context.remainingMs()), stop.signal)
    .catch(() => undefined)
  const sent = await Promise.race([executed, patience])
  stop.abort()
  const latest =
    sent?.written?.operation ?? (await findById(deps.database, submitted.id)) ?? submitted
  // No phone has rung, so the start does not count for the phone.
  if (latest.lastSending === "refused") await forgiveStart(deps, context, instructions)
  if (latest.state === "expired") {
    const isOurs = latest.reason === "not_configured"
    const key = isOurs ? "not_configured.shopper" : "gateway_refused.shopper"
    throw refusal(key, {}, { payment: statusOf(latest) })
  }
  const status = statusFor(deps, latest)
  if (status.state === "action_required") await showOutcome(deps, latest)
  return status
}
