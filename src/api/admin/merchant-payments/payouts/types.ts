/**
 * Response types of the routes of payouts and transfers. Types only, so that the admin's pages can
 * import them.
 */
import type { PayoutView } from "../../../../payouts/payout-view"

export type AdminPayout = PayoutView

export type AdminPayoutResponse = { readonly payout: PayoutView }
export type AdminTransferResponse = { readonly transfer: PayoutView }

type Page = { readonly count: number; readonly limit: number; readonly offset: number }

export type AdminPayoutList = Page & { readonly payouts: readonly PayoutView[] }
export type AdminTransferList = Page & { readonly transfers: readonly PayoutView[] }
