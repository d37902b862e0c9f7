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

/** A card on the shop's own page; off until a merchant adds it to a region. */
class CardProvider extends MerchantPaymentsProvider {
  static override identifier = PROVIDERS.card.identifier
}

export default ModuleProvider(Modules.PAYMENT, {
  services: [MobileMoneyProvider, HostedCheckoutProvider, CardProvider],
})
