/**
 * What the flows need to know of the host and to have done by it. The host is Medusa; it is behind a
 * port so that this room reads without knowing Medusa's tables and workflows.
 */
import type { CartPosition } from "../core/cart-lines"

/** A payment session of Medusa's. Amounts are its own, unrounded, as decimal text. */
export type HostSession = {
  readonly id: string
  readonly collectionId: string
  readonly providerId: string
  readonly amount: string
  readonly currency: string
  readonly status: string
  readonly createdAt: Date
}

/** A payment session with what it is for. */
export type HostPayable = HostSession & {
  readonly cartId: string | null
  readonly orderId: string | null
  readonly isOrderCanceled: boolean
  readonly hasPayment: boolean
  readonly isProviderEnabled: boolean
  /** The customer, when it is a registered one: only they may see and pay it. */
  readonly registeredCustomerId: string | null
}

/** As much of a cart as is needed to say how it can be paid. */
export type HostCart = {
  readonly currency: string
  /** ISO two letters, lower case. */
  readonly country: string | null
  readonly phone: string | null
  /** Enabled for the cart's region. */
  readonly providerIds: readonly string[]
}

/** What a payment collection asks for now, and through which providers. Amount unrounded. */
export type HostDue = {
  readonly amount: string
  readonly currency: string
  readonly providerIds: readonly string[]
}

/** What a cart (or an order that waits for its money) holds, as far as paying needs it. */
export type HostBasket = {
  readonly positions: readonly CartPosition[]
  readonly total: string
  readonly email: string | null
  readonly phone: string | null
  readonly name: string | null
  /** ISO two letters, lower case; the shipping address's, else the region's only country. */
  readonly country: string | null
  /** What `complete-cart` would ask for and does not find; empty for an order. */
  readonly missing: readonly MissingPart[]
}

export type MissingPart = "items" | "email" | "shipping_address" | "shipping_method" | "stock"

/** Payments and order of one collection, read straight before and after telling Medusa. */
export type HostRecord = {
  readonly sessions: readonly HostSession[]
  readonly payments: readonly {
    readonly sessionId: string
    readonly isCaptured: boolean
    readonly isCanceled: boolean
    /** Its captures are all in the order's transactions. */
    readonly isInOrder: boolean
  }[]
  readonly order: { readonly id: string; readonly isCanceled: boolean } | null
  readonly cartId: string | null
  readonly isProviderEnabled: boolean
}

export type HostSessionStatus = "pending" | "pending_authorization" | "error" | "canceled"

export type Host = {
  payable(sessionId: string): Promise<HostPayable | undefined>
  session(sessionId: string): Promise<HostSession | undefined>
  /** What a collection asks for now. */
  due(collectionId: string): Promise<HostDue | undefined>
  payableCart(cartId: string): Promise<HostCart | undefined>
  basketOfCart(cartId: string): Promise<HostBasket | undefined>
  basketOfOrder(orderId: string): Promise<HostBasket | undefined>
  /** Sessions with a payment that stands, of an order. */
  paidSessionsOfOrder(orderId: string): Promise<readonly string[]>
  /** The cart's total as it is now, unrounded. */
  cartTotal(cartId: string): Promise<string | undefined>
  record(collectionId: string, providerId: string): Promise<HostRecord>
  /** Sets a session's status and our three public fields. Never throws for a session that is gone. */
  showOnSession(session: HostSession, show: SessionShow): Promise<void>
  deleteSessions(ids: readonly string[]): Promise<void>
  /** Medusa's own completion of a cart: order, reservations, then the payment. The order's id. */
  completeCart(cartId: string): Promise<string>
  /** Captures a session's payment onto the order that exists. Amount unrounded, the session's own. */
  captureOnOrder(sessionId: string, amount: string): Promise<void>
}

/** All that a payment session's public `data` ever holds of us. */
export type SessionData = {
  readonly state: string
  readonly url: string | null
  readonly reference: string | null
}

export type SessionShow = { readonly status?: HostSessionStatus; readonly data?: SessionData }
