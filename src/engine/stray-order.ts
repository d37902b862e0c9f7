/** Orders that a completion of a cart left behind, as Medusa's tables show them. */
import type { CartId, OrderId } from "../core/ids"

/**
 * An order that a completion wrote and never linked to its cart, and the order that the same cart
 * has.
 */
export type StrayOrder = {
  readonly id: OrderId
  /** By which people know the order. */
  readonly number: string
  readonly createdAt: Date
  /** The order that was made after it and is linked to the cart. */
  readonly madeId: OrderId
  readonly madeAt: Date
  readonly cartId: CartId
}

/** Read only. An order may be named with several orders that are equal to it. */
export type MedusaStrays = {
  /** The oldest stray orders that were made since then, one page of them. */
  strayOrdersSince(since: Date): Promise<readonly StrayOrder[]>
  /** Those of the given orders that are stray orders now. */
  strayOrders(ids: readonly OrderId[]): Promise<readonly StrayOrder[]>
}
