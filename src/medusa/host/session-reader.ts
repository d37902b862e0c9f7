/** Reads Medusa's sessions and payments by SQL and parses their rows. */
import { LIMITS } from "../../core/limits"
import type { Database, Row } from "../../ledger/database"
import type { Host, HostPayable, HostSession } from "../../engine/host"
import { textOrNull, textsIn } from "./rows"
import * as SQL from "./session-sql"

export type SessionReader = Pick<
  Host,
  | "session"
  | "payable"
  | "due"
  | "record"
  | "registeredCustomer"
  | "payableCart"
  | "order"
  | "collectionsOfOrder"
  | "paidSessionsOfOrder"
> & {
  /** Payment collections of the order whose money may still be captured. */
  uncapturedOf(orderId: string): Promise<string[]>
  /** A session that can be used as it is. */
  openSessionOf(collectionId: string, providerId: string): Promise<string | undefined>
  /** @param id of a payment, or of one of its captures or refunds */
  sessionOfPayment(id: string): Promise<string | undefined>
}

export function sessionReader(database: Database): SessionReader {
  const first = async (sql: string, ...given: unknown[]) => (await database.query(sql, given))[0]
  const texts = async (column: string, sql: string, id: string) =>
    (await database.query(sql, [id])).map((row) => String(row[column]))
  return {
    async session(id) {
      const row = await first(SQL.SESSION, id)
      return row && sessionFrom(row)
    },
    async payable(id) {
      const row = await first(SQL.PAYABLE, id)
      return row && payableFrom(row)
    },
    async due(collectionId) {
      const row = await first(SQL.DUE, collectionId, LIMITS.sessionGoneAfterMs)
      if (!row) return undefined
      return {
        amount: String(row["amount"]),
        currency: String(row["currency_code"]),
        providerIds: textsIn(row["provider_ids"]),
        isOrderCanceled: row["is_order_canceled"] === true,
        isAbandoned: row["is_abandoned"] === true,
      }
    },
    async order(collectionId) {
      const row = await first(SQL.ORDER, collectionId)
      if (!row) return undefined
      return {
        id: String(row["id"]),
        isCanceled: row["is_canceled"] === true,
        isCancelable: row["is_cancelable"] === true,
        hasMoney: row["has_money"] === true,
        providerIds: textsIn(row["provider_ids"]),
      }
    },
    uncapturedOf: (orderId) => texts("payment_collection_id", SQL.UNCAPTURED_OF_ORDER, orderId),
    async openSessionOf(collectionId, providerId) {
      const row = await first(SQL.OPEN_SESSION, collectionId, providerId)
      return row && String(row["id"])
    },
    collectionsOfOrder: (orderId) =>
      texts("payment_collection_id", SQL.COLLECTIONS_OF_ORDER, orderId),
    async record(collectionId, providerId) {
      const [sessions, payments, orders] = await Promise.all([
        database.query(SQL.RECORD_SESSIONS, [collectionId]),
        database.query(SQL.RECORD_PAYMENTS, [collectionId]),
        database.query(SQL.RECORD_ORDER, [collectionId, providerId]),
      ])
      const order = orders[0]
      const orderId = textOrNull(order?.["order_id"])
      return {
        sessions: sessions.map(sessionFrom),
        payments: payments.map((row) => ({
          sessionId: String(row["payment_session_id"]),
          isCaptured: row["is_captured"] === true,
          isCanceled: row["is_canceled"] === true,
          isInOrder: row["is_in_order"] === true,
        })),
        order: orderId
          ? {
              id: orderId,
              isCanceled: order?.["is_canceled"] === true,
              isPaidOtherwise: order?.["is_paid_otherwise"] === true,
            }
          : null,
        amount: textOrNull(order?.["amount"]) ?? "",
        cartId: textOrNull(order?.["cart_id"]),
        isProviderEnabled: order?.["is_enabled"] === true,
      }
    },
    async registeredCustomer({ cartId, orderId }) {
      return textOrNull((await first(SQL.REGISTERED_CUSTOMER, cartId, orderId))?.["id"])
    },
    async payableCart(cartId) {
      const row = await first(SQL.CART, cartId)
      if (!row) return undefined
      return {
        currency: String(row["currency_code"]),
        country: textOrNull(row["country"]),
        phone: textOrNull(row["phone"]),
        providerIds: textsIn(row["provider_ids"]),
      }
    },
    async sessionOfPayment(id) {
      const row = await first(SQL.SESSION_OF_PAYMENT, id)
      return row && String(row["payment_session_id"])
    },
    paidSessionsOfOrder: (orderId) => texts("payment_session_id", SQL.SESSIONS_OF_ORDER, orderId),
  }
}

function sessionFrom(row: Row): HostSession {
  const createdAt = row["created_at"]
  return {
    id: String(row["id"]),
    collectionId: String(row["payment_collection_id"]),
    providerId: String(row["provider_id"]),
    amount: String(row["amount"]),
    currency: String(row["currency_code"]),
    status: String(row["status"]),
    createdAt: createdAt instanceof Date ? createdAt : new Date(String(createdAt)),
  }
}

function payableFrom(row: Row): HostPayable {
  return {
    ...sessionFrom(row),
    cartId: textOrNull(row["cart_id"]),
    orderId: textOrNull(row["order_id"]),
    isOrderCanceled: row["is_order_canceled"] === true,
    hasPayment: row["has_payment"] === true,
    isProviderEnabled: row["is_provider_enabled"] === true,
    registeredCustomerId: textOrNull(row["registered_customer_id"]),
  }
}
