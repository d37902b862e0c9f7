/**
 * Paying on the gateway's own page. It opens no session and registers no account that the merchant
 * would see. It chooses the currency (contract notes, section 2a): the source's, or else the first
 * that the operator takes.
 */
import type { Document, Execution } from "../book/records"
import type { Money } from "../money"
import type { Behaviour } from "../plans"
import type { World } from "../world"
import { hasPaymentPage } from "./checkouts"
import { collect } from "./collections"
import { isPastExpiry, stateOf, totalOf, type DocumentStatus } from "./documents"
import { priced } from "./figures"
import { isVerified } from "./gates"
import { operatorOf, typedPhone } from "./operators"

/** `phone` as a person types it. */
export type HostedPayment =
  { method: "mobile_money"; phone: string } | { method: "card"; outcome?: "approve" | "decline" }

export type HostedState = DocumentStatus | "EXPIRED"

const CARD = "CREDIT_CARD"

/** Why the page refused a payment, in words for the payer. */
export class HostedRefusal extends Error {}

/**
 * The state that the page shows. By default a source past its `expires_at` can't be paid here,
 * though it stays `ACTIVE`.
 */
export function hostedStateOf(world: World, document: Document): HostedState {
  const { status } = stateOf(world, document)
  const isOver = world.settings.afterExpiry !== "open" && isPastExpiry(world, document)
  return isOver && (status === "ACTIVE" || status === "IDLE") ? "EXPIRED" : status
}

/** What a card would be charged now, fees included if the payer bears them. */
export const cardCharge = (world: World, document: Document): Money =>
  priced(world, document.ownerId, {
    total: totalOf(document),
    payerCurrency: document.currency,
    feeBearer: document.feeBearer,
    method: CARD,
    operationType: "COLLECTION",
  }).payer

/** Pays. Throws `HostedRefusal` if the source is not payable or no operator serves the number. */
export function payHosted(world: World, document: Document, payment: HostedPayment): Execution {
  if (!hasPaymentPage(world, document)) throw new HostedRefusal("This payment has no page.")
  if (!isVerified(world, document.ownerId)) {
    throw new HostedRefusal("This merchant cannot take payments before it is verified.")
  }
  const state = hostedStateOf(world, document)
  if (state !== "ACTIVE") throw new HostedRefusal(`This payment is ${state.toLowerCase()}.`)
  const common = {
    reference: world.random.uuid(),
    channel: "hosted",
    sessionId: null,
    accountId: null,
  } as const
  if (payment.method === "card") {
    return collect(world, document, cardBehaviour(payment.outcome ?? "approve"), {
      ...common,
      phone: null,
      provider: "CARD_PROCESSOR",
      method: CARD,
      currency: document.currency,
    })
  }
  const phone = typedPhone(payment.phone)
  const operator = operatorOf(phone)
  if (!operator) throw new HostedRefusal("No mobile money operator serves this number.")
  const currency = operator.currencies.find((one) => one === document.currency)
  return collect(world, document, world.plans.behaviourFor(phone), {
    ...common,
    phone,
    provider: "MOBILE_MONEY_GATEWAY",
    method: operator.method,
    currency: currency ?? operator.currencies[0] ?? document.currency,
  })
}

const cardBehaviour = (outcome: "approve" | "decline"): Behaviour => ({
  outcome,
  afterMs: 0,
  cutsAnswer: false,
  overstatesTotal: false,
  origin: `card ${outcome}`,
})
