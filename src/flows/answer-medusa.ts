/**
 * What the payment providers answer when Medusa asks. All of it comes from the ledger; the session's
 * public `data` is never read for a money decision, and nothing here calls the gateway.
 *
 * The provider never settles: it says what is true, and the job brings it into Medusa.
 */
import { moneyFromMajor, parseCurrency } from "../core/money"
import { isLive, isOwedToMedusa, isRecorded, type Operation } from "../core/operation"
import { flowOfProvider } from "../core/providers"
import { findByCollection, findMoneyOfSession } from "../ledger/find-operations"
import { accountFor, listAccounts, type Account } from "../ledger/accounts"
import { insertDraft } from "../ledger/insert-draft"
import { rebindOperation } from "../ledger/rebind-operation"
import type { Ids } from "../core/ports"
import type { LedgerDeps } from "./deps"
import type { HostSession, SessionData } from "./host"
import { sessionDataOf } from "./show-outcome"

export const NOTHING_STARTED: SessionData = { state: "ready", url: null, reference: null }

export type Authorization =
  | { readonly kind: "captured"; readonly data: SessionData }
  | { readonly kind: "pending_authorization"; readonly data: SessionData }
  /** The money is not there and the order may not be placed yet. */
  | { readonly kind: "requires_more"; readonly sentence: string }

/**
 * Medusa completes a cart, or captures a session that we settled. `captured` only for the operation's
 * current session, amounts equal, not returned, nothing of it on its way back.
 */
export async function authorize(
  deps: LedgerDeps & { readonly ids: Ids },
  session: HostSession,
  order: { readonly cartId: string | null; readonly orderId: string | null },
): Promise<Authorization> {
  const operation = await findByCollection(deps.database, session.collectionId)
  if (operation && isFor(operation, session)) {
    const isPaid = isOwedToMedusa(operation) || isRecorded(operation)
    if (isPaid && operation.paymentSessionId === session.id) {
      return { kind: "captured", data: { ...sessionDataOf(operation), state: "paid" } }
    }
  }
  const accounts = await listAccounts(deps.database)
  const currency = parseCurrency(session.currency)
  const account = currency && accountFor(accounts, currency)
  if (account?.orderPlacement !== "order_first") {
    return { kind: "requires_more", sentence: sentenceFor(operation) }
  }
  return placeOrderFirst(deps, session, order, operation, account)
}

/** The order is placed and holds stock; only `start` moves money for it. */
async function placeOrderFirst(
  deps: LedgerDeps & { readonly ids: Ids },
  session: HostSession,
  order: { readonly cartId: string | null; readonly orderId: string | null },
  standing: Operation | undefined,
  account: Account,
): Promise<Authorization> {
  if (standing && isFor(standing, session) && isUnderWay(standing)) {
    const bound =
      standing.paymentSessionId === session.id
        ? standing
        : ((await rebindOperation(deps.database, standing, session.id)) ?? standing)
    return { kind: "pending_authorization", data: sessionDataOf(bound) }
  }
  const currency = parseCurrency(session.currency)
  const amount = currency && moneyFromMajor(session.amount, currency)
  const flow = flowOfProvider(session.providerId)
  // Money that a person looks at, or a payment for something else: an order beside it would ask twice.
  const isTaken = standing !== undefined && isLive(standing)
  if (isTaken || !amount || !flow) {
    return { kind: "requires_more", sentence: sentenceFor(standing) }
  }
  const draft = await insertDraft(deps.database, {
    id: deps.ids.operationId(),
    flow,
    accountId: account.id,
    providerId: session.providerId,
    paymentCollectionId: session.collectionId,
    paymentSessionId: session.id,
    cartId: order.cartId,
    orderId: order.orderId,
    amount,
    lines: [],
    sourceType: account.sourceType,
    feeBearer: account.feeBearer,
    returnToken: flow === "hosted" ? deps.ids.returnToken() : null,
    successUrl: null,
    cancelUrl: null,
    phoneHint: null,
    windowMs: flow === "push" ? account.pushWindowMs : account.hostedWindowMs,
    windowEndsAt: null,
    leaseMs: 0,
  })
  return {
    kind: "pending_authorization",
    data: draft ? sessionDataOf(draft) : NOTHING_STARTED,
  }
}

/** Money that the ledger holds for a session: what must not be answered as canceled or given back. */
export function moneyOf(deps: LedgerDeps, sessionId: string): Promise<Operation | undefined> {
  return findMoneyOfSession(deps.database, sessionId)
}

function isFor(operation: Operation, session: HostSession): boolean {
  return (
    operation.providerId === session.providerId &&
    session.currency.toUpperCase() === operation.amount.currency &&
    moneyFromMajor(session.amount, operation.amount.currency)?.minor === operation.amount.minor
  )
}

function isUnderWay(operation: Operation): boolean {
  return (
    operation.state === "drafted" ||
    operation.state === "submitted" ||
    operation.state === "in_flight" ||
    operation.state === "completed"
  )
}

function sentenceFor(operation: Operation | undefined): string {
  switch (operation?.state) {
    case "submitted":
    case "in_flight":
      return operation.flow === "push"
        ? "Approve the payment on your phone. The order is placed as soon as it is confirmed."
        : "Finish the payment on the payment page. The order is placed as soon as it is confirmed."
    case "completed":
      return "Your payment has arrived; the order is being placed. Do not pay again."
    case "review":
      return "We have your payment and look into it. Do not pay again."
    default:
      return "This cart is not paid yet: start the payment first."
  }
}
