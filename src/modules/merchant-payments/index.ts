import { Module } from "@medusajs/framework/utils"
import { addMarketCurrencies } from "../../medusa/market-currencies"
import MerchantPaymentsModuleService, { MERCHANT_PAYMENTS_MODULE } from "../../medusa/service"

// Runs when the plugin is loaded, because the Currency module reads the list when it starts.
addMarketCurrencies()

export { MERCHANT_PAYMENTS_MODULE }

export default Module(MERCHANT_PAYMENTS_MODULE, { service: MerchantPaymentsModuleService })
