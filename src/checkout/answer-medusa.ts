/**
 * What the payment providers answer when Medusa asks. All of it comes from the ledger; the
 * session's public `data` is never read for a money decision, and nothing here calls the gateway.
 *
 * The provider never settles: it says what is true, and the job records the money in Medusa.
 */
import { FLOWS, flowOfProvider } from "../core/flows"
import type { CartId, OrderId } from "../core/ids"
import { isBelowSmallestUnit, moneyFromMajor, parseCurrency } from "../core/money"
import {
  isLive,
  isOwedToMedusa,
  isRecorded,
  isSessionFor,
  type Flow,
  type Operation,
} from "../core/operation"
import { unpaidOrderWindowMs } from "../core/unpaid-order-window"
import type { Ids } from "../core/ports"
import { accountFor, listAccounts, type Account } from "../ledger/accounts/find-accounts"
import { findByCollection, findDuplicateOfCollection } from "../ledger/find-operations"
import { giveOrderWindow } from "../ledger/order-window"
import type { LedgerDeps } from "../engine/deps"
import {
  NOTHING_STARTED,
  type MedusaPayable,
  type MedusaSession,
  type SessionData,
} from "../engine/medusa-port"
import { sessionDataOf } from "./show-outcome"
import { insertDraft } from "./sql/insert-draft"
import { rebindOperation } from "./sql/rebind-operation"

export type Authorization =
  | { readonly kind: "captured"; readonly data: SessionData }
  | { readonly kind: "pending_authorization"; readonly data: SessionData }
  /** The money is not there and the order may not be placed yet. */
  | { readonly kind: "requires_more"; readonly sentence: string }

/** What the session is for. The order exists already when Medusa asks, also the first time. */
type PlacedOrder = {
  readonly cartId: CartId | null
  readonly orderId: OrderId | null
  /** Medusa's payment collection has a payment already. */
  readonly hasPayment: boolean
}

/**
 * Answers Medusa when it completes a cart, or captures a session that we settled. `captured` only
 * for the operation's current session with equal amounts, and only if no money was returned or is
 * on its way back.
 */
export async function authorize(
  deps: LedgerDeps & { readonly ids: Ids },
  session: MedusaSession & Pick<MedusaPayable, "dueAmount">,
  order: PlacedOrder,
): Promise<Authorization> {
  const operation = await findByCollection(deps.database, session.paymentCollectionId)
  if (isNothingOwed(session, operation)) {
    return { kind: "captured", data: { ...NOTHING_STARTED, state: "paid" } }
  }
  if (operation && isSessionFor(operation, session)) {
    const isPaid = isOwedToMedusa(operation) || isRecorded(operation)
    // A completion that Medusa undid leaves its captured payment and a new session (H25).
    if (isPaid && operation.paymentSessionId === session.id && !order.hasPayment) {
      return { kind: "captured", data: { ...sessionDataOf(operation), state: "paid" } }
    }
  }
  const accounts = await listAccounts(deps.database)
  const currency = parseCurrency(session.currency)
  const account = currency && accountFor(accounts, currency)
  if (account?.orderPlacement !== "order_first") {
    return { kind: "requires_more", sentence: sentenceFor(operation) }
  }
  return placeOrderFirst(deps, session, order, account)
}

/**
 * Medusa does not round: after a credit a cart may owe less than any payer can pay. Such a cart
 * asks for no money, and is completed without it.
 */
function isNothingOwed(
  { amount, dueAmount = amount, currency }: MedusaSession & Pick<MedusaPayable, "dueAmount">,
  operation: Operation | undefined,
): boolean {
  if (operation && isLive(operation)) return false
  return [amount, dueAmount].every((asked) => isBelowSmallestUnit({ amount: asked, currency }))
}

/** A `start` that begins between read and write pays for the order: another try finds it. */
const PLACING_TRIES = 3

/**
 * Medusa places the order, which holds stock; only `start` moves money for it. From now on the
 * order has a time to be paid in, and an operation that keeps the end of that time, even if nothing
 * was started yet.
 */
async function placeOrderFirst(
  deps: LedgerDeps & { readonly ids: Ids },
  session: MedusaSession,
  order: PlacedOrder,
  account: Account,
): Promise<Authorization> {
  let existing: Operation | undefined
  for (let tries = 0; tries < PLACING_TRIES; tries++) {
    existing = await findByCollection(deps.database, session.paymentCollectionId)
    // A live payment in review, or for something else, forbids the order: it would ask for money
    // twice.
    const isTaken = existing !== undefined && isLive(existing)
    const waiting =
      existing && isTaken
        ? await bindExisting(deps, session, existing)
        : await draftForOrder(deps, session, order, account)
    if (waiting) {
      if (order.orderId !== null) {
        await giveOrderWindow(deps.database, {
          paymentCollectionId: session.paymentCollectionId,
          orderId: order.orderId,
          windowMs: unpaidOrderWindowMs(account, waiting.flow),
        })
      }
      return { kind: "pending_authorization", data: sessionDataOf(waiting) }
    }
    if (isTaken) break
  }
  return { kind: "requires_more", sentence: sentenceFor(existing) }
}

/**
 * @returns the live operation, bound to the session; undefined if it is in review or for other
 *   money
 */
async function bindExisting(
  deps: LedgerDeps,
  session: MedusaSession,
  existing: Operation,
): Promise<Operation | undefined> {
  // A live operation in review waits for an admin, so no session is bound to it.
  if (!isSessionFor(existing, session) || existing.state === "review") return undefined
  if (existing.paymentSessionId === session.id) return existing
  return (await rebindOperation(deps.database, existing, session.id)) ?? existing
}

async function draftForOrder(
  deps: LedgerDeps & { readonly ids: Ids },
  session: MedusaSession,
  order: PlacedOrder,
  account: Account,
): Promise<Operation | undefined> {
  const currency = parseCurrency(session.currency)
  const amount = currency && moneyFromMajor(session.amount, currency)
  const flow = flowOfProvider(session.providerId)
  if (!amount || !flow) return undefined
  if (await findDuplicateOfCollection(deps.database, session.paymentCollectionId)) return undefined
  return insertDraft(deps.database, {
    id: deps.ids.operationId(),
    draftReference: deps.ids.reference(),
    flow,
    accountId: account.id,
    // The credential is known once `start` makes something at the gateway with it.
    credentialId: null,
    providerId: session.providerId,
    paymentCollectionId: session.paymentCollectionId,
    paymentSessionId: session.id,
    cartId: order.cartId,
    orderId: order.orderId,
    amount,
    lines: [],
    sourceType: account.sourceKind,
    feeBearer: account.feeBearer,
    returnToken: FLOWS[flow].comesBack ? deps.ids.returnToken() : null,
    successUrl: null,
    cancelUrl: null,
    // Only `start` knows who pays.
    phoneHint: null,
    customerName: null,
    customerEmail: null,
    searchWords: [],
    windowMs: unpaidOrderWindowMs(account, flow),
    orderWindowMs: order.orderId === null ? null : unpaidOrderWindowMs(account, flow),
    leaseMs: 0,
  })
}

const PAGE = "Finish the payment on the payment page."

const WHAT_TO_DO: Readonly<Record<Flow, string>> = {
  push: "Approve the payment on your phone.",
  card: "Confirm the payment with your card's bank.",
  hosted: PAGE,
  link: PAGE,
}

function sentenceFor(operation: Operation | undefined): string {
  switch (operation?.state) {
    case "submitted":
    case "in_flight":
      return `${WHAT_TO_DO[operation.flow]} The order is placed as soon as it is confirmed.`
    case "completed":
      return "Your payment has arrived; the order is being placed. Do not pay again."
    case "review":
      return "We have your payment and look into it. Do not pay again."
    default:
      return "This cart is not paid yet: start the payment first."
  }
}
