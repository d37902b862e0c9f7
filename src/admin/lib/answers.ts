/** Types of the store's responses; the one file of the pages that imports the server's types. */
export type * from "../../accounts/rules/account-answers"
export type * from "../../review/rules/review-answers"
export type * from "../../payment-links/rules/link-answers"
export type { AdminReceiptAnswer } from "../../worker/rules/receipt"
export type * from "../../api/admin/merchant-payments/payouts/types"
export type * from "../../reconciliation/rules/reconciliation-answers"
export type { PeriodTotals } from "../../reconciliation/rules/reconciliation-totals"
