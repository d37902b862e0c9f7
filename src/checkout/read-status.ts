/**
 * STATUS of a payment session, from the ledger alone: reading it never asks the gateway, so nobody
 * can burn the rate limit with it. It says that a shopper is on screen, which makes the job check
 * sooner.
 */
import { LIMITS } from "../core/limits"
import { majorNumber, moneyFromMajor, parseCurrency } from "../core/money"
import { isLive, isMoneyMoving, isRecorded, isSessionFor, type Operation } from "../core/operation"
import { flowOfProvider } from "../core/providers"
import { refusal } from "../core/refusal"
import { markWaiting } from "../ledger/bring-forward"
import { findByCollection, findBySession } from "../ledger/find-operations"
import type { FlowDeps } from "../engine/deps"
import type { HostPayable } from "../engine/host"
import { isTheirs } from "./context"
import { readyStatus, statusOf, type Status } from "./rules/status"

export type StatusRequest = {
  readonly sessionId: string
  readonly customerId?: string | undefined
}

/** What a session shows: its operation, also by an old session id, or the session alone. */
export type Shown = { readonly operation: Operation | undefined; readonly status: Status }

/** @throws Refusal `session_not_found`, also for another provider's and another customer's */
export async function readStatus(deps: FlowDeps, request: StatusRequest): Promise<Shown> {
  const [bound, own] = await Promise.all([
    findBySession(deps.database, request.sessionId),
    deps.host.payable(request.sessionId),
  ])
  const owner = own
    ? own.registeredCustomerId
    : bound && (await deps.host.registeredCustomer(bound))
  if (owner === undefined || !isTheirs(owner, request.customerId)) {
    throw refusal("session_not_found")
  }
  const operation = bound ?? (own && (await unbound(deps, own)))
  if (operation) {
    if (!isKnownToWait(operation)) {
      await markWaiting(deps.database, operation.id, {
        atMostEveryMs: LIMITS.waitingRefreshMs,
        checkWithinMs: LIMITS.waitingCheckFloorMs,
      })
    }
    return { operation, status: statusOf(operation, request.sessionId) }
  }
  if (!own) throw refusal("session_not_found")
  return { operation: undefined, status: statusOfSession(own) }
}

/** The page asks every few seconds; what the row says already is not written again. */
function isKnownToWait({ waiting, waitingAt, readAt, nextCheckAt }: Operation): boolean {
  if (nextCheckAt === null) return true
  return (
    waiting &&
    waitingAt !== null &&
    readAt.getTime() - waitingAt.getTime() < LIMITS.waitingRefreshMs
  )
}

/**
 * A session that replaced another shows what its collection has, as far as that still counts. A
 * page for an old total that nobody pays on does not: its address would lead to the old total.
 */
async function unbound(deps: FlowDeps, payable: HostPayable): Promise<Operation | undefined> {
  if (!flowOfProvider(payable.providerId)) return undefined
  const shown = await findByCollection(deps.database, payable.collectionId)
  if (!shown) return undefined
  const isSame = isLive(shown) && shown.closing === null && isSessionFor(shown, payable)
  return isSame || isRecorded(shown) || isMoneyMoving(shown) ? shown : undefined
}

export function statusOfSession(payable: HostPayable): Status {
  const flow = flowOfProvider(payable.providerId)
  const currency = parseCurrency(payable.currency)
  const amount = currency && moneyFromMajor(payable.amount, currency)
  if (!flow || !currency || !amount) throw refusal("session_not_found")
  return readyStatus({
    id: payable.id,
    flow,
    providerId: payable.providerId,
    amount: majorNumber(amount),
    currency,
    orderId: payable.orderId,
  })
}
