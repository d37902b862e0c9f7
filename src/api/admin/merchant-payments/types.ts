/** What the admin's routes answer, for pages of the admin: types alone, and nothing of the server. */
export type * from "../../../core/desk-answers"
export type * from "../../../core/reconciliation-answers"
export type { PeriodTotals } from "../../../core/reconciliation-totals"
export type * from "../../../core/link-answers"
