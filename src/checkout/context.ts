/**
 * The facts of one `start`: who may pay the session, its amount, and the account that serves it.
 * What the shopper asks for beyond that is read later, in `read-instructions.ts`.
 */
import type { AdminId, CredentialId, CustomerId, PaymentSessionId } from "../core/ids"
import { isPayable, moneyFromMajor, parseCurrency, type Money } from "../core/money"
import { FLOWS, flowOfProvider, type ProviderFlow } from "../core/flows"
import type { FeeBearer, Flow } from "../core/operation"
import { refusal } from "../core/refusal"
import type { Gateway } from "../gateway"
import { accountFor, type Account } from "../ledger/accounts/find-accounts"
import type { FlowDeps } from "../engine/deps"
import type { MedusaPayable } from "../engine/medusa-port"
import { shopperTime, type ShopperTime } from "../engine/shopper-time"

/**
 * What a shopper sends with `start`, or an admin in the shopper's place. Nothing in it is a fact
 * about money: amount and currency come from Medusa.
 */
export type StartRequest = {
  readonly sessionId: PaymentSessionId
  /** The logged-in customer, if any. */
  readonly customerId?: CustomerId | undefined
  /** The network that the shopper's request comes from; starts are counted by it. */
  readonly network?: string | undefined
  /** The browser, as the request names it; anyone can write it. Starts are counted by it. */
  readonly client?: string | undefined
  /** Of the page that asks, as its browser names it. */
  readonly origin?: string | undefined
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
  readonly adminId?: AdminId | undefined
  readonly successUrl?: string | undefined
  readonly cancelUrl?: string | undefined
}

export type StartContext = {
  readonly request: StartRequest
  readonly payable: MedusaPayable
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
  readonly credentialId: CredentialId
} & ShopperTime

/**
 * @throws Refusal `session_not_found`, `amount_not_payable`, `currency_not_served`,
 *   `not_configured`
 */
export async function readContext(
  deps: FlowDeps,
  request: StartRequest,
  payable: MedusaPayable,
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
  const feeBearer = account.feeBearer ?? FLOWS[flow].feeBearer
  return { request, payable, flow, amount, account, feeBearer, gateway, credentialId, ...time }
}

/** What an admin makes with a provider, to be paid by a customer who is not on the shop's page. */
const BY_ADMIN: Readonly<Record<ProviderFlow, Flow>> = {
  push: "push",
  hosted: "link",
  card: "card",
}

/** A shopper may start only their own session; an admin may ask any customer to pay. */
function flowOf(request: StartRequest, payable: MedusaPayable): StartContext["flow"] | undefined {
  const flow = flowOfProvider(payable.providerId)
  if (request.adminId !== undefined) return flow && BY_ADMIN[flow]
  return isTheirs(payable.registeredCustomerId, request.customerId) ? flow : undefined
}

/** Only the registered customer may use their session; a guest's is open to anyone with its id. */
export function isTheirs(owner: string | null, customerId: CustomerId | undefined): boolean {
  return owner === null || owner === customerId
}
