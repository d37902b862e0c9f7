/**
 * The amount that the shopper was told the wallet is charged. Fees and rates move: before the money
 * call the gateway is asked once more, for the very source that will be paid, and nothing is executed
 * for another amount.
 */
import { LIMITS } from "../../core/limits"
import type { Operation } from "../../core/operation"
import { isQuoteChanged, quoteOf } from "../../core/quote"
import { Refusal } from "../../core/refusal"
import type { FlowDeps } from "../deps"
import type { StartContext } from "./context"
import type { Wallet } from "./prepare-push"
import { gatewayRefused, type Setback } from "./refuse-for"
import { readyOf } from "./standing"

/** @returns why nothing may be executed now: `quote_changed`, `quote_unavailable`; else undefined */
export async function confirmQuote(
  deps: Pick<FlowDeps, "clock">,
  context: StartContext,
  opened: Operation,
  wallet: Wallet,
): Promise<Setback | undefined> {
  const expected = context.request.expectedPayerAmount
  if (expected === undefined) return undefined
  if (opened.sourceId === null) return { refusal: gatewayRefused(), isFinal: true }
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
  if (outcome.kind !== "done") return { refusal: quoteUnavailable(), isFinal: false }
  const { payerAmount: payer, payeeAmount: payee, platformFee, gatewayFee, fxFee } = outcome.value
  const prediction = { payer, payee, platformFee, gatewayFee, fxFee }
  if (!isQuoteChanged(expected, prediction)) return undefined
  const endsAt = new Date(deps.clock.now().getTime() + LIMITS.quoteShownMs)
  const refusal = new Refusal(
    "quote_changed",
    "What the wallet would be charged has changed. Nothing was charged. Show the new amount and let the shopper decide.",
    { quote: quoteOf(prediction, opened.feeBearer, endsAt), payment: readyOf(context) },
  )
  return { refusal, isFinal: false }
}

function quoteUnavailable(): Refusal {
  return new Refusal(
    "quote_unavailable",
    "The payment service does not say at the moment what the wallet would be charged. Nothing was charged. Try again in a minute.",
  )
}
