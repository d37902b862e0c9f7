/** What the functions of the accounts take, over a harness of flows: Medusa is not asked. */
import type { AccountDeps, MedusaSetup, MedusaSetupPort } from "../../src/accounts/deps"
import { createGateway } from "../../src/gateway"
import { secretBoxOf } from "../../src/medusa/secrets/secret-box"
import type { FlowsHarness } from "./flows-harness"

/** What this shop's Medusa answers about its regions. */
export const setupOf = (read: () => Promise<MedusaSetup>): MedusaSetupPort => ({
  read,
  setRegionProviders: () => Promise.resolve(),
  unlistProviders: () => Promise.resolve(),
  regionsOfCarts: () => Promise.resolve(new Map()),
  locking: null,
  workflowEngine: null,
})

export const NO_ENVIRONMENT: AccountDeps["environment"] = {
  id: "mpacc_env",
  account: undefined,
  clientId: null,
  sources: {},
}

/** @param given what a suite has otherwise: its secret box, its clients, what Medusa answers */
export const accountDepsOf = (
  harness: Pick<FlowsHarness, "deps">,
  given: Partial<AccountDeps> = {},
): AccountDeps => ({
  ...harness.deps,
  box: secretBoxOf({}),
  tables: { missing: () => Promise.resolve([]) },
  setup: setupOf(() => Promise.reject(new Error("not asked"))),
  environment: NO_ENVIRONMENT,
  openGateway: (client, onDate) => createGateway({ ...client, onDate }),
  openEnvironmentGateway: () => undefined,
  ...given,
})
