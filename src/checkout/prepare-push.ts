/**
 * What an execution of ours needs: whose wallet the number is, or what the card is; the gateway
 * session of the source and the payment account; and that the amount is still the quoted one. The
 * wallet or card is asked for beside the making of the source, the rest side by side: three round
 * trips a `start`.
 */
import { parseCurrency, type CurrencyCode } from "../core/money"
import type { Operation } from "../core/operation"
import { isQuoteChanged, quoteOf } from "../core/quote"
import { invalid, refusal } from "../core/refusal"
import { Invalid, NotFound } from "../gateway"
import type { Changes } from "../ledger/advance-operation"
import type { FlowDeps } from "../engine/deps"
import type { Instructions, StartContext } from "./context"
import { readyOf } from "./existing-payment"
import { cardOf, currenciesOfMethod, knownMethod } from "./payment-methods"
import { startRefusalOf, type StartRefusal } from "./start-refusal"

/** A wallet, or a card. */
export type Payer = {
  readonly paymentMethod: string
  readonly provider: string
  /** The operator, or the card's brand. */
  readonly carrier: string | null
  readonly payerCurrency: CurrencyCode
}

/** @returns the wallet behind the number and the currency it pays in; or why it can't pay this */
export async function findWallet(
  context: StartContext,
  instructions: Instructions,
): Promise<Payer | StartRefusal> {
  const { gateway, request, account } = context
  const outcome = await gateway.predictions.mmoProviderInfo(
    { phone: instructions.phone.digits },
    context.callOptions(),
  )
  if (outcome.kind !== "done") {
    const { error } = outcome
    const isUnknown = error instanceof NotFound || error instanceof Invalid
    return isUnknown
      ? { refusal: refusal("operator_unknown"), isFinal: true }
      : startRefusalOf(outcome)
  }
  const { paymentMethod, provider, carrier = null, currencies } = outcome.value
  // A number may have moved to another operator: the shopper's own word wins over the prefix.
  const method = request.paymentMethod ?? paymentMethod
  const isFound = method === paymentMethod
  const chosen = isFound ? undefined : knownMethod(account, method)
  const payerCurrency = chosenCurrency(
    context,
    chosen ? currenciesOfMethod(account, method) : currencies,
  )
  if (typeof payerCurrency !== "string") return payerCurrency
  return {
    ...(chosen ?? { paymentMethod: method, provider }),
    carrier: isFound ? carrier : null,
    payerCurrency,
  }
}

/**
 * The token goes to this question and nowhere else.
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
    // Unknown, used or too old: the browser makes another.
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

/**
 * A wallet's account can be used again and is made anew all the same; a card's must be new for each
 * attempt (contract, 12).
 *
 * @returns the gateway session and the payment account, opened side by side; or why not
 */
export async function openPush(
  context: StartContext,
  draft: Operation,
  payer: Payer,
  instructions: Instructions,
): Promise<Pick<Changes, "gatewaySessionId" | "paymentAccountId"> | StartRefusal> {
  const { gateway } = context
  const { sourceId, partyId, sourceType } = draft
  if (sourceId === null || partyId === null) {
    return { refusal: refusal("gateway_refused.shopper"), isFinal: true }
  }
  const [session, account] = await Promise.all([
    gateway.sessions.checkout({ sourceId, sourceType }, context.callOptions()),
    gateway.paymentAccounts.create(
      {
        ...holderOf(draft, instructions),
        provider: payer.provider,
        method: payer.paymentMethod,
        partyId,
      },
      context.callOptions(),
    ),
  ])
  if (account.kind !== "done") return startRefusalOf(account)
  if (session.kind !== "done") return startRefusalOf(session)
  if (account.value.isActive === false || session.value.status !== "ACTIVE") {
    return { refusal: refusal("gateway_refused.shopper"), isFinal: true }
  }
  return { gatewaySessionId: session.value.id, paymentAccountId: account.value.id }
}

function holderOf({ flow }: Operation, { name, phone }: Instructions) {
  if (flow === "card") return { accountName: name ?? "Card" }
  const accountName = name ?? `Wallet ...${phone.hint}`
  return { accountName, countryCode: phone.country, phone: phone.digits }
}

/**
 * The amount that the shopper was shown. Fees and rates move: the gateway is
 * asked once more, for the very source that will be paid, and no other amount is executed.
 *
 * @returns why nothing may be executed now: `quote_changed`, `quote_unavailable`; else undefined
 */
export async function confirmQuote(
  deps: Pick<FlowDeps, "clock">,
  context: StartContext,
  { sourceId, sourceType, feeBearer }: Operation,
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
    const isBusy = refused.asksToWait !== undefined
    return isBusy ? refused : { refusal: refusal("quote_unavailable"), isFinal: false }
  }
  if (!isQuoteChanged(expected, outcome.value)) return undefined
  const quote = quoteOf(outcome.value, feeBearer, deps.clock.now())
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
