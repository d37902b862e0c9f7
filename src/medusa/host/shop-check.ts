/**
 * The shop's own check of `complete-cart`, asked before the money, too: without a handler of its
 * own, our hook `validate` gets the one that the shop registered on Medusa's.
 */
import { WorkflowManager } from "@medusajs/framework/orchestration"

const HOOK = "validate"
const OURS = "merchant-payments-cart-ready"

let empty: unknown

/** Called once when our workflow is there and no shop has registered anything yet. */
export function noteEmptyHook(): void {
  empty = WorkflowManager.getWorkflow(OURS)?.handlers_.get(HOOK)
}

/** Handlers are registered while Medusa boots, so that the first check finds them all. */
export function askShopOfCompleteCart(): void {
  const ours = WorkflowManager.getWorkflow(OURS)?.handlers_
  const theirs = WorkflowManager.getWorkflow("complete-cart")?.handlers_.get(HOOK)
  if (theirs && ours?.get(HOOK) === empty) ours.set(HOOK, theirs)
}
