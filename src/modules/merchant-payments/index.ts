import { Module } from "@medusajs/framework/utils"
import { addLiberianDollar } from "./liberian-dollar"
import MerchantPaymentsModuleService from "./service"

// As early as the plugin is loaded: the Currency module reads the list when it starts.
addLiberianDollar()

export const MERCHANT_PAYMENTS_MODULE = "merchantPayments"

export default Module(MERCHANT_PAYMENTS_MODULE, { service: MerchantPaymentsModuleService })
