/** Types of the store's responses; the one file of the pages that imports the server's types. */
export type * from "../../accounts/accounts-response"
export type * from "../../accounts/rules/account-responses"
export type * from "../../review/rules/review-responses"
export type * from "../../payment-links/rules/link-responses"
export type { ReceiptPageResponse } from "../../papers/receipt-page-response"
export type * from "../../payouts/payout-view"
export type * from "../../payouts/request-view"
export type * from "../../reconciliation/rules/reconciliation-responses"
export type * from "../../notifications/rules/responses"

import type { CheckLine } from "../../accounts/rules/account-responses"
import type { Overview } from "../../reconciliation/rules/overview-responses"
export type * from "../../reconciliation/rules/overview-responses"

/** `GET overview` */
export type HomeResponse = Overview & {
  /** The gateway's health in one line. */
  readonly gateway: CheckLine
}
