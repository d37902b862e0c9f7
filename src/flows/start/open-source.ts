/**
 * The cart becomes a source that can be paid. Two ways lead there: one call, unless the operation says
 * who bears the fees, which that call can't carry; then document first. Nothing here moves money: a
 * source is paid by an execution of ours or by who holds the address of its page, and both come later.
 */
import type { Operation } from "../../core/operation"
import type { FlowDeps } from "../deps"
import type { Instructions, StartContext } from "./context"
import { openCheckout } from "./open-checkout"
import { openDocument } from "./open-document"
import type { Setback } from "./refuse-for"

/** @returns the draft with its source, payable; or why there is none */
export async function openSource(
  deps: FlowDeps,
  context: StartContext,
  draft: Operation,
  instructions: Instructions,
): Promise<Operation | Setback> {
  return draft.feeBearer === null
    ? openCheckout(deps, context, draft, instructions)
    : openDocument(deps, context, draft, draft.feeBearer, instructions)
}
