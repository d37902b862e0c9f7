/**
 * Creates the plugin's policies by Medusa's workflow, where Medusa's roles don't take them from the
 * folder `policies`: then a policy exists only once it was created.
 */
import type { MedusaContainer } from "@medusajs/framework/types"
import * as utils from "@medusajs/framework/utils"
import { POLICIES } from "../policies/merchant-payments"
import { runWorkflow } from "./adapters/workflows"

type Roles = {
  listRbacPolicies(
    filters: { readonly key: readonly string[] },
    config: { readonly withDeleted: boolean },
  ): Promise<readonly { readonly key: string }[]>
}

const keyOf = ({ resource, operation }: { resource: string; operation: string }) =>
  `${resource}:${operation}`

/** Creates those that are not there. An admin may have removed one: it stays removed. */
export async function registerPolicies(container: MedusaContainer): Promise<void> {
  const roles: unknown = container.resolve(utils.Modules.RBAC, { allowUnregistered: true })
  if (typeof roles !== "object" || roles === null || takesTheFolder(roles)) return
  const policies = await missingIn(roles as Roles)
  if (policies.length === 0) return
  try {
    await runWorkflow(container, "create-rbac-policies", { policies })
  } catch (error) {
    // Another process of the store may have created them at the same moment.
    if ((await missingIn(roles as Roles)).length > 0) throw error
  }
}

async function missingIn(roles: Roles) {
  const filter = { key: POLICIES.map(keyOf) }
  const there = await roles.listRbacPolicies(filter, { withDeleted: true })
  const known = new Set(there.map(({ key }) => key))
  return POLICIES.map((one) => ({ key: keyOf(one), ...one })).filter(({ key }) => !known.has(key))
}

/** Medusa 2.21 writes what is defined at each start: to create the same would break that. */
function takesTheFolder(roles: object): boolean {
  const defined: unknown = Reflect.get(utils, "Policy")
  const names = typeof defined === "object" && defined !== null ? Object.keys(defined) : []
  return "syncRegisteredPolicies" in roles && POLICIES.every(({ name }) => names.includes(name))
}
