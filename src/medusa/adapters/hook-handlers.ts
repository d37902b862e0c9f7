import { WorkflowManager } from "@medusajs/framework/orchestration"

/**
 * The part of Medusa's register of workflows that is used here. Medusa's own types of it are not
 * resolved here.
 */
type Register = {
  getWorkflow(id: string): { readonly handlers_: Map<string, unknown> } | undefined
}

/** The steps of a workflow, by name; a hook without a handler has a step that does nothing. */
export const handlersOf = (id: string) => (WorkflowManager as Register).getWorkflow(id)?.handlers_
