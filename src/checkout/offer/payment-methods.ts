/**
 * Which payment methods a cart has, and which operator a phone number belongs to. A method that
 * can't work is not offered: without credentials, without the currency, without an address for the
 * payment page to return to, without a key to keep a card's secret under.
 */
import type { CartId } from "../../core/ids"
import { LIMITS } from "../../core/limits"
import { OPERATORS } from "../../core/markets"
import { parseCurrency, type CurrencyCode } from "../../core/money"
import type { Flow } from "../../core/operation"
import { parsePhone, parseWalletPhone, phoneRefusal } from "../../core/phone"
import { flowOfProvider } from "../../core/providers"
import { refusal } from "../../core/refusal"
import { Invalid, NotFound } from "../../gateway"
import { accountFor, type Account } from "../../ledger/accounts/find-accounts"
import type { Database } from "../../ledger/database"
import { listDisruptedMethods } from "../../ledger/disrupted-methods"
import type { FlowDeps } from "../../engine/deps"
import { shortCache } from "../../engine/short-cache"
import { hideDisrupted } from "./hide-disrupted"
import { startRefusalOf } from "../start-refusal"

export type PaymentMethod = {
  readonly provider_id: string
  readonly flow: Flow
  readonly currencies: readonly string[]
  readonly needs_phone: boolean
  readonly label_key: string
  readonly operators: readonly OfferedOperator[]
}

/** `disrupted`: most of its payments fail now, for its own reasons. It can be tried all the same. */
type MethodStatus = "ok" | "disrupted"
type OfferedOperator = OperatorChoice & { readonly status: MethodStatus }

type OperatorChoice = {
  readonly payment_method: string
  readonly provider: string
  readonly label: string
  readonly country: string
  /** The currencies that its wallets can be charged in. */
  readonly currencies: readonly string[]
  /** The code to dial for a payer who sees no prompt, from the account; null where it has none. */
  readonly menu_code: string | null
}

/** The specification's neutral names; an account's `wire_names` replace them by live values. */
const CHOICES: readonly OperatorChoice[] = OPERATORS.map(({ method, ...operator }) => ({
  payment_method: method,
  provider: "MOBILE_MONEY_GATEWAY",
  ...operator,
  menu_code: null,
}))

/** @throws Refusal `cart_not_found` */
export async function listPaymentMethods(
  deps: FlowDeps,
  cartId: CartId,
): Promise<readonly PaymentMethod[]> {
  const cart = await deps.medusa.payableCart(cartId)
  if (!cart) throw refusal("cart_not_found")
  const currency = parseCurrency(cart.currency)
  const account = currency && accountFor(await deps.accounts(), currency)
  if (!currency || !account?.currencies.includes(currency) || !deps.gatewayOf(account)) return []
  const disrupted = await disruptedMethods(deps)
  const methods = cart.providerIds.flatMap((providerId): PaymentMethod[] => {
    const flow = flowOfProvider(providerId)
    if (!flow || (flow === "hosted" && !deps.settings.publicUrl)) return []
    if (flow === "card" && deps.box.keyId === null) return []
    const operators = flow === "push" ? operatorsOf(account, cart.country, currency) : []
    if (flow === "push" && operators.length === 0) return []
    const hasPhone =
      cart.phone !== null && "phone" in parsePhone(cart.phone, cart.country ?? undefined)
    return [
      {
        provider_id: providerId,
        flow,
        currencies: account.currencies,
        needs_phone: flow === "push" || !hasPhone,
        label_key: `merchant_payments.methods.${flow}`,
        operators: operators.map((one) => ({
          ...one,
          status: statusOf(disrupted, one.payment_method),
        })),
      },
    ]
  })
  const isHidden = account.policies.disrupted_methods === "hide"
  return isHidden ? hideDisrupted(deps, methods, cartId) : methods
}

const statusOf = (disrupted: ReadonlySet<string>, method: string): MethodStatus =>
  disrupted.has(method) ? "disrupted" : "ok"

const caches = new WeakMap<Database, ReturnType<typeof shortCache<ReadonlySet<string>>>>()

/** Read once in some seconds, however many shoppers ask. Nothing is lost if it can't be read. */
function disruptedMethods({
  database,
  clock,
}: Pick<FlowDeps, "database" | "clock">): Promise<ReadonlySet<string>> {
  const limits = { keptForMs: LIMITS.disruptedKeptMs, most: 1 }
  const cache = caches.get(database) ?? shortCache<ReadonlySet<string>>(clock, limits)
  caches.set(database, cache)
  return cache([], () => listDisruptedMethods(database)).catch(() => new Set<string>())
}

/** An operator under the account's own names, with the first account currency that it takes. */
export type ServedOperator = OperatorChoice & { readonly currency: CurrencyCode }

/** An operator under the account's own names, with every currency in which it is needed. */
export type NeededOperator = OperatorChoice & { readonly taken: readonly CurrencyCode[] }

/**
 * The operators whose wallets can pay what the shop sells in and the account takes, each with these
 * currencies. Where the shop sells in none of the account's, every operator that could pay the
 * account's first currency, as it may be needed soon.
 *
 * @param sold the currencies that the shop sells in; undefined: not known
 */
export function operatorsNeeded(
  account: Account,
  sold: ReadonlySet<string> | undefined,
): NeededOperator[] {
  const wanted = account.currencies.filter((code) => sold?.has(code))
  if (wanted.length === 0) {
    return operatorsServing(account).map(({ currency, ...one }) => ({ ...one, taken: [currency] }))
  }
  return CHOICES.flatMap((operator) => {
    const taken = wanted.filter((code) => operator.currencies.includes(code))
    return taken.length === 0 ? [] : [{ ...named(account, operator), taken }]
  })
}

/** All operators whose wallets can pay some currency of the account. */
export function operatorsServing(account: Account): ServedOperator[] {
  return CHOICES.flatMap((operator) => {
    const currency = account.currencies.find((code) => operator.currencies.includes(code))
    return currency ? [{ ...named(account, operator), currency }] : []
  })
}

type KnownMethod = { readonly paymentMethod: string; readonly provider: string }

/**
 * A payment method and its provider, found by the account's name or the neutral one; undefined for
 * a method that is not known here.
 */
export function knownMethod(account: Account, method: string): KnownMethod | undefined {
  return knownOperator(account, method) ?? (method === CARD.method ? cardOf(account) : undefined)
}

/** As {@link knownMethod}, but for operators alone. */
export function knownOperator(account: Account, method: string): KnownMethod | undefined {
  const operator = operatorBy(account, method)
  if (!operator) return undefined
  const { payment_method: paymentMethod, provider } = named(account, operator)
  return { paymentMethod, provider }
}

/** A card's payment method and its provider, by the account's names. */
export function cardOf(account: Account) {
  return { paymentMethod: CARD.method, provider: ownName(account, CARD.provider) ?? CARD.provider }
}

/**
 * The currencies in which a method can pay: an operator's wallets have those of its country, a card
 * those of the account. The gateway is not asked about others.
 */
export function currenciesOfMethod(account: Account, method: string): readonly CurrencyCode[] {
  const operator = operatorBy(account, method)
  if (!operator) return method === CARD.method ? account.currencies : []
  return operator.currencies.flatMap((code) => parseCurrency(code) ?? [])
}

function operatorBy(account: Account, method: string): OperatorChoice | undefined {
  return CHOICES.find((one) =>
    [one.payment_method, named(account, one).payment_method].includes(method),
  )
}

/** The method's name on the wire is the same for every account; the provider's name is not. */
const CARD = { method: "CREDIT_CARD", provider: "CARD_PROCESSOR", label: "Card" }

export type MethodLabels = (method: string | null) => string | null

/**
 * The label of a payment method, by these accounts' names; null for a method that is not known. An
 * account's own label also names payments of before its method was renamed.
 */
export function methodLabels(accounts: readonly Account[]): MethodLabels {
  const labels = new Map([
    [CARD.method, CARD.label],
    ...everyName(accounts).map(({ payment_method, label }) => [payment_method, label] as const),
    ...accounts.flatMap((account) =>
      CHOICES.flatMap(({ payment_method }) => {
        const own = ownName(account, `${payment_method}.label`)
        return own === undefined ? [] : [[payment_method, own] as const]
      }),
    ),
  ])
  return (method) => (method === null ? null : (labels.get(method) ?? null))
}

/** The country of an operator, found as its label is; null for a method that is none's. */
export function methodCountries(
  accounts: readonly Account[],
): (method: string | null) => string | null {
  const countries = new Map(
    everyName(accounts).map(({ payment_method, country }) => [payment_method, country]),
  )
  return (method) => (method === null ? null : (countries.get(method) ?? null))
}

/** Each operator under its neutral name, and under the name of each account. */
const everyName = (accounts: readonly Account[]): readonly OperatorChoice[] => [
  ...CHOICES,
  ...accounts.flatMap((account) => CHOICES.map((operator) => named(account, operator))),
]

/** The payment methods of these accounts by their labels; several methods may share a label. */
export function methodsByLabel(accounts: readonly Account[]): Map<string, string[]> {
  const byLabel = new Map<string, string[]>()
  const add = (label: string, method: string) =>
    byLabel.set(label, [...new Set([...(byLabel.get(label) ?? []), method])])
  for (const account of accounts) {
    for (const { payment_method, label } of operatorsServing(account)) add(label, payment_method)
  }
  add(CARD.label, CARD.method)
  return byLabel
}

/** All operators that can pay this currency, those of the shopper's own country first. */
function operatorsOf(
  account: Account,
  country: string | null,
  currency: CurrencyCode,
): OperatorChoice[] {
  const home = country?.toUpperCase()
  return CHOICES.filter((operator) => operator.currencies.includes(currency))
    .map((operator) => named(account, operator))
    .sort((a, b) => Number(b.country === home) - Number(a.country === home))
}

function named(account: Account, operator: OperatorChoice): OperatorChoice {
  const { payment_method, provider, label } = operator
  return {
    ...operator,
    payment_method: ownName(account, payment_method) ?? payment_method,
    provider: ownName(account, provider) ?? provider,
    label: ownName(account, `${payment_method}.label`) ?? label,
    menu_code: ownName(account, `${payment_method}.menu_code`) ?? null,
  }
}

function ownName({ wireNames }: Account, name: string): string | undefined {
  return Object.hasOwn(wireNames, name) ? wireNames[name] : undefined
}

export type Operator = {
  readonly payment_method: string
  /** By the account's names; else what the gateway calls it. */
  readonly label: string | null
  readonly carrier: string | null
  readonly country: string
  readonly currencies: readonly string[]
  readonly phone_hint: string
  /** As in the methods' list, where the account may hide a disrupted operator. */
  readonly status: MethodStatus
}

/** @throws Refusal `invalid_phone`, `operator_unknown`, `gateway_unavailable`, `not_configured` */
export async function predictOperator(
  deps: FlowDeps,
  request: { readonly phone: string; readonly countryCode?: string | undefined },
): Promise<Operator> {
  const result = parseWalletPhone(request.phone, request.countryCode)
  if ("problem" in result) throw phoneRefusal(result.problem)
  const accounts = await deps.accounts()
  const [gateway] = accounts.flatMap((account) => deps.gatewayOf(account) ?? [])
  if (!gateway) throw refusal("not_configured.shopper")
  const outcome = await gateway.predictions.mmoProviderInfo(
    { phone: result.phone.digits },
    { patience: "shopper", deadlineMs: LIMITS.readDeadlineMs },
  )
  if (outcome.kind !== "done") {
    const { error } = outcome
    const isUnknown = error instanceof NotFound || error instanceof Invalid
    if (isUnknown) throw refusal("operator_unknown.shopper")
    throw startRefusalOf(outcome).refusal
  }
  const disrupted = await disruptedMethods(deps)
  return {
    payment_method: outcome.value.paymentMethod,
    label: methodLabels(accounts)(outcome.value.paymentMethod) ?? outcome.value.carrier ?? null,
    carrier: outcome.value.carrier ?? null,
    country: result.phone.country ?? "",
    currencies: outcome.value.currencies,
    phone_hint: result.phone.hint,
    status: statusOf(disrupted, outcome.value.paymentMethod),
  }
}
