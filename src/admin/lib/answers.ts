/** What the store answers: types alone, and the one place where the pages name the server's. */
export type * from "../../core/account-answers"
export type * from "../../core/desk-answers"
export type * from "../../core/link-answers"
export type { AdminReceiptAnswer } from "../../core/receipt"
export type * from "../../api/admin/merchant-payments/payouts/types"
export type * from "../../core/reconciliation-answers"
export type { PeriodTotals } from "../../core/reconciliation-totals"
