/** Types of the store's responses; the one file of the pages that imports the server's types. */
export type * from "../../accounts/schemas/accounts"
export type * from "../../accounts/schemas/fees"
export type * from "../../accounts/schemas/health"
export type * from "../../accounts/schemas/regions"
export type * from "../../notifications/schemas/notifications"
export type * from "../../papers/schemas/receipt-page"
export type * from "../../payment-links/schemas/payment-link"
export type * from "../../payouts/schemas/payouts"
export type * from "../../payouts/schemas/requests"
export type * from "../../reconciliation/schemas/overview"
export type * from "../../reconciliation/schemas/reconciliation"
export type * from "../../review/schemas/operations"
export type * from "../../core/schemas/merchant-payment"

import type { CheckLine } from "../../accounts/schemas/health"
import type { Overview } from "../../reconciliation/schemas/overview"

/** `GET overview` */
export type HomeResponse = Overview & {
  /** The gateway's health in one line. */
  readonly gateway: CheckLine
}
