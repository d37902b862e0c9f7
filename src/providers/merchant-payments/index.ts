import type { LoaderOptions } from "@medusajs/framework/types"
import { ModuleProvider, Modules } from "@medusajs/framework/utils"
import { settingSentence } from "../../accounts/rules/setting-problems"
import { providerOf, type ProviderFlow } from "../../core/flows"
import { configurationHere, configurationProblems } from "../../medusa/check-configuration"
import { isMedusaCommand } from "../../medusa/medusa-command"
import { MerchantPaymentsProvider } from "./base"

/** Prompts the shopper's phone. */
class MobileMoneyProvider extends MerchantPaymentsProvider {
  static override identifier = providerOf("push").identifier
}

/** The gateway's own page: mobile money or card. */
class HostedCheckoutProvider extends MerchantPaymentsProvider {
  static override identifier = providerOf("hosted").identifier
}

/** A card on the shop's own page; off until a merchant adds it to a region. */
class CardProvider extends MerchantPaymentsProvider {
  static override identifier = providerOf("card").identifier
}

const SERVICES = {
  push: MobileMoneyProvider,
  hosted: HostedCheckoutProvider,
  card: CardProvider,
} satisfies Record<ProviderFlow, typeof MerchantPaymentsProvider>

/**
 * Runs before Medusa registers the providers. Providers that are listed twice end the boot there,
 * with an error that doesn't say where; without the plugin, only they can say that it is missing.
 *
 * @throws Error if the configuration lists them twice
 */
function checkConfiguration({ logger }: LoaderOptions): Promise<void> {
  for (const problem of configurationProblems(configurationHere())) {
    const text = `merchant payments: ${settingSentence(problem)}`
    if (problem.code === "providers_twice") return Promise.reject(new Error(text))
    if (problem.code === "plugin_missing" && !isMedusaCommand()) logger?.error(text)
  }
  return Promise.resolve()
}

export default ModuleProvider(Modules.PAYMENT, {
  services: Object.values(SERVICES),
  loaders: [checkConfiguration],
})
