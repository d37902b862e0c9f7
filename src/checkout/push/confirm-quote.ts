import type { Operation } from "../../core/operation"
import { isQuoteChanged, quoteOf, shopperQuote } from "../../core/quote"
import { refusal } from "../../core/refusal"
import type { FlowDeps } from "../../engine/deps"
import { limitShown } from "../../engine/learn-limit"
import type { StartContext } from "../context"
import { readyOf } from "../existing-payment"
import { isOfAmount, startRefusalOf, type StartRefusal } from "../start-refusal"
import type { Payer } from "./find-payer"

/**
 * Confirms the amount that the shopper was shown. Fees and rates move: the gateway is asked once
 * more, for the very source that will be paid, and no other amount is executed.
 *
 * @returns why nothing may be executed now: `quote_changed`, `quote_unavailable`; else undefined
 */
export async function confirmQuote(
  deps: Pick<FlowDeps, "clock" | "database" | "logger">,
  context: StartContext,
  { accountId, sourceId, sourceType, feeBearer }: Operation,
  { payerCurrency: targetCurrency, paymentMethod, provider }: Payer,
): Promise<StartRefusal | undefined> {
  const expected = context.request.expectedPayerAmount
  if (expected === undefined) return undefined
  if (sourceId === null) return { refusal: refusal("gateway_refused.shopper"), isFinal: true }
  const outcome = await context.gateway.predictions.sourceAmountAndFees(
    { sourceType, sourceId, targetCurrency, paymentMethod, provider },
    context.callOptions(),
  )
  if (outcome.kind !== "done") {
    const refused = startRefusalOf(outcome)
    const isSaid = refused.asksToWait !== undefined || isOfAmount(refused)
    return isSaid ? refused : { refusal: refusal("quote_unavailable"), isFinal: false }
  }
  if (!isQuoteChanged(expected, outcome.value)) return undefined
  const limit = await limitShown(deps, { accountId, paymentMethod, currency: targetCurrency })
  const quote = shopperQuote(quoteOf(outcome.value, feeBearer, deps.clock.now(), limit))
  return {
    refusal: refusal("quote_changed", {}, { quote, payment: readyOf(context) }),
    isFinal: false,
  }
}
