/**
 * What the flows need to know of the host and to have done by it. The host is Medusa; it is behind
 * a port so that this room reads without knowing Medusa's tables and workflows.
 */
import type { CartPosition } from "../core/cart-lines"
import type { HostPayment, RefundRecords } from "../core/host-records"

/** Medusa's answer is no, by its own rules or a shop's: the same again is answered the same. */
export class HostRefusal extends Error {
  override readonly name: string = "HostRefusal"
}

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
  /** What its collection asks for; left out: what the session does. */
  readonly dueAmount?: string
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

/** Whom an admin may have to reach about a payment. */
export type HostContact = {
  readonly customerId: string | null
  readonly name: string | null
  readonly email: string | null
  /** The number that people know the order by. */
  readonly orderNumber: string | null
}

/** What a payment collection asks for now, and through which providers. Amount unrounded. */
export type HostDue = {
  readonly amount: string
  readonly currency: string
  readonly providerIds: readonly string[]
  /** What the region of its cart serves now; null or left out once there is an order. */
  readonly servedProviderIds?: readonly string[] | null
  /** Its order is cancelled. */
  readonly isOrderCanceled: boolean
  /** Its cart is deleted, or its last session is, for some time, and none came in its place. */
  readonly isAbandoned: boolean
}

/** An order that is to be paid. Amount unrounded. */
export type HostOpenOrder = {
  readonly id: string
  readonly currency: string
  /** What it still asks for, in whatever ways the rest was paid. */
  readonly openAmount: string
  readonly isCanceled: boolean
  /** It is not placed yet. */
  readonly isDraft: boolean
  /** Payment collections with an authorised, uncaptured payment: its money may still come. */
  readonly uncapturedIn: readonly string[]
}

/** The order of a payment collection, as far as it matters whether it may be cancelled unpaid. */
export type HostOrder = {
  readonly id: string
  readonly isCanceled: boolean
  /** Nothing was sent out for it, and it is neither a draft nor closed by the merchant. */
  readonly isCancelable: boolean
  /** A payment that stands, or money in its transactions, by whatever way it came. */
  readonly hasMoney: boolean
  /** Of all its sessions that may still bring money. */
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

/** `product`: one that is no longer sold. `shop`: a check of the shop's own says no. */
export type MissingPart =
  "items" | "shipping_address" | "shipping_method" | "stock" | "product" | "promotion" | "shop"

/** Payments and order of one collection, read right before and after money is recorded. */
export type HostRecord = {
  readonly sessions: readonly HostSession[]
  readonly payments: readonly {
    readonly sessionId: string
    readonly isCaptured: boolean
    readonly isCanceled: boolean
    /** Its captures are all in the order's transactions. */
    readonly isInOrder: boolean
  }[]
  readonly order: {
    readonly id: string
    readonly isCanceled: boolean
    /** It holds money that did not come through this collection; it may still ask for more. */
    readonly isPaidOtherwise: boolean
  } | null
  /** What the collection asks for now, unrounded; the order's open amount once there is one. */
  readonly amount: string
  readonly cartId: string | null
  readonly isProviderEnabled: boolean
}

export type HostSessionStatus =
  "pending" | "pending_authorization" | "requires_more" | "error" | "canceled"

/** Shows a payment of before: put back before another begins, or before money is recorded. */
export function isSpentStatus(status: string): boolean {
  return status === "error" || status === "canceled" || status === "requires_more"
}

export type Host = {
  payable(sessionId: string): Promise<HostPayable | undefined>
  session(sessionId: string): Promise<HostSession | undefined>
  /** What a collection asks for now. */
  due(collectionId: string): Promise<HostDue | undefined>
  /** The registered customer of a cart or order, if it has one; also of a deleted cart. */
  registeredCustomer(of: {
    readonly cartId: string | null
    readonly orderId: string | null
  }): Promise<string | null>
  payableCart(cartId: string): Promise<HostCart | undefined>
  basketOfCart(cartId: string): Promise<HostBasket | undefined>
  basketOfOrder(orderId: string): Promise<HostBasket | undefined>
  /** The order that waits for a collection's money, or has it. */
  order(collectionId: string): Promise<HostOrder | undefined>
  openOrder(orderId: string): Promise<HostOpenOrder | undefined>
  /**
   * Medusa's own payment collection for what an order still asks for, with a session of this
   * provider; the same ones again as long as they are for that amount. The session's id.
   */
  openSession(orderId: string, providerId: string): Promise<string>
  collectionsOfOrder(orderId: string): Promise<readonly string[]>
  /** Sessions with a payment that stands, of an order. */
  paidSessionsOfOrder(orderId: string): Promise<readonly string[]>
  record(collectionId: string, providerId: string): Promise<HostRecord>
  /**
   * As `record`, read while no completion of the cart runs: an order that is there is not undone
   * any more. Throws where a completion runs for too long.
   */
  settledRecord(collectionId: string, providerId: string): Promise<HostRecord>
  /** Sets a session's status and our three public fields. Does not throw for one that is gone. */
  showOnSession(session: HostSession, show: SessionShow): Promise<void>
  deleteSessions(ids: readonly string[]): Promise<void>
  /** Takes back the capture of a session whose order was undone. The money itself does not move. */
  dropCapture(sessionId: string): Promise<void>
  /** Medusa's own completion of a cart: order, reservations, then the payment. The order's id. */
  completeCart(cartId: string): Promise<string>
  /** Captures a session's payment onto the existing order. Amount: the session's own, unrounded. */
  captureOnOrder(sessionId: string, amount: string): Promise<void>
  /**
   * All of what Medusa holds of a session goes back through Medusa, in an admin's name.
   *
   * @throws Refusal what the payment provider refused it with
   */
  refundCaptured(
    sessionId: string,
    refund: { readonly createdBy: string; readonly note: string },
  ): Promise<void>
  /** Medusa's own cancelling of an order: its stock is free again. Throws for one that it keeps. */
  cancelOrder(orderId: string): Promise<void>
} & HostRefundRecords &
  HostRefunds &
  HostPeriod &
  HostCustomers

/** What Medusa says is the customer's. */
export type CustomersOwn = {
  readonly customerId: string
  readonly cartIds: readonly string[]
  readonly orderIds: readonly string[]
}

/** Whose carts and orders are whose, which Medusa knows. */
export type HostCustomers = {
  /** Who pays a cart or order, as Medusa has it now; undefined where it has neither. */
  contact(of: {
    readonly cartId: string | null
    readonly orderId: string | null
  }): Promise<HostContact | undefined>
  /** Undefined: Medusa has no such customer, cart or order. Guests are customers, too. */
  customersOwn(customerId: string): Promise<CustomersOwn | undefined>
}

/** What a refund of Medusa's, or a row of one, is found by. */
export type HostRefundKey = {
  /** Where it is known: of the row's own payment, if the collection has several. */
  readonly hostRefundId: string | null
  readonly collectionId: string
  readonly sessionId: string
  readonly providerId: string
}

/** A payment of ours with refunds that seem never to have been asked for. */
export type HostSuspect = HostRefundKey & { readonly paymentId: string }

export type HostSuspectsPage = {
  readonly since: Date
  /** The last one of the page before. */
  readonly after: HostSuspect | undefined
  readonly limit: number
}

/** Medusa's five places of a refund: row, transaction, credit line, collection sum, order sum. */
export type HostRefundRecords = {
  /** Undefined: there is no captured payment that it could be of. */
  refundRecords(key: HostRefundKey): Promise<RefundRecords | undefined>
  /**
   * Refund rows without a transaction that can be their own, one suspect for each, and payments
   * whose transactions or sums do not add up; made since, and not just now. A row may be bound all
   * the same.
   */
  suspectRefunds(page: HostSuspectsPage): Promise<readonly HostSuspect[]>
  /**
   * Medusa's own refund; the provider is asked within. Amounts are major units, unrounded.
   *
   * @param refund.isByWorkflow with the order's transaction and credit line; else the row alone
   */
  makeRefund(refund: {
    readonly paymentId: string
    readonly amount: string
    readonly createdBy: string
    readonly isByWorkflow: boolean
  }): Promise<void>
  removeRefunds(rowIds: readonly string[]): Promise<void>
  /** Softly: a worker that follows a dead one still finds the credit line beside it. */
  removeRefundTransactions(ids: readonly string[]): Promise<void>
  removeCreditLines(ids: readonly string[]): Promise<void>
  /** What Medusa's workflow would add of it, in the row's name, and once. */
  addCreditLine(refund: HostOrderRefund & { readonly isInTransactions: boolean }): Promise<void>
  addRefundTransaction(refund: HostOrderRefund): Promise<void>
  /** An order's paid, refunded and open sums, from its transactions and lines as they are now. */
  recountOrder(orderId: string): Promise<void>
  /**
   * What was refunded of a payment collection, from its refund rows; that of a cancelled order
   * stays so.
   *
   * @param without rows that are going to be removed
   */
  recountCollection(collectionId: string, without?: readonly string[]): Promise<void>
}

export type HostOrderRefund = {
  readonly orderId: string
  readonly rowId: string
  readonly amount: string
}

/** All that a payment session's public `data` ever holds of us. */
export type SessionData = {
  readonly state: string
  readonly url: string | null
  readonly reference: string | null
  /** The storefront's own, which nothing here reads. */
  readonly client?: unknown
}

export const NOTHING_STARTED: SessionData = { state: "ready", url: null, reference: null }

export type SessionShow = { readonly status?: HostSessionStatus; readonly data?: SessionData }

/** Medusa makes the row before it asks the provider, and deletes it where the answer is no. */
export type HostRefund = {
  readonly id: string
  readonly sessionId: string
  readonly providerId: string
  /** In major units, not rounded. */
  readonly amount: string
  readonly currency?: string
  /** What was captured of its payment, in major units, not rounded. */
  readonly capturedAmount: string
  /** An admin's id, the job's mark, or nothing. */
  readonly createdBy: string | null
  /** Its payment collection belongs to an order. */
  readonly hasOrder: boolean
  /** How long ago Medusa made it. */
  readonly ageMs: number
  /**
   * A row made before it, of the same payment, is not in the order's transactions yet. Medusa's
   * workflow writes a transaction for every row that has none, of the amount that it was itself
   * asked for: of two at once the order would show the wrong sums for ever.
   */
  readonly isBehind: boolean
}

/** A payment that stands in an order, with what cancelling the order would give back of it. */
export type HostPaid = {
  readonly sessionId: string
  readonly capturedAmount: string
  /** Captured and not refunded by Medusa's rows, never below 0. */
  readonly leftAmount: string
}

export type HostRefunds = {
  refund(id: string): Promise<HostRefund | undefined>
  /** Those of the ids that Medusa has a row of, not deleted. */
  shown(ids: readonly string[]): Promise<ReadonlySet<string>>
  /** Ours alone. */
  paidOfOrder(orderId: string): Promise<readonly HostPaid[]>
}

/** What sweeps and reconciliation need to know of Medusa. Read only. */
export type HostPeriod = {
  /** Of these payment sessions, those that Medusa deleted at least so long ago, or never had. */
  goneSessions(ids: readonly string[], forMs: number): Promise<readonly string[]>
  /** Payments of our providers that were made in a period, in the order of their ids. */
  paymentsOfPeriod(
    period: { readonly from: Date; readonly until: Date },
    page: { readonly afterId: string; readonly limit: number },
  ): Promise<readonly HostPayment[]>
  /** Payments of our providers, of these sessions. */
  paymentsOfSessions(sessionIds: readonly string[]): Promise<readonly HostPayment[]>
  /** Refunds of our providers' payments that Medusa made a row for in a period, by their ids. */
  refundsOfPeriod(
    period: { readonly from: Date; readonly until: Date },
    page: { readonly afterId: string; readonly limit: number },
  ): Promise<readonly HostRefundRow[]>
  /** Of these refund rows, as far as they are there. */
  refundRows(ids: readonly string[]): Promise<readonly HostRefundRow[]>
  /** The numbers that people know orders by. */
  orderNumbers(orderIds: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** The ids of the orders with these numbers. */
  ordersNumbered(numbers: readonly number[]): Promise<ReadonlyMap<number, string>>
}

/** Amount as Medusa has it, unrounded. */
export type HostRefundRow = {
  readonly id: string
  readonly sessionId: string
  readonly currency: string
  readonly amount: string
}
