/**
 * What a payment would cost payer and store, before there is one: for a cart, and for an admin who
 * tries amounts. The gateway's prediction binds it to nothing; `start` confirms again what is
 * charged.
 */
import type { CartId } from "../../core/ids"
import { LIMITS } from "../../core/limits"
import {
  isPayable,
  moneyFromMajor,
  parseCurrency,
  type CurrencyCode,
  type Money,
} from "../../core/money"
import type { FeeBearer } from "../../core/operation"
import { systemClock } from "../../core/ports"
import { quoteOf, shopperQuote } from "../../core/quote"
import type { Quote, ShopperQuote } from "../../core/schemas/quote"
import { invalid, refusal, type Refusal } from "../../core/refusal"
import { Invalid, NotFound, type AmountAndFees } from "../../gateway"
import { accountFor, type Account } from "../../ledger/accounts/find-accounts"
import type { FlowDeps } from "../../engine/deps"
import { isOfAccount } from "../../engine/gateway-refusal"
import { limitShown } from "../../engine/learn-limit"
import { currenciesOfMethod, knownMethod } from "../../core/account-operators"
import { shortCache } from "../../engine/short-cache"

/**
 * Recent predictions: an admin's calculator and a shopper's page ask for them again during typing.
 */
const recent = shortCache<AmountAndFees>(systemClock, {
  keptForMs: LIMITS.quoteCacheMs,
  most: LIMITS.quotesKeptMax,
})

export type QuoteRequest = {
  readonly amount: Money
  readonly paymentMethod: string
  readonly payerCurrency?: string | undefined
  /**
   * Called before the gateway is asked, but not where a recent prediction serves.
   * @throws what is to be answered instead
   */
  readonly beforeAsking?: (() => Promise<void>) | undefined
  /** Who bears the fees in this prediction; default: the account's own choice. */
  readonly feeBearer?: FeeBearer | undefined
}

/** @throws Refusal `cart_not_found`, `amount_not_payable`, and those of {@link predictQuote} */
export async function quoteCart(
  deps: FlowDeps,
  request: Omit<QuoteRequest, "amount" | "feeBearer"> & { readonly cartId: CartId },
): Promise<ShopperQuote> {
  const cart = await deps.medusa.payableCart(request.cartId)
  const basket = cart && (await deps.medusa.basketOfCart(request.cartId))
  if (!cart || !basket) throw refusal("cart_not_found")
  const currency = parseCurrency(cart.currency)
  const amount = currency && moneyFromMajor(basket.total, currency)
  if (!amount || !isPayable(amount)) throw refusal("amount_not_payable")
  const account = accountFor(await deps.accounts(), amount.currency)
  return shopperQuote(await predictQuote(deps, account, { ...request, amount }))
}

/**
 * @throws Refusal `not_configured`, `currency_not_served`, `invalid_request`, `quote_unavailable`
 */
export async function predictQuote(
  deps: FlowDeps,
  account: Account | undefined,
  request: QuoteRequest,
): Promise<Quote> {
  const gateway = account && deps.gatewayOf(account)
  if (!account || !gateway) throw refusal("not_configured.shopper")
  const { amount } = request
  const { currency } = amount
  if (!account.currencies.includes(currency)) {
    throw refusal("currency_not_served", { currency }, { currencies: account.currencies })
  }
  const method = knownMethod(account, request.paymentMethod)
  if (!method) throw invalid("payment_method", "payment_method")
  const targetCurrency = request.payerCurrency ? parseCurrency(request.payerCurrency) : currency
  const payable = currenciesOfMethod(account, request.paymentMethod)
  if (!targetCurrency || !payable.includes(targetCurrency)) {
    throw notTaken(request.payerCurrency ?? currency, payable)
  }
  const bearer = request.feeBearer ?? account.feeBearer
  const { id: credentialId } = await deps.credentialOf(account)
  const ask = async (): Promise<AmountAndFees> => {
    await request.beforeAsking?.()
    const outcome = await gateway.predictions.amountAndFees(
      {
        baseAmount: amount,
        targetCurrency,
        ...method,
        operationType: "COLLECTION",
        // With no bearer chosen the shopper sees the plain total; `start` confirms what is charged.
        feeBearer: bearer ?? "PAYEE",
      },
      { patience: "shopper", deadlineMs: LIMITS.readDeadlineMs },
    )
    if (outcome.kind === "done") return outcome.value
    const { error } = outcome
    if (isOfAccount(error)) throw refusal("not_configured.shopper")
    if (error instanceof Invalid || error instanceof NotFound) throw notTaken(targetCurrency, [])
    throw refusal("quote_unavailable")
  }
  const key = [credentialId, amount.minor.toString(), currency, method, targetCurrency, bearer]
  const predicted = await recent(key, ask)
  const { paymentMethod } = method
  const of = { accountId: account.id, paymentMethod, currency: targetCurrency }
  return quoteOf(predicted, bearer, deps.clock.now(), await limitShown(deps, of))
}

/**
 * @param currencies that the payment method takes; none where the gateway refused method and
 *   currency together, and did not say which of the two
 */
function notTaken(currency: string, currencies: readonly CurrencyCode[]): Refusal {
  return refusal(
    "currency_not_served.payment_method",
    { currency: currency.toUpperCase() },
    { currencies },
  )
}
