import { WorkflowManager } from "@medusajs/framework/orchestration"

/** What is needed of Medusa's register of workflows, whose own types are not resolved here. */
type Register = {
  getWorkflow(id: string): { readonly handlers_: Map<string, unknown> } | undefined
}

/** The steps of a workflow, by name; a hook without a handler has a step that does nothing. */
export const handlersOf = (id: string) => (WorkflowManager as Register).getWorkflow(id)?.handlers_
