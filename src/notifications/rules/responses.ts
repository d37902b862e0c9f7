/** What the routes of the notifications' settings answer. */
import type { CustomerKind, MerchantKind, NotificationKind } from "./kinds"
import type { CustomerRule, Locale, Recipient, SettingsChange } from "./settings"

export type NotificationsResponse = {
  /** To be sent with a change; 0: no admin has changed anything yet. */
  readonly version: number
  readonly recipients: readonly Omit<Recipient, "since">[]
  readonly customers: {
    readonly locale: Locale
    readonly rules: readonly Omit<CustomerRule, "since">[]
  }
  /** The feed, and what the shop's notification providers serve. */
  readonly channels: readonly string[]
  readonly kinds: readonly MerchantKind[]
  readonly customer_kinds: readonly CustomerKind[]
  readonly locales: readonly Locale[]
  /** Notifications that could not be sent yet and are tried again, counted up to 1,000. */
  readonly waiting: number
  /** The newest that were given up, at most 20. */
  readonly not_told: readonly {
    readonly kind: NotificationKind
    /** The recipient's name, or `customer`. */
    readonly recipient: string
    readonly channel: string
    readonly operation_id: string | null
    /** `unknown`: a provider was asked, and it is not known whether it sent. */
    readonly state: "failed" | "unknown"
    /** `no_provider`, `no_answer`, or the provider's own words. */
    readonly problem: string | null
    readonly at: string
  }[]
  /** The newest changes of these settings, at most 20. */
  readonly changes: readonly {
    readonly by: string
    readonly at: string
    readonly changes: readonly SettingsChange[]
  }[]
}

export type TestResponse = {
  /** `late`: no answer within ten seconds; it may arrive all the same. */
  readonly state: "sent" | "failed" | "late"
  /** As in `not_told`; null where it was sent. */
  readonly problem: string | null
}
