/**
 * The amount that the shopper was told the wallet is charged. Fees and rates move: before the money
 * call the gateway is asked once more, for the very source that will be paid, and nothing is
 * executed for another amount.
 */
import { LIMITS } from "../core/limits"
import type { Operation } from "../core/operation"
import { isQuoteChanged, quoteOf } from "../core/quote"
import { refusal } from "../core/refusal"
import type { FlowDeps } from "../engine/deps"
import type { StartContext } from "./context"
import { readyOf } from "./existing-payment"
import type { Wallet } from "./prepare-push"
import type { StartRefusal } from "./start-refusal"

/**
 * @returns why nothing may be executed now: `quote_changed`, `quote_unavailable`; else undefined
 */
export async function confirmQuote(
  deps: Pick<FlowDeps, "clock">,
  context: StartContext,
  opened: Operation,
  wallet: Wallet,
): Promise<StartRefusal | undefined> {
  const expected = context.request.expectedPayerAmount
  if (expected === undefined) return undefined
  if (opened.sourceId === null) {
    return { refusal: refusal("gateway_refused.shopper"), isFinal: true }
  }
  const outcome = await context.gateway.predictions.sourceAmountAndFees(
    {
      sourceType: opened.sourceType,
      sourceId: opened.sourceId,
      targetCurrency: wallet.payerCurrency,
      paymentMethod: wallet.paymentMethod,
      provider: wallet.provider,
    },
    context.callOptions(),
  )
  if (outcome.kind !== "done") return { refusal: refusal("quote_unavailable"), isFinal: false }
  const { payerAmount: payer, payeeAmount: payee, platformFee, gatewayFee, fxFee } = outcome.value
  const prediction = { payer, payee, platformFee, gatewayFee, fxFee }
  if (!isQuoteChanged(expected, prediction)) return undefined
  const endsAt = new Date(deps.clock.now().getTime() + LIMITS.quoteShownMs)
  const quote = quoteOf(prediction, opened.feeBearer, endsAt)
  return {
    refusal: refusal("quote_changed", {}, { quote, payment: readyOf(context) }),
    isFinal: false,
  }
}
