/**
 * Asks the gateway who pays: the operator of the number's wallet, or the card's processor. The
 * question goes out while the source is made, so that it costs the shopper no round trip.
 */
import { LIMITS } from "../../core/limits"
import { parseCurrency, type CurrencyCode } from "../../core/money"
import { invalid, refusal } from "../../core/refusal"
import type { CleanText, ExactText } from "../../core/said/texts"
import { isOfAccount } from "../../engine/gateway-refusal"
import { Invalid, NotFound, exact, type CallOptions, type Failure } from "../../gateway"
import type { StartContext } from "../context"
import {
  cardOf,
  currenciesOfMethod,
  knownMethod,
  knownOperator,
} from "../../core/account-operators"
import type { Instructions } from "../offer/read-instructions"
import { startRefusalOf, type StartRefusal } from "../start-refusal"

/** The wallet or card that pays, and the currency it is charged in. */
export type Payer = {
  readonly paymentMethod: ExactText
  readonly provider: string
  /** The wallet's operator, or the card's brand. */
  readonly carrier: CleanText | null
  readonly payerCurrency: CurrencyCode
}

/**
 * Asks the gateway for the number's operator. The gateway need not know: a number may be new, or
 * have moved to another operator. So the shopper's own choice wins over the prefix, and is enough
 * where there is no answer.
 *
 * @returns the wallet behind the number and the currency it pays in; or why it can't pay this
 */
export async function findWallet(
  context: StartContext,
  instructions: Instructions,
): Promise<Payer | StartRefusal> {
  const { gateway, request, account } = context
  const named =
    request.paymentMethod === undefined ? undefined : knownOperator(account, request.paymentMethod)
  const outcome = await gateway.predictions.mmoProviderInfo(
    { phone: instructions.phone.digits },
    named ? withinDeadline(context) : context.callOptions(),
  )
  const predicted = outcome.kind === "done" ? outcome.value : undefined
  if (outcome.kind !== "done" && !(named && mayBelieve(outcome))) {
    return unknownOperator(outcome)
  }
  const method = request.paymentMethod ?? predicted?.paymentMethod ?? ""
  const found = method === predicted?.paymentMethod ? predicted : undefined
  const chosen = found ? undefined : knownMethod(account, method)
  const payerCurrency = chosenCurrency(
    context,
    chosen ? currenciesOfMethod(account, method) : (predicted?.currencies ?? []),
  )
  if (typeof payerCurrency !== "string") return payerCurrency
  return {
    paymentMethod: exact(chosen?.paymentMethod ?? method),
    provider: chosen?.provider ?? predicted?.provider ?? "",
    carrier: found?.carrier ?? null,
    payerCurrency,
  }
}

/**
 * Whether the shopper's choice of operator is enough after a failure: not if the credentials are
 * refused. A 429 counts as no answer: if the gateway limits all calls, the next call hears it.
 */
function mayBelieve({ error }: Failure): boolean {
  return !isOfAccount(error)
}

/** After the refusal the shopper can name the operator, unless the credentials are refused. */
function unknownOperator(failure: Failure): StartRefusal {
  const { error } = failure
  if (error instanceof NotFound || error instanceof Invalid) {
    return { refusal: refusal("operator_unknown.shopper"), isFinal: true }
  }
  const refused = startRefusalOf(failure)
  return refused.refusal.key === "gateway_unavailable" && !refused.said
    ? { ...refused, refusal: refusal("gateway_unavailable.operator") }
    : refused
}

/** The shopper has named the operator, so the question must not use up the shopper's time. */
function withinDeadline(context: StartContext): CallOptions {
  const options = context.callOptions()
  const deadlineMs = Math.min(options.deadlineMs ?? Infinity, LIMITS.operatorAskMs)
  return { ...options, deadlineMs }
}

/**
 * The card's token goes into this call and nowhere else.
 *
 * @returns the card and the currency it is charged in; or why it can't pay this
 */
export async function findCard(context: StartContext): Promise<Payer | StartRefusal> {
  const { gateway, request, account } = context
  const outcome = await gateway.predictions.cardProviderInfo(
    { paymentMethodId: request.cardToken ?? "", provider: cardOf(account).provider },
    context.callOptions(),
  )
  if (outcome.kind !== "done") {
    const { error } = outcome
    // The token is unknown, used or too old: the browser makes another.
    return error instanceof NotFound || error instanceof Invalid
      ? { refusal: invalid("card_token", "card_token"), isFinal: true }
      : startRefusalOf(outcome)
  }
  const { paymentMethod, provider, brand: carrier = null, currencies } = outcome.value
  const payerCurrency = chosenCurrency(context, currencies)
  return typeof payerCurrency === "string"
    ? { paymentMethod, provider, carrier, payerCurrency }
    : payerCurrency
}

function chosenCurrency(
  { request, amount }: StartContext,
  currencies: readonly CurrencyCode[],
): CurrencyCode | StartRefusal {
  const currency = request.payerCurrency ?? amount.currency
  const wanted = parseCurrency(currency)
  if (wanted && currencies.includes(wanted)) return wanted
  const refused = refusal("currency_not_served.payment_method", { currency }, { currencies })
  return { refusal: refused, isFinal: true }
}
