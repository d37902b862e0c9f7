/** Payment methods, by names that people know. */
import type { GatewayRatesResponse } from "./responses"
import type { Say } from "./words"

/** An operator has its own name; "card" is translated. */
export function methodName(say: Say, { payment_method, label }: GatewayRatesResponse): string {
  return payment_method === "CREDIT_CARD" ? say("flow.card") : label
}
