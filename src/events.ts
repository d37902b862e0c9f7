/**
 * The events of this plugin on Medusa's event bus, for a shop's own subscribers: their names, and
 * what comes with each. What they mean, and what is promised of them, is in docs/operations.md.
 */
export { ANNOUNCEMENT_NAMES as EVENTS } from "./worker/rules/announcements"
export type {
  AccountEventData as MerchantPaymentsAccountEventData,
  AnnouncementData as MerchantPaymentsEventData,
  AnnouncementName as MerchantPaymentsEventName,
} from "./worker/rules/announcements"
