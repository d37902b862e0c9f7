/** What can be told, to whom, and which of the ledger's events tell it. */

export const LOCALES = ["en", "fr"] as const
export type Locale = (typeof LOCALES)[number]

/** What the settings let an admin choose for a person of the shop. */
export const MERCHANT_KINDS = [
  "money_received",
  "decision_needed",
  "refund_arrived",
  "refund_failed",
  "payout_done",
  "payout_failed",
  "operator_trouble",
  "job_stopped",
  "account_refused",
] as const
export type MerchantKind = (typeof MERCHANT_KINDS)[number]

/** What the settings let an admin choose for the shop's customers. */
export const CUSTOMER_KINDS = ["customer_paid", "customer_refunded"] as const
export type CustomerKind = (typeof CUSTOMER_KINDS)[number]

/**
 * What a notification says. The end of a trouble goes to those who chose the trouble, and a request
 * that waits for a second admin to those who chose decisions. Money that an operator took back is told
 * as a refund is.
 */
export const NOTIFICATION_KINDS = [
  ...MERCHANT_KINDS,
  ...CUSTOMER_KINDS,
  "operator_recovered",
  "job_runs_again",
  "account_accepted",
  "customer_taken_back",
  "request_waiting",
  "summary",
  "test",
] as const
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number]

export type Audience = "merchant" | "customer"

const CHOICES: Readonly<Partial<Record<NotificationKind, MerchantKind | CustomerKind>>> = {
  operator_recovered: "operator_trouble",
  job_runs_again: "job_stopped",
  account_accepted: "account_refused",
  request_waiting: "decision_needed",
  customer_taken_back: "customer_refunded",
}

/** The choice in the settings under which a notification is sent. */
export const choiceOf = (kind: NotificationKind): NotificationKind => CHOICES[kind] ?? kind

const TROUBLES: readonly NotificationKind[] = ["operator_trouble", "job_stopped", "account_refused"]

/** Whether it says that a trouble began. */
export const isTrouble = (kind: NotificationKind): boolean => TROUBLES.includes(kind)

/** By the name of an announcement, as `announcementsOf` gives it. */
const KINDS: Readonly<Record<string, readonly (MerchantKind | CustomerKind)[]>> = {
  "merchant_payments.collection_completed": ["money_received", "customer_paid"],
  "merchant_payments.review_opened": ["decision_needed"],
  "merchant_payments.refund_completed": ["refund_arrived", "customer_refunded"],
  "merchant_payments.refund_failed": ["refund_failed"],
  "merchant_payments.money_out_completed": ["payout_done"],
  "merchant_payments.money_out_failed": ["payout_failed"],
}

export const kindsOf = (announcement: string): readonly (MerchantKind | CustomerKind)[] =>
  KINDS[announcement] ?? []

export const audienceOf = (kind: NotificationKind): Audience =>
  CUSTOMER_KINDS.some((one) => one === choiceOf(kind)) ? "customer" : "merchant"

/** The name of a notification's template at a provider: `merchant-payments.money-received`. */
export const templateOf = (kind: NotificationKind): string =>
  `merchant-payments.${kind.replaceAll("_", "-")}`
