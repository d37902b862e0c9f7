/**
 * Makes the dashboard know the Liberian dollar. Medusa 2.21's list of currencies has no LRD, so amounts
 * lose their cents and some forms fail. The entry is added when the extension is loaded; the widget
 * itself shows nothing and is only the way in. Steps aside once Medusa has the currency.
 */
import { defineWidgetConfig } from "@medusajs/admin-sdk"
import { currencies } from "@medusajs/dashboard/lib"

currencies.LRD ??= {
  code: "LRD",
  name: "Liberian Dollar",
  symbol_native: "L$",
  decimal_digits: 2,
}

const LiberianDollar = () => null

export const config = defineWidgetConfig({ zone: "order.details.after" })

export default LiberianDollar
