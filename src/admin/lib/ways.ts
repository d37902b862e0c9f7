/** Ways to pay, by the names that people know. */
import type { GatewayRatesAnswer } from "./answers"
import type { Say } from "./words"

/** An operator has its own name; a card is called so in the language of the page. */
export function wayName(say: Say, { payment_method, label }: GatewayRatesAnswer): string {
  return payment_method === "CREDIT_CARD" ? say("flow.card") : label
}
