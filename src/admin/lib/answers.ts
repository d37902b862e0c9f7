/** Types of the store's responses; the one file of the pages that imports the server's types. */
export type * from "../../core/account-answers"
export type * from "../../core/desk-answers"
export type * from "../../core/link-answers"
export type { AdminReceiptAnswer } from "../../core/receipt"
export type * from "../../api/admin/merchant-payments/payouts/types"
export type * from "../../core/reconciliation-answers"
export type { PeriodTotals } from "../../core/reconciliation-totals"
