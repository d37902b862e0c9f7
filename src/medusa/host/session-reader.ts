/** Medusa's sessions and payments, read by SQL. */
import { LIMITS } from "../../core/limits"
import { rowsOf, type Database, type Row } from "../../ledger/database"
import type {
  Host,
  HostCart,
  HostDue,
  HostOrder,
  HostPayable,
  HostRecord,
  HostSession,
} from "../../engine/host"
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
  /** A session of the provider that a payer can use as it is. */
  openSessionOf(collectionId: string, providerId: string): Promise<string | undefined>
  /** @param id of a payment, or of one of its captures or refunds */
  sessionOfPayment(id: string): Promise<string | undefined>
}

type Rest = Omit<HostRecord, "sessions" | "payments">
type Payments = HostRecord["payments"][number]

export function sessionReader(database: Database): SessionReader {
  const first = async <T extends Row>(sql: string, ...given: unknown[]) =>
    (await rowsOf<T>(database, sql, given))[0]
  const ids = async (sql: string, ...given: unknown[]) =>
    (await rowsOf<{ id: string }>(database, sql, given)).map(({ id }) => id)
  return {
    session: (id) => first<HostSession>(SQL.SESSION, id),
    payable: (id) => first<HostPayable>(SQL.PAYABLE, id),
    due: (collectionId) => first<HostDue>(SQL.DUE, collectionId, LIMITS.sessionGoneAfterMs),
    order: (collectionId) => first<HostOrder>(SQL.ORDER, collectionId),
    payableCart: (cartId) => first<HostCart>(SQL.CART, cartId),
    async record(collectionId, providerId) {
      const [sessions, payments, rest] = await Promise.all([
        rowsOf<HostSession>(database, SQL.RECORD_SESSIONS, [collectionId]),
        rowsOf<Payments>(database, SQL.RECORD_PAYMENTS, [collectionId]),
        first<Rest>(SQL.RECORD_ORDER, collectionId, providerId),
      ])
      return { ...(rest ?? NOTHING_LEFT), sessions, payments }
    },
    async registeredCustomer({ cartId, orderId }) {
      return (await ids(SQL.REGISTERED_CUSTOMER, cartId, orderId))[0] ?? null
    },
    collectionsOfOrder: (orderId) => ids(SQL.COLLECTIONS_OF_ORDER, orderId),
    paidSessionsOfOrder: (orderId) => ids(SQL.SESSIONS_OF_ORDER, orderId),
    uncapturedOf: (orderId) => ids(SQL.UNCAPTURED_OF_ORDER, orderId),
    openSessionOf: async (collectionId, providerId) =>
      (await ids(SQL.OPEN_SESSION, collectionId, providerId))[0],
    sessionOfPayment: async (id) => (await ids(SQL.SESSION_OF_PAYMENT, id))[0],
  }
}

/** What is read of a payment collection that no longer exists. */
const NOTHING_LEFT: Rest = { order: null, amount: "", cartId: null, isProviderEnabled: false }
