/**
 * The gateway's current rates for the admin: fee plans with the platform's share, and the gateway's
 * own rates for each payment method. They take many calls, so a few are made at a time, and the
 * result is cached.
 */
import { LIMITS } from "../core/limits"
import { moneyFromMajor, parseCurrency } from "../core/money"
import type { FeeBearer } from "../core/operation"
import { systemClock } from "../core/ports"
import type { Quote } from "../core/schemas/quote"
import { refusal } from "../core/refusal"
import type { FeeTier, Figure, Outcome } from "../gateway"
import { accountById, accountFor, type Account } from "../ledger/accounts/find-accounts"
import type { FlowDeps } from "../engine/deps"
import { operatorsServing } from "../core/account-operators"
import { predictQuote } from "../checkout/offer/predict-quote"
import { shortCache } from "../engine/short-cache"
import { startRefusalOf } from "../checkout/start-refusal"
import type { AccountId } from "../core/ids"
import { callsWithin, gate, type Gate } from "./gate"
import type { FeesResponse, GatewayRatesResponse, RateResponse } from "./schemas/fees"

const KINDS = ["COLLECTION", "REFUND", "PAYOUT"] as const

/** Calls to the gateway at once, at most: reading rates must not keep a shopper waiting. */
const AT_ONCE = 4

const recent = shortCache<FeesResponse>(systemClock, {
  keptForMs: LIMITS.feesCacheMs,
  most: LIMITS.feesKeptMax,
})

/** @throws Refusal `account_not_found`, `not_configured`, `gateway_unavailable` */
export async function readFees(
  deps: FlowDeps,
  accountId: AccountId | undefined,
): Promise<FeesResponse> {
  const account = await chosen(deps, accountId)
  const gateway = deps.gatewayOf(account)
  if (!gateway) throw refusal("not_configured")
  const { id: credentialId } = await deps.credentialOf(account)
  return recent([credentialId, account.currencies, account.wireNames], async () => {
    const options = callsWithin(deps.clock, LIMITS.feesDeadlineMs)
    const tiers = await gateway.fees.tiers(options())
    if (tiers.kind !== "done") throw startRefusalOf(tiers).refusal
    const inTurn = gate(AT_ONCE)
    const tierOf = async ({ id, name, isDefault = false }: FeeTier) => {
      const rates = await ratesOf(inTurn, (operationType) =>
        gateway.fees.platform({ operationType, feeTierName: name }, options()),
      )
      const shown = rates.map((rate) => ({ ...rateOf(rate), fx_percentage: rate.fxPercentage }))
      return { id, name, is_default: isDefault, rates: shown }
    }
    const methodOf = async ({ payment_method, label, country }: Method) => {
      const rates = await ratesOf(inTurn, (operationType) =>
        gateway.fees.gateway({ paymentMethod: payment_method, operationType }, options()),
      )
      return { payment_method, label, country, rates: rates.map(rateOf) }
    }
    const [named, rates] = await Promise.all([
      Promise.all(tiers.value.map(tierOf)),
      Promise.all([...operatorsServing(account), CARD].map(methodOf)),
    ])
    return {
      account_id: account.id,
      tiers: named,
      gateway: rates.filter((one) => one.rates.length > 0),
      read_at: deps.clock.now().toISOString(),
    }
  })
}

/**
 * @throws Refusal `account_not_found`, `not_configured`, `currency_not_served`,
 *   `amount_not_payable`, `invalid_request`, `quote_unavailable`
 */
export async function predictFees(
  deps: FlowDeps,
  request: {
    readonly accountId: AccountId | undefined
    readonly amount: string
    readonly currency: string
    readonly paymentMethod: string
    readonly payerCurrency: string | undefined
    readonly bearer: FeeBearer | undefined
  },
): Promise<Quote> {
  const currency = parseCurrency(request.currency)
  const amount = currency && moneyFromMajor(request.amount, currency)
  if (!currency || !amount || amount.minor <= 0n) throw refusal("amount_not_payable.given")
  const { accountId } = request
  const account =
    accountId === undefined
      ? accountFor(await deps.accounts(), currency)
      : await chosen(deps, accountId)
  return predictQuote(deps, account, {
    amount,
    paymentMethod: request.paymentMethod,
    payerCurrency: request.payerCurrency,
    feeBearer: request.bearer,
  })
}

/** The named account; else the first that has a gateway client. The default account comes first. */
async function chosen(deps: FlowDeps, accountId: AccountId | undefined): Promise<Account> {
  const accounts = await deps.accounts()
  if (accountId !== undefined) {
    const account = accountById(accounts, accountId)
    if (!account) throw refusal("account_not_found")
    return account
  }
  const account = accounts.find((one) => deps.gatewayOf(one) !== undefined)
  if (!account) throw refusal("not_configured")
  return account
}

type Method = Omit<GatewayRatesResponse, "rates">

const CARD: Method = { payment_method: "CREDIT_CARD", label: "Card", country: null }

/** The rate of each kind of operation. A rate that does not exist or did not come is left out. */
async function ratesOf<Rate>(
  inTurn: Gate,
  ask: (operationType: (typeof KINDS)[number]) => Promise<Outcome<Rate>>,
): Promise<Rate[]> {
  const outcomes = await Promise.all(KINDS.map((kind) => inTurn(() => ask(kind))))
  return outcomes.flatMap((outcome) => (outcome.kind === "done" ? [outcome.value] : []))
}

function rateOf(rate: {
  readonly operationType: string
  readonly percentage: string
  readonly fixedFee?: Figure
}): RateResponse {
  return {
    operation_type: rate.operationType,
    percentage: rate.percentage,
    fixed_fee: rate.fixedFee?.exact ?? null,
    fixed_fee_currency: rate.fixedFee?.currency ?? null,
  }
}
