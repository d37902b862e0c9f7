/** Whether a channel's provider could send to an address. */
import type { InvalidSituation } from "../../core/refusal"
import { EMAIL, FEED, SMS } from "./settings"

const ADDRESS = /^[^\s@<>,;"]{1,64}@[^\s@<>,;".]+(\.[^\s@<>,;".]+)+$/
const NUMBER = /^\+\d{8,15}$/
const PHONES: readonly string[] = [SMS, "whatsapp"]

/** @returns the situation of `invalid_request`; undefined: it can be sent to */
export function addressProblem(
  channel: string,
  address: string | null,
): InvalidSituation | undefined {
  if (channel === FEED) return address === null ? undefined : "feed_recipient"
  if (channel === EMAIL) return ADDRESS.test(address ?? "") ? undefined : "email_address"
  if (PHONES.includes(channel)) return NUMBER.test(address ?? "") ? undefined : "phone_address"
  return address ? undefined : "text"
}
