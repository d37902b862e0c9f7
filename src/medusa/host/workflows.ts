/** Medusa's workflows by id: every change of an order or a cart goes through one of them. */
import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"

/** @returns the workflow's result */
export async function runWorkflow(
  container: MedusaContainer,
  id: string,
  input: object,
): Promise<unknown> {
  const ended: unknown = await container.resolve(Modules.WORKFLOW_ENGINE).run(id, { input })
  return (ended as { readonly result: unknown }).result
}

/** Of what a workflow made. */
export function idIn(result: unknown, missing: string): string {
  if (typeof result === "object" && result !== null && "id" in result) return String(result.id)
  throw new Error(missing)
}
