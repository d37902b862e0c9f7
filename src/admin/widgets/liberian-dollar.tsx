/**
 * Adds the Liberian dollar to the dashboard. Medusa 2.21's list of currencies has no LRD, so
 * amounts lose their cents and some forms fail. Loading the extension adds it; the widget shows
 * nothing. An entry of Medusa's own is kept.
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
