import { ModuleProvider, Modules } from "@medusajs/framework/utils"
import { PROVIDERS } from "../../core/providers"
import { MerchantPaymentsProvider } from "./base"

/** Prompts the shopper's phone. */
class MobileMoneyProvider extends MerchantPaymentsProvider {
  static override identifier = PROVIDERS.push.identifier
}

/** The gateway's own page: mobile money or card. */
class HostedCheckoutProvider extends MerchantPaymentsProvider {
  static override identifier = PROVIDERS.hosted.identifier
}

export default ModuleProvider(Modules.PAYMENT, {
  services: [MobileMoneyProvider, HostedCheckoutProvider],
})
