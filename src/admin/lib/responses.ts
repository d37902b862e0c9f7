/** Types of the store's responses; the one file of the pages that imports the server's types. */
export type * from "../../accounts/rules/account-responses"
export type * from "../../review/rules/review-responses"
export type * from "../../payment-links/rules/link-responses"
export type { AdminReceiptResponse } from "../../worker/rules/receipt"
export type * from "../../payouts/payout-view"
export type * from "../../reconciliation/rules/reconciliation-responses"
