/**
 * The events of this plugin on Medusa's event bus, for a shop's own subscribers: their names and
 * their data. docs/operations.md says what they mean and what they guarantee.
 */
export { ANNOUNCEMENT_NAMES as EVENTS } from "./worker/rules/announcements"
export type { AnnouncementName as MerchantPaymentsEventName } from "./worker/rules/announcements"
export type {
  AccountEventData as MerchantPaymentsAccountEventData,
  AnnouncementData as MerchantPaymentsEventData,
  MethodEventData as MerchantPaymentsMethodEventData,
} from "./worker/schemas/announcements"
