import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { createGateway } from "../../gateway"
import { bounded } from "../../worker/bounded"
import type { AccountDeps } from "../../accounts/deps"
import { ENVIRONMENT_ACCOUNT_ID } from "../environment"
import { setupHost } from "../host/setup-host"
import { secretBoxOf } from "../secrets/secret-box"
import type MerchantPaymentsModuleService from "../service"
import { flowsFrom } from "./flows-from"

/** The dependencies of the flows about accounts: all, with the secret box and new clients. */
export function accountsFrom(container: MedusaContainer): AccountDeps {
  const { environment }: MerchantPaymentsModuleService = container.resolve("merchantPayments")
  const logger = container.resolve(ContainerRegistrationKeys.LOGGER)
  const { account, credentials, sources } = environment
  const flows = flowsFrom(container)
  return {
    ...flows,
    setup: bounded(setupHost(container, flows.database), flows.clock),
    box: secretBoxOf(process.env),
    environment: {
      id: ENVIRONMENT_ACCOUNT_ID,
      account,
      clientId: credentials?.clientId ?? null,
      sources,
    },
    openGateway: (client, onDate) => createGateway({ ...client, logger, onDate }),
    openEnvironmentGateway: (onDate) =>
      credentials && createGateway({ ...credentials, logger, onDate }),
  }
}
