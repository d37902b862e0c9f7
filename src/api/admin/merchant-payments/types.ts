/**
 * Response types of the admin's routes. Types only: the admin's pages load nothing of the server.
 */
export type * from "../../../core/desk-answers"
export type * from "../../../core/reconciliation-answers"
export type { PeriodTotals } from "../../../core/reconciliation-totals"
export type * from "../../../core/link-answers"
