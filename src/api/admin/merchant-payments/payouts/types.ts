/** What the routes of payouts and transfers answer. Types alone: the admin's pages may import them. */
import type { PayoutView } from "../../../../flows/payout/payout-view"

export type AdminPayout = PayoutView

export type AdminPayoutAnswer = { readonly payout: PayoutView }
export type AdminTransferAnswer = { readonly transfer: PayoutView }

type Page = { readonly count: number; readonly limit: number; readonly offset: number }

export type AdminPayoutList = Page & { readonly payouts: readonly PayoutView[] }
export type AdminTransferList = Page & { readonly transfers: readonly PayoutView[] }
