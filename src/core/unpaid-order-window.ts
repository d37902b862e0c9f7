import type { Account } from "./account"
import { FLOWS } from "./flows"
import { MINUTE } from "./limits/time"
import type { Flow } from "./operation"

/**
 * How long a payment can be paid, and so how long an order that was placed before its money may
 * stay unpaid. An order whose payment link is out is paid from a message that may lie for days.
 *
 * @returns milliseconds, from when the payment begins or the order is placed
 */
export function unpaidOrderWindowMs(
  account: Pick<Account, "pushWindowMinutes" | "hostedWindowMinutes">,
  flow: Flow,
): number {
  const { window, leastWindowMs } = FLOWS[flow]
  return Math.max(leastWindowMs, account[window] * MINUTE)
}
