/** Medusa's workflows by id: every change of an order or a cart goes through one of them. */
import type { MedusaContainer } from "@medusajs/framework/types"
import { MedusaError, Modules } from "@medusajs/framework/utils"
import { MedusaRefusal } from "../../engine/medusa-port"

/**
 * @returns the workflow's result
 * @throws MedusaRefusal where Medusa, or a shop's hook, refused by a rule
 */
export async function runWorkflow(
  container: MedusaContainer,
  id: string,
  input: object,
): Promise<unknown> {
  try {
    const ended: unknown = await container.resolve(Modules.WORKFLOW_ENGINE).run(id, { input })
    return (ended as { readonly result: unknown }).result
  } catch (error) {
    throw workflowError(error)
  }
}

const BY_A_RULE: readonly unknown[] = [
  MedusaError.Types.NOT_ALLOWED,
  MedusaError.Types.INVALID_DATA,
]

/**
 * Turns what Medusa's workflow engine throws back into an error: the engine throws what it stored
 * of one, which is no `Error` any more.
 */
export function workflowError(thrown: unknown): unknown {
  if (typeof thrown !== "object" || thrown === null || !("message" in thrown)) return thrown
  const isByARule = "type" in thrown && BY_A_RULE.includes(thrown.type)
  if (!isByARule && thrown instanceof Error) return thrown
  const text = String(thrown.message)
  return Object.assign(isByARule ? new MedusaRefusal(text) : new Error(text), thrown)
}

/**
 * The id of what a workflow made.
 * @throws Error with the text `missing` if there is none
 */
export function idIn(result: unknown, missing: string): string {
  if (typeof result === "object" && result !== null && "id" in result) return String(result.id)
  throw new Error(missing)
}
