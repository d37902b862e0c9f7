/**
 * What the flows ask Medusa and have Medusa do. Medusa stands behind a port, so that this folder
 * can be read without knowing Medusa's tables and workflows.
 */
import type { MedusaStrays } from "./stray-order"
import type { CartPosition, SoldOutItem } from "../core/cart-lines"
import type {
  AdminId,
  CartId,
  CustomerId,
  MedusaPaymentId,
  MedusaRefundId,
  OrderId,
  PaymentCollectionId,
  PaymentSessionId,
} from "../core/ids"
import type { MedusaPayment, RefundRecords } from "../core/medusa-records"

/** Medusa refused by its own rules or the store's: the same call gets the same answer again. */
export class MedusaRefusal extends Error {
  override readonly name: string = "MedusaRefusal"
}

/** A payment session of Medusa's. Amounts are its own, unrounded, as decimal text. */
export type MedusaSession = {
  readonly id: PaymentSessionId
  readonly paymentCollectionId: PaymentCollectionId
  readonly providerId: string
  readonly amount: string
  readonly currency: string
  readonly status: string
  readonly createdAt: Date
}

/** A payment session with what it is for. */
export type MedusaPayable = MedusaSession & {
  /** What its payment collection asks for. Left out: the session's own amount. */
  readonly dueAmount?: string
  readonly cartId: CartId | null
  readonly orderId: OrderId | null
  readonly isOrderCanceled: boolean
  readonly hasPayment: boolean
  readonly isProviderEnabled: boolean
  /** The customer's id, if registered: then only this customer may see and pay the session. */
  readonly registeredCustomerId: CustomerId | null
}

/** The facts of a cart that say how it can be paid. */
export type MedusaCart = {
  readonly currency: string
  /** ISO two letters, lower case. */
  readonly country: string | null
  readonly phone: string | null
  /** The providers enabled for the cart's region. */
  readonly providerIds: readonly string[]
}

/** The person whom an admin may have to reach about a payment. */
export type MedusaContact = {
  readonly customerId: CustomerId | null
  readonly name: string | null
  readonly email: string | null
  /** The number by which people know the order. */
  readonly orderNumber: string | null
}

/** What a payment collection asks for now, and through which providers. The amount is unrounded. */
export type MedusaDue = {
  /** The order that the money is for; null: there is only a cart. */
  readonly orderId: OrderId | null
  readonly amount: string
  readonly currency: string
  readonly providerIds: readonly string[]
  /** The providers that the cart's region has now; null or left out once there is an order. */
  readonly servedProviderIds?: readonly string[] | null
  readonly isOrderCanceled: boolean
  /** The cart is deleted, or there has been no session for some time. */
  readonly isAbandoned: boolean
}

/** An order that is to be paid. The amount is unrounded. */
export type MedusaOpenOrder = {
  readonly id: OrderId
  readonly currency: string
  /** What the order still asks for, in whatever ways the rest was paid. */
  readonly openAmount: string
  readonly isCanceled: boolean
  /** The order is not placed yet. */
  readonly isDraft: boolean
  /** Payment collections with an authorised, uncaptured payment, whose money may still come. */
  readonly uncapturedIn: readonly PaymentCollectionId[]
}

/** The facts of a payment collection's order that say whether it may be cancelled unpaid. */
export type MedusaOrder = {
  readonly id: OrderId
  readonly isCanceled: boolean
  /** Nothing was shipped, and the order is neither a draft nor closed by the merchant. */
  readonly isCancelable: boolean
  /** The order has an uncancelled payment, or its transactions hold money from anywhere. */
  readonly hasMoney: boolean
  /** The providers of all its sessions that may still bring money. */
  readonly providerIds: readonly string[]
}

/** What a cart, or an order that waits for its money, holds, as far as paying needs it. */
export type MedusaBasket = {
  readonly positions: readonly CartPosition[]
  readonly total: string
  /** By which the payer knows it: the shop's name, and the number of an order that is placed. */
  readonly title: string
  readonly email: string | null
  readonly phone: string | null
  readonly name: string | null
  /** ISO two letters, lower case: from the shipping address, else the region's only country. */
  readonly country: string | null
  /** What `complete-cart` would require and not find; empty for an order. */
  readonly missing: readonly MissingPart[]
  /** Where stock is missing: the items that Medusa has too few of. */
  readonly soldOut: readonly SoldOutItem[]
  /** What the order asks for, read together with what it holds; null for a cart. */
  readonly order: MedusaOpenOrder | null
}

/** `product`: one of the products is no longer sold. `shop`: the store's own check refuses. */
export type MissingPart =
  "items" | "shipping_address" | "shipping_method" | "stock" | "product" | "promotion" | "shop"

/** Payments and order of a payment collection, read right before and after money is recorded. */
export type MedusaRecord = {
  readonly sessions: readonly MedusaSession[]
  readonly payments: readonly {
    readonly sessionId: PaymentSessionId
    readonly isCaptured: boolean
    readonly isCanceled: boolean
    /** Each of the payment's captures is one of the order's transactions. */
    readonly isInOrder: boolean
  }[]
  readonly order: {
    readonly id: OrderId
    readonly isCanceled: boolean
    /** The order holds money that came outside this collection; it may still ask for more. */
    readonly isPaidOtherwise: boolean
  } | null
  /** What the collection asks for now, unrounded; once there is an order, its open amount. */
  readonly amount: string
  readonly cartId: CartId | null
  readonly isProviderEnabled: boolean
}

export type MedusaSessionStatus =
  "pending" | "pending_authorization" | "requires_more" | "error" | "canceled"

/**
 * Whether a session still shows an earlier payment. Its status is put back before another payment
 * begins or money is recorded.
 */
export function isSpentStatus(status: string): boolean {
  return status === "error" || status === "canceled" || status === "requires_more"
}

export type MedusaPort = {
  payable(sessionId: PaymentSessionId): Promise<MedusaPayable | undefined>
  session(sessionId: PaymentSessionId): Promise<MedusaSession | undefined>
  /** What a payment collection asks for now. */
  due(paymentCollectionId: PaymentCollectionId): Promise<MedusaDue | undefined>
  /** The id of the registered customer of an order or a cart, even a deleted one; null: none. */
  registeredCustomer(of: {
    readonly cartId: CartId | null
    readonly orderId: OrderId | null
  }): Promise<CustomerId | null>
  payableCart(cartId: CartId): Promise<MedusaCart | undefined>
  basketOfCart(cartId: CartId): Promise<MedusaBasket | undefined>
  /** What the cart asks for now, unrounded; undefined: there is no such cart. */
  cartTotal(cartId: CartId): Promise<string | undefined>
  basketOfOrder(orderId: OrderId): Promise<MedusaBasket | undefined>
  /** The order that waits for a payment collection's money, or already has it. */
  order(paymentCollectionId: PaymentCollectionId): Promise<MedusaOrder | undefined>
  openOrder(orderId: OrderId): Promise<MedusaOpenOrder | undefined>
  /**
   * Makes Medusa's payment collection for what an order still asks for, with a session of this
   * provider. Both are used again while they are for that amount.
   * @returns the session's id
   */
  openSession(orderId: OrderId, providerId: string): Promise<PaymentSessionId>
  collectionsOfOrder(orderId: OrderId): Promise<readonly PaymentCollectionId[]>
  /** Ids of an order's sessions that have an uncancelled payment. */
  paidSessionsOfOrder(orderId: OrderId): Promise<readonly PaymentSessionId[]>
  record(paymentCollectionId: PaymentCollectionId, providerId: string): Promise<MedusaRecord>
  /**
   * As `record`, read while no completion of the cart runs, so an order found here is not undone
   * any more. Throws if a completion runs for too long.
   */
  settledRecord(paymentCollectionId: PaymentCollectionId, providerId: string): Promise<MedusaRecord>
  /** Sets a session's status and our three public fields. Does not throw if the session is gone. */
  showOnSession(session: MedusaSession, show: SessionShow): Promise<void>
  deleteSessions(ids: readonly PaymentSessionId[]): Promise<void>
  /** Removes the capture of a session whose order was undone. The money itself does not move. */
  dropCapture(sessionId: PaymentSessionId): Promise<void>
  /** Medusa's completion of a cart: order, reservations, payment. @returns the order's id */
  completeCart(cartId: CartId): Promise<OrderId>
  /** Captures a session's payment onto its order. @param amount the session's own, unrounded */
  captureOnOrder(sessionId: PaymentSessionId, amount: string): Promise<void>
  /**
   * Refunds through Medusa, in an admin's name, all that Medusa holds of a session.
   *
   * @throws Refusal the one that the payment provider answered with
   */
  refundCaptured(
    sessionId: PaymentSessionId,
    refund: { readonly createdBy: string; readonly note: string },
  ): Promise<void>
  /** Cancels an order through Medusa, which frees its stock. Throws if Medusa keeps the order. */
  cancelOrder(orderId: OrderId): Promise<void>
} & MedusaRefundRecords &
  MedusaRefunds &
  MedusaPeriod &
  MedusaStrays &
  MedusaCustomers

/** The carts and orders that are a customer's, by Medusa's records. */
export type CustomersOwn = {
  readonly customerId: CustomerId
  readonly cartIds: readonly CartId[]
  readonly orderIds: readonly OrderId[]
}

/** Which customer a cart or order belongs to, by Medusa's records. */
export type MedusaCustomers = {
  /** The person who pays a cart or order, as Medusa has it now; undefined: Medusa has neither. */
  contact(of: {
    readonly cartId: CartId | null
    readonly orderId: OrderId | null
  }): Promise<MedusaContact | undefined>
  /** Undefined: Medusa has no such customer, cart or order. Guests are customers, too. */
  customersOwn(customerId: CustomerId): Promise<CustomersOwn | undefined>
}

/** The ids by which a refund of Medusa's, or its row, is found. */
export type MedusaRefundKey = {
  /** The refund row's id, if known: it picks the payment where the collection has several. */
  readonly medusaRefundId: MedusaRefundId | null
  readonly paymentCollectionId: PaymentCollectionId
  readonly sessionId: PaymentSessionId
  readonly providerId: string
}

/** A payment of ours whose records of refunds in Medusa may be wrong. */
export type MedusaSuspect = Omit<MedusaRefundKey, "medusaRefundId"> & {
  readonly paymentId: MedusaPaymentId
}

export type MedusaSuspectsPage = {
  readonly since: Date
  /** The last suspect of the previous page. */
  readonly after: MedusaSuspect | undefined
  readonly limit: number
}

/** Medusa's five places of a refund: row, transaction, credit line, collection sum, order sum. */
export type MedusaRefundRecords = {
  /** Undefined: there is no captured payment that the refund could belong to. */
  refundRecords(key: MedusaRefundKey): Promise<RefundRecords | undefined>
  /**
   * Payments with a refund row without a transaction that can be its own, or whose transactions or
   * sums do not add up. Only records made after `since` and not just now. The row may still be
   * bound to a refund of ours.
   */
  suspectRefunds(page: MedusaSuspectsPage): Promise<readonly MedusaSuspect[]>
  /**
   * Makes a refund through Medusa, which asks the payment provider. Amounts are major units,
   * unrounded.
   *
   * @param refund.isByWorkflow also writes the order's transaction and credit line; else only a row
   */
  makeRefund(refund: {
    readonly paymentId: MedusaPaymentId
    readonly amount: string
    readonly createdBy: string
    readonly note?: string | undefined
    readonly isByWorkflow: boolean
  }): Promise<void>
  removeRefunds(rowIds: readonly MedusaRefundId[]): Promise<void>
  removeRefundTransactions(ids: readonly string[]): Promise<void>
  removeCreditLines(ids: readonly string[]): Promise<void>
  /** Adds once, for the refund row, the credit line that Medusa's workflow would add. */
  addCreditLine(refund: MedusaOrderRefund & { readonly isInTransactions: boolean }): Promise<void>
  addRefundTransaction(refund: MedusaOrderRefund): Promise<void>
  /** Counts an order's paid, refunded and open sums anew, from its transactions and lines. */
  recountOrder(orderId: OrderId): Promise<void>
  /**
   * Counts a payment collection's refunded sum anew, from its refund rows. The collection of a
   * cancelled order stays cancelled.
   *
   * @param without ids of rows that are about to be removed
   */
  recountCollection(
    paymentCollectionId: PaymentCollectionId,
    without?: readonly MedusaRefundId[],
  ): Promise<void>
}

type MedusaOrderRefund = {
  readonly orderId: OrderId
  readonly rowId: MedusaRefundId
  readonly amount: string
}

/** All that this plugin ever writes into a payment session's public `data`. */
export type SessionData = {
  readonly state: string
  readonly url: string | null
  readonly reference: string | null
  /** The storefront's own data, which this plugin never reads. */
  readonly client?: unknown
}

export const NOTHING_STARTED: SessionData = { state: "ready", url: null, reference: null }

type SessionShow = { readonly status?: MedusaSessionStatus; readonly data?: SessionData }

/** A refund row. Medusa makes it before it asks the provider, and deletes it after a refusal. */
export type MedusaRefund = {
  readonly id: MedusaRefundId
  readonly sessionId: PaymentSessionId
  readonly providerId: string
  /** In major units, unrounded. */
  readonly amount: string
  readonly currency?: string
  /** What was captured of its payment, in major units, unrounded. */
  readonly capturedAmount: string
  /** An admin's id, the job's mark, or that of an approved request; null: none of them. */
  readonly createdBy: AdminId | null
  readonly note?: string | null
  /** Its payment collection belongs to an order. */
  readonly hasOrder: boolean
  /** Milliseconds since Medusa made the row. */
  readonly ageMs: number
  /**
   * An earlier row of the same payment is not in the order's transactions yet. Medusa's workflow
   * writes a transaction of its own amount for every row that has none: after two refunds at once
   * the order would show wrong sums for ever.
   */
  readonly isBehind: boolean
}

/** An uncancelled payment of an order, with what cancelling the order would give back of it. */
export type MedusaPaid = {
  readonly sessionId: PaymentSessionId
  readonly capturedAmount: string
  /** Captured and not refunded by Medusa's rows, never below 0. */
  readonly leftAmount: string
}

export type MedusaRefunds = {
  refund(id: MedusaRefundId): Promise<MedusaRefund | undefined>
  /** The ids of these refunds for which Medusa has a row that is not deleted. */
  shown(ids: readonly MedusaRefundId[]): Promise<ReadonlySet<MedusaRefundId | null>>
  /** The order's payments by our providers. */
  paidOfOrder(orderId: OrderId): Promise<readonly MedusaPaid[]>
}

/** What sweeps and the reconciliation read in Medusa. Read only. */
export type MedusaPeriod = {
  /** The ids of these sessions that Medusa deleted at least `forMs` ago, or never had. */
  goneSessions(
    ids: readonly PaymentSessionId[],
    forMs: number,
  ): Promise<readonly PaymentSessionId[]>
  /** Payments of our providers that were made in a period, in the order of their ids. */
  paymentsOfPeriod(
    period: { readonly from: Date; readonly until: Date },
    page: { readonly afterId: string; readonly limit: number },
  ): Promise<readonly MedusaPayment[]>
  /** Our providers' payments that belong to these sessions. */
  paymentsOfSessions(sessionIds: readonly PaymentSessionId[]): Promise<readonly MedusaPayment[]>
  /** Refund rows of our providers' payments that Medusa made in a period, ordered by id. */
  refundsOfPeriod(
    period: { readonly from: Date; readonly until: Date },
    page: { readonly afterId: string; readonly limit: number },
  ): Promise<readonly MedusaRefundRow[]>
  /** The refund rows with these ids that exist. */
  refundRows(ids: readonly MedusaRefundId[]): Promise<readonly MedusaRefundRow[]>
  /** The numbers by which people know these orders. */
  orderNumbers(orderIds: readonly OrderId[]): Promise<ReadonlyMap<string, string>>
  /** The names of these admins, or their e-mail addresses; deleted ones have theirs as well. */
  adminNames(ids: readonly AdminId[]): Promise<ReadonlyMap<string, string>>
  /** The ids of the orders with these numbers. */
  ordersNumbered(numbers: readonly number[]): Promise<ReadonlyMap<number, OrderId>>
}

/** A refund row of Medusa's. The amount is unrounded, as Medusa has it. */
export type MedusaRefundRow = {
  readonly id: MedusaRefundId
  readonly sessionId: PaymentSessionId
  readonly currency: string
  readonly amount: string
}
