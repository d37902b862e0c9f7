/**
 * Asks about the prompts whose source was paid in another way: the payment is in review or done, so
 * no check would see that its prompt is approved after all.
 */
import { LIMITS } from "../core/limits"
import { gatewayFor } from "../engine/gateway-for"
import { askExecution } from "../engine/ask-gateway"
import type { FlowDeps } from "../engine/deps"
import { pauseIfAsked } from "../engine/pause-checks"
import { holdSecondCharge } from "../engine/second-charge"
import { payQuestion } from "../worker/pass-budget"
import type { Keep } from "./run-task"
import { findPaidOtherwise } from "./sql/find-paid-otherwise"

export async function askPaidOtherwise(deps: FlowDeps, keep: Keep): Promise<void> {
  for (const operation of await findPaidOtherwise(deps.database, LIMITS.upkeepRowsMax)) {
    await keep()
    const gateway = await gatewayFor(deps, operation)
    if (!gateway) continue
    await payQuestion(deps, operation.accountId)
    const { finding: execution } = await askExecution(gateway, operation.reference)
    await pauseIfAsked(deps, operation.accountId, execution)
    await holdSecondCharge(deps, operation, { execution })
  }
}
