/**
 * Response types of the admin's routes. Types only: the admin's pages load nothing of the server.
 */
export type * from "../../../review/rules/review-responses"
export type * from "../../../reconciliation/rules/reconciliation-responses"
export type { PeriodTotals } from "../../../reconciliation/rules/reconciliation-totals"
export type * from "../../../payment-links/rules/link-responses"
