/** Reads the facts about Medusa and other payments that a decision about money in review needs. */
import type { OrderId } from "../core/ids"
import { ofMedusa, isLive, type Operation } from "../core/operation"
import type { FlowDeps } from "../engine/deps"
import type { MedusaRecord } from "../engine/medusa-port"
import { findAllOfCollection, findLiveBeside } from "../ledger/find-operations"
import { foreseeSettlement } from "../orders/settle-collection"
import type { DecisionFacts, OrderState } from "./rules/choices"

export type FoundFacts = DecisionFacts & {
  readonly record: MedusaRecord
  /** The payment's order, or the order that another payment of its cart has made. */
  readonly orderId: OrderId | null
  readonly beside: Operation | undefined
}

export async function decisionFactsOf(
  deps: Pick<FlowDeps, "medusa" | "database">,
  operation: Operation,
): Promise<FoundFacts> {
  const [{ record, settlement }, beside] = await Promise.all([
    foreseeSettlement(deps, operation),
    findBeside(deps, operation),
  ])
  const orderId = record.order?.id ?? operation.orderId ?? beside?.orderId ?? null
  const isCanceled =
    record.order?.isCanceled ??
    (orderId !== null && (await deps.medusa.openOrder(orderId))?.isCanceled === true)
  const stranded = settlement.kind === "strand" ? settlement.reason : null
  const orderState = stateOf()
  const soldOut = settlement.kind === "await_stock" ? settlement.soldOut : null
  return { record, stranded, soldOut, beside, orderId, orderState }

  function stateOf(): OrderState {
    if (orderId !== null && isCanceled) return "canceled"
    const isPaid =
      (beside !== undefined && beside.recordedAt !== null && beside.returnedAt === null) ||
      stranded === "another_payment"
    if (isPaid) return "paid"
    if (beside && beside.returnedAt === null) return "other_under_way"
    return orderId === null ? "none" : "open"
  }
}

/**
 * The payment that pays the same cart by another payment collection, or that paid this one before,
 * even if its money went back since: Medusa's payment of the session belongs to it, not to this
 * money. For a duplicate, also a payment under way in the same payment collection.
 */
async function findBeside(
  deps: Pick<FlowDeps, "database">,
  operation: Operation,
): Promise<Operation | undefined> {
  const { id, cartId, orderId, paymentCollectionId, isDuplicate } = ofMedusa(operation)
  const [live, own] = await Promise.all([
    findLiveBeside(deps.database, { cartId, orderId, paymentCollectionId }),
    findAllOfCollection(deps.database, paymentCollectionId),
  ])
  const others = own.filter((other) => other.id !== id)
  return (
    live.find((other) => other.id !== id && other.state !== "drafted") ??
    others.find(({ recordedAt }) => recordedAt !== null) ??
    (isDuplicate ? others.find(isLive) : undefined)
  )
}
