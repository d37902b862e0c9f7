/**
 * Collects money. `executeCollection` is the API's call, with the idempotency rules of the
 * specification ("Idempotency rules for executions"); the API and the hosted page both end in
 * `collect`.
 *
 * Not refused on purpose: an execution on an earlier session while another execution of the same
 * source is under way. The specification does not promise that protection, so a caller that relies
 * on it charges twice here, and the book shows it.
 */
import type { Document, Execution, Provider, Session } from "../book/records"
import type { Currency } from "../money"
import type { Behaviour } from "../plans"
import { notFound, refused, wrongState } from "../problem"
import type { World } from "../world"
import { collectableAccount } from "./accounts"
import { cardBehaviour, challengeFor } from "./cards"
import { billedOf, partyOf, stateOf, totalOf } from "./documents"
import { repeated, withoutHandset, type AnyExecution, type Executed } from "./executions"
import { priced } from "./figures"
import { requireWithinLimits } from "./operator-limits"
import { currenciesOf } from "./operators"
import { executableSession } from "./sessions"
import { stepsOf, COLLECTION_TEXTS, saying } from "./timeline"

export type CollectionRequest = {
  session_id: string
  payment_account_id: string
  currency: string
  reference_id: string
}

const TRANSACTION_ID_LENGTH = 16

/**
 * Executes once. Repeating the same reference with the same body changes nothing and answers again.
 */
export function executeCollection(
  world: World,
  ownerId: number,
  request: CollectionRequest,
): Executed<Execution> {
  const known = repeated(world, ownerId, request.reference_id, isSamePayment(request))
  if (known) return known

  const session = executableSession(world, ownerId, "CHECKOUT", request.session_id)
  const document = sourceOf(world, session.sourceId)
  const party = partyOf(world, document)
  const account = collectableAccount(world, ownerId, party.id, request.payment_account_id)
  const { status } = stateOf(world, document)
  if (status !== "ACTIVE" && status !== "PROCESSING") {
    throw wrongState(["body", "session_id"], `The source is ${status}`)
  }
  const currency = payableCurrency(account.method, request.currency)
  requireWithinLimits(world, account.method, payerFigure(world, document, account.method, currency))
  const behaviour = account.phone
    ? world.plans.behaviourFor(account.phone)
    : (cardBehaviour(account.cardToken) ?? withoutHandset(world.plans.behaviourFor(party.phone)))
  world.book.update<Session>(session, { executedAtMs: world.time.nowMs() })
  const challenge = challengeFor(world, account.cardToken)
  const execution = collect(world, document, behaviour, {
    ...(challenge && { challenge }),
    reference: request.reference_id,
    channel: "api",
    sessionId: session.id,
    accountId: account.id,
    phone: account.phone,
    provider: account.provider,
    method: account.method,
    currency,
  })
  return { execution, cutsAnswer: behaviour.cutsAnswer }
}

/** What the payer would pay, as a prediction of the source says. */
const payerFigure = (world: World, document: Document, method: string, payerCurrency: Currency) =>
  priced(world, document.ownerId, {
    total: totalOf(document),
    payerCurrency,
    feeBearer: document.feeBearer,
    method,
    operationType: "COLLECTION",
  }).payer

export type Payment = {
  reference: string
  channel: Execution["channel"]
  sessionId: number | null
  accountId: number | null
  phone: string | null
  provider: Provider
  method: string
  /** The currency that the payer pays in. */
  currency: Currency
  challenge?: NonNullable<Execution["challenge"]>
}

/** Adds an execution to the book. Its whole course is decided here. */
export function collect(
  world: World,
  document: Document,
  behaviour: Behaviour,
  payment: Payment,
): Execution {
  const { book, time, random } = world
  const { currency, ...how } = payment
  const figures = priced(world, document.ownerId, {
    total: billedOf(document, behaviour),
    payerCurrency: currency,
    feeBearer: document.feeBearer,
    method: payment.method,
    operationType: "COLLECTION",
  })
  const nowMs = time.nowMs()
  const texts = behaviour.message === undefined ? COLLECTION_TEXTS : saying(behaviour.message)
  return book.addExecution({
    ...how,
    ownerId: document.ownerId,
    createdAtMs: nowMs,
    operationType: "COLLECTION",
    paymentIntentId: book.next("paymentIntent"),
    sourceId: document.id,
    payerMinor: figures.payer.minor,
    payerCurrency: figures.payer.currency,
    payeeMinor: figures.payee.minor,
    payeeCurrency: figures.payee.currency,
    platformFeeMinor: figures.platformFeeMinor,
    gatewayFeeMinor: figures.gatewayFeeMinor,
    feeCurrency: document.currency,
    fxFeeMinor: figures.fxFeeMinor,
    fxRate: figures.fxRate,
    providerTransactionId: random.hex(TRANSACTION_ID_LENGTH).toUpperCase(),
    origin: behaviour.origin,
    waitsForHandset: behaviour.outcome === "handset",
    overstatesTotal: behaviour.overstatesTotal,
    steps: stepsOf(behaviour.outcome, nowMs, behaviour.afterMs, time.delayMs, texts),
    timesCalled: 1,
  })
}

const isSamePayment =
  (request: CollectionRequest) =>
  (known: AnyExecution): known is Execution =>
    known.operationType === "COLLECTION" &&
    String(known.sessionId) === request.session_id &&
    String(known.accountId) === request.payment_account_id &&
    known.payerCurrency === request.currency

function sourceOf(world: World, id: number): Document {
  const document = world.book.documents.get(id)
  if (!document) throw notFound("Source")
  return document
}

function payableCurrency(method: string, code: string): Currency {
  const accepted = currenciesOf(method)
  const currency = accepted.find((candidate) => candidate === code)
  if (currency) return currency
  throw refused(["body", "currency"], `${method} cannot be paid in this currency`)
}
