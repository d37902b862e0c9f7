/**
 * The facts of one `start`, all read and checked before anything is written: who may pay the
 * session, its amount, the account that serves it, and the number to ask. Bad input is refused here
 * and leaves nothing behind.
 */
import { cartLines } from "../core/cart-lines"
import { isPayable, moneyFromMajor, parseCurrency, type Money } from "../core/money"
import type { FeeBearer, Flow, Line } from "../core/operation"
import { parsePhone, parseWalletPhone, phoneRefusal, type Phone } from "../core/phone"
import { flowOfProvider } from "../core/providers"
import { invalid, refusal } from "../core/refusal"
import type { Gateway } from "../gateway"
import { accountFor, type Account } from "../ledger/accounts/find-accounts"
import type { FlowDeps, Settings } from "../engine/deps"
import type { HostBasket, HostPayable } from "../engine/host"
import { shopperTime, type ShopperTime } from "../engine/shopper-time"

/**
 * What a shopper sends with `start`, or an admin in the shopper's place. Nothing in it is a fact
 * about money: amount and currency come from Medusa.
 */
export type StartRequest = {
  readonly sessionId: string
  /** The logged-in customer, if any. */
  readonly customerId?: string | undefined
  /** The network that the shopper's request comes from; starts are counted by it. */
  readonly network?: string | undefined
  /** The browser, as the request names it; anyone can write it. Starts are counted by it. */
  readonly client?: string | undefined
  /** When the shopper began to wait, by the monotonic clock; default: now. */
  readonly sinceMs?: number | undefined
  readonly phone?: string | undefined
  /** The operator's payment method, where the shopper chose it instead of the number's own. */
  readonly paymentMethod?: string | undefined
  readonly payerCurrency?: string | undefined
  /** The card's token, from the processor's SDK in the browser. It is not kept. */
  readonly cardToken?: string | undefined
  /** The token of the shop's captcha, where it asks for one. It goes to the shop's check alone. */
  readonly captchaToken?: string | undefined
  /** What the shopper was shown to be charged, in major units of the payer's currency. */
  readonly expectedPayerAmount?: number | undefined
  /**
   * The admin who asks in the shopper's place: for a prompt, or for a link to send, never for a
   * page.
   */
  readonly adminId?: string | undefined
  readonly successUrl?: string | undefined
  readonly cancelUrl?: string | undefined
}

export type StartContext = {
  readonly request: StartRequest
  readonly payable: HostPayable
  readonly flow: Flow
  readonly amount: Money
  readonly account: Account
  /**
   * Who bears the fees, as the account says. Never null for a link: its source is made document
   * first.
   */
  readonly feeBearer: FeeBearer | null
  /**
   * The account's client, for what is new or was made with `credentialId`. For anything else use
   * `gatewayFor`.
   */
  readonly gateway: Gateway
  readonly credentialId: string
} & ShopperTime

/**
 * @throws Refusal `session_not_found`, `amount_not_payable`, `currency_not_served`,
 *   `not_configured`
 */
export async function readContext(
  deps: FlowDeps,
  request: StartRequest,
  payable: HostPayable,
): Promise<StartContext> {
  const flow = flowOf(request, payable)
  if (!flow) throw refusal("session_not_found")
  const currency = parseCurrency(payable.currency)
  const amount = currency && moneyFromMajor(payable.amount, currency)
  if (!currency || !amount || !isPayable(amount)) throw refusal("amount_not_payable")
  const accounts = await deps.accounts()
  const account = accountFor(accounts, currency)
  const gateway = account && deps.gatewayOf(account)
  if (!account || !gateway) throw refusal("not_configured.shopper")
  if (!account.currencies.includes(currency)) {
    throw refusal("currency_not_served", { currency }, { currencies: account.currencies })
  }
  const time = shopperTime(deps.clock, request.sinceMs)
  const { id: credentialId } = await deps.credentialOf(account)
  const feeBearer = flow === "link" ? (account.feeBearer ?? LINK_FEE_BEARER) : account.feeBearer
  return { request, payable, flow, amount, account, feeBearer, gateway, credentialId, ...time }
}

/**
 * Used where the account names no fee bearer: a link's payer pays just the amount that was shown.
 */
const LINK_FEE_BEARER = "PAYEE"

/** A shopper may start only their own session; an admin may ask any customer to pay. */
function flowOf(request: StartRequest, payable: HostPayable): StartContext["flow"] | undefined {
  const flow = flowOfProvider(payable.providerId)
  if (request.adminId !== undefined) return flow === "hosted" ? "link" : flow
  return isTheirs(payable.registeredCustomerId, request.customerId) ? flow : undefined
}

export type Instructions = {
  readonly phone: Phone
  readonly lines: readonly Line[]
  readonly successUrl: string | null
  readonly cancelUrl: string | null
  readonly name: string | null
  readonly email: string | null
}

/**
 * @throws Refusal `invalid_request`, `not_configured`, `cart_not_ready`, `phone_required`,
 *   `invalid_phone`, `origin_not_allowed`
 */
export async function readInstructions(
  deps: FlowDeps,
  context: StartContext,
): Promise<Instructions> {
  const { request, flow, amount, payable } = context
  if (!payable.isProviderEnabled) throw refusal("not_configured.shopper")
  const successUrl = checkedOrigin(deps.settings, request.successUrl)
  const cancelUrl = checkedOrigin(deps.settings, request.cancelUrl)
  if (flow === "hosted" && request.expectedPayerAmount !== undefined) {
    throw invalid("expected_payer_amount", "push_only")
  }
  if (flow === "card" && !request.cardToken) throw invalid("card_token", "card_token")
  if (flow !== "card" && request.cardToken) throw invalid("card_token", "card_only")
  // Without a key the ledger can't keep the secret with which the shopper authenticates the card.
  if (flow === "card" && deps.box.keyId === null) throw refusal("not_configured.shopper")
  if (flow === "hosted" && !deps.settings.publicUrl) throw refusal("not_configured.address")
  const basket = await basketOf(deps, payable)
  const { missing } = basket
  if (missing.length > 0) throw refusal("cart_not_ready", { missing }, { missing, payment: null })
  // Medusa never compares a cart's total with its session's amount, and money for another total
  // could not be recorded.
  const total = payable.orderId ? amount : moneyFromMajor(basket.total, amount.currency)
  if (total?.minor !== amount.minor) throw refusal("cart_changed", {}, { payment: null })
  return {
    phone: readPhone(context, basket),
    lines: cartLines(basket.positions, amount, "Order"),
    successUrl,
    cancelUrl,
    name: basket.name,
    email: basket.email,
  }
}

async function basketOf(deps: FlowDeps, payable: HostPayable): Promise<HostBasket> {
  const basket = payable.orderId
    ? await deps.host.basketOfOrder(payable.orderId)
    : payable.cartId
      ? await deps.host.basketOfCart(payable.cartId)
      : undefined
  if (!basket) throw refusal("cart_not_found")
  return basket
}

function readPhone(context: StartContext, basket: HostBasket): Phone {
  const text = context.request.phone ?? basket.phone ?? undefined
  if (text === undefined || text.trim() === "") throw refusal("phone_required")
  const country = basket.country ?? undefined
  const result =
    context.flow === "push" ? parseWalletPhone(text, country) : parsePhone(text, country)
  if ("problem" in result) throw phoneRefusal(result.problem)
  return result.phone
}

/** Only the registered customer may use their session; a guest's is open to anyone with its id. */
export function isTheirs(owner: string | null, customerId: string | undefined): boolean {
  return owner === null || owner === customerId
}

/**
 * Returns the address to send the shopper back to, or null when none was asked for. Only the shop's
 * own origins are allowed: anything else would make the return route an open redirect.
 */
export function checkedOrigin(settings: Settings, url: string | undefined): string | null {
  if (url === undefined || url === "") return null
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  const isWeb = parsed?.protocol === "https:" || parsed?.protocol === "http:"
  const isClean = parsed?.username === "" && parsed.password === ""
  if (parsed && isWeb && isClean && settings.storefrontOrigins.includes(parsed.origin)) {
    return parsed.toString()
  }
  throw refusal("origin_not_allowed")
}
