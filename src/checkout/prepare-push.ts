/**
 * Prepares an execution: the operator of the number's wallet or the card's processor, the source's
 * gateway session, the payment account, and whether the amount is still the quoted one. The wallet
 * or card is asked for while the source is made, the rest in parallel: three round trips a `start`.
 */
import { LIMITS } from "../core/limits"
import { parseCurrency, type CurrencyCode } from "../core/money"
import type { Operation } from "../core/operation"
import { isQuoteChanged, quoteOf, shopperQuote } from "../core/quote"
import { invalid, refusal } from "../core/refusal"
import {
  Forbidden,
  Invalid,
  NotFound,
  Unauthenticated,
  exact,
  type CallOptions,
  type Failure,
} from "../gateway"
import type { Changes } from "../ledger/advance-operation"
import type { FlowDeps } from "../engine/deps"
import { limitShown } from "../engine/learn-limit"
import type { Instructions, StartContext } from "./context"
import { readyOf } from "./existing-payment"
import { cardOf, currenciesOfMethod, knownMethod, knownOperator } from "./payment-methods"
import { isOfAmount, startRefusalOf, type StartRefusal } from "./start-refusal"
import { openAccount, type Payer } from "./push/wallet-account"

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
 * refused. A question too many (429) is only one without an answer: if the gateway means all calls,
 * the next one hears it.
 */
function mayBelieve({ error }: Failure): boolean {
  return !(error instanceof Unauthenticated || error instanceof Forbidden)
}

/**
 * After each of these refusals the shopper can name the operator, unless the credentials are
 * refused.
 */
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

/**
 * The shopper has named the operator already, so this question must not use up the shopper's time.
 */
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

/** @returns the gateway session and the payment account, opened side by side; or why not */
export async function openPush(
  deps: Pick<FlowDeps, "database" | "digest">,
  context: StartContext,
  draft: Operation,
  payer: Payer,
  instructions: Instructions,
): Promise<Pick<Changes, "gatewaySessionId" | "paymentAccountId"> | StartRefusal> {
  const { gateway } = context
  const { flow, sourceId, partyId, sourceType } = draft
  if (sourceId === null || partyId === null) {
    return { refusal: refusal("gateway_refused.shopper"), isFinal: true }
  }
  const [session, paymentAccountId] = await Promise.all([
    gateway.sessions.checkout({ sourceId, sourceType }, context.callOptions()),
    openAccount(deps, context, { flow, partyId }, payer, instructions),
  ])
  if (typeof paymentAccountId !== "number") return paymentAccountId
  if (session.kind !== "done") return startRefusalOf(session)
  if (session.value.status !== "ACTIVE") {
    return { refusal: refusal("gateway_refused.shopper"), isFinal: true }
  }
  return { gatewaySessionId: session.value.id, paymentAccountId }
}

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
