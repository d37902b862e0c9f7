/** Every route of the plugin's own addresses. A test compares them with what Medusa has loaded. */
import { ACCOUNTS } from "./accounts"
import { MONEY_OUT } from "./money-out"
import { PAYMENTS } from "./payments"

export const ADMIN_ROOT = "/admin/merchant-payments/"
export const ADMIN = { ...PAYMENTS, ...MONEY_OUT, ...ACCOUNTS }
export { PUBLIC, PUBLIC_ROOT } from "./public"
export { STORE, STORE_ROOT } from "./shopper"
export type { AdminEndpoints, Asked, Endpoint, Method } from "./endpoint"
