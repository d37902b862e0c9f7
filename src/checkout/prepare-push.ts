/**
 * What the execution of a push needs: whose wallet the number is, the gateway session of the source
 * and the payment account of the wallet, and that the amount is still the quoted one. The wallet is
 * asked for beside the making of the source, the rest side by side: three round trips a `start`.
 */
import { parseCurrency, type CurrencyCode } from "../core/money"
import type { Operation } from "../core/operation"
import { isQuoteChanged, quoteOf } from "../core/quote"
import { refusal } from "../core/refusal"
import { Invalid, NotFound, type MmoProviderInfo } from "../gateway"
import type { Changes } from "../ledger/advance-operation"
import type { FlowDeps } from "../engine/deps"
import type { Instructions, StartContext } from "./context"
import { readyOf } from "./existing-payment"
import { startRefusalOf, type StartRefusal } from "./start-refusal"

export type Wallet = {
  readonly paymentMethod: string
  readonly provider: string
  readonly carrier: string | null
  readonly payerCurrency: CurrencyCode
}

/** @returns the wallet behind the number and the currency it pays in; or why it can't pay this */
export async function findWallet(
  context: StartContext,
  instructions: Instructions,
): Promise<Wallet | StartRefusal> {
  const { gateway, request, amount } = context
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
  const info = outcome.value
  const payerCurrency = chosenCurrency(info, request.payerCurrency, amount.currency)
  if (!payerCurrency) {
    const { currencies } = info
    const currency = request.payerCurrency ?? amount.currency
    const refused = refusal("currency_not_served.payment_method", { currency }, { currencies })
    return { refusal: refused, isFinal: true }
  }
  return {
    // A number may have moved to another operator: the shopper's own word wins over the prefix.
    paymentMethod: request.paymentMethod ?? info.paymentMethod,
    provider: info.provider,
    carrier:
      request.paymentMethod === undefined || request.paymentMethod === info.paymentMethod
        ? (info.carrier ?? null)
        : null,
    payerCurrency,
  }
}

/** @returns the gateway session and the payment account, opened side by side; or why not */
export async function openPush(
  context: StartContext,
  draft: Operation,
  wallet: Wallet,
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
        accountName: instructions.name ?? `Wallet …${instructions.phone.hint}`,
        provider: wallet.provider,
        method: wallet.paymentMethod,
        partyId,
        countryCode: instructions.phone.country,
        phone: instructions.phone.digits,
      },
      context.callOptions(),
    ),
  ])
  if (account.kind !== "done") return startRefusalOf(account)
  if (session.kind !== "done") return startRefusalOf(session)
  if (!account.value.isActive || session.value.status !== "ACTIVE") {
    return { refusal: refusal("gateway_refused.shopper"), isFinal: true }
  }
  return { gatewaySessionId: session.value.id, paymentAccountId: account.value.id }
}

/**
 * The amount that the shopper was told the wallet is charged. Fees and rates move: the gateway is
 * asked once more, for the very source that will be paid, and no other amount is executed.
 *
 * @returns why nothing may be executed now: `quote_changed`, `quote_unavailable`; else undefined
 */
export async function confirmQuote(
  deps: Pick<FlowDeps, "clock">,
  context: StartContext,
  { sourceId, sourceType, feeBearer }: Operation,
  { payerCurrency: targetCurrency, paymentMethod, provider }: Wallet,
): Promise<StartRefusal | undefined> {
  const expected = context.request.expectedPayerAmount
  if (expected === undefined) return undefined
  if (sourceId === null) return { refusal: refusal("gateway_refused.shopper"), isFinal: true }
  const outcome = await context.gateway.predictions.sourceAmountAndFees(
    { sourceType, sourceId, targetCurrency, paymentMethod, provider },
    context.callOptions(),
  )
  if (outcome.kind !== "done") return { refusal: refusal("quote_unavailable"), isFinal: false }
  if (!isQuoteChanged(expected, outcome.value)) return undefined
  const quote = quoteOf(outcome.value, feeBearer, deps.clock.now())
  return {
    refusal: refusal("quote_changed", {}, { quote, payment: readyOf(context) }),
    isFinal: false,
  }
}

function chosenCurrency(
  info: MmoProviderInfo,
  asked: string | undefined,
  source: CurrencyCode,
): CurrencyCode | undefined {
  const wanted = asked === undefined ? source : parseCurrency(asked)
  return wanted && info.currencies.includes(wanted) ? wanted : undefined
}
