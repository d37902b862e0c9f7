/** Medusa's sessions and payments, read by SQL. */
import type {
  CustomerId,
  MedusaPaymentId,
  OrderId,
  PaymentCollectionId,
  PaymentSessionId,
} from "../../core/ids"
import { LIMITS } from "../../core/limits"
import { rowsOf, type Database, type Row } from "../../ledger/database"
import type {
  MedusaPort,
  MedusaCart,
  MedusaDue,
  MedusaOrder,
  MedusaPayable,
  MedusaRecord,
  MedusaSession,
} from "../../engine/medusa-port"
import * as SQL from "./session-sql"

export type SessionReader = Pick<
  MedusaPort,
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
  uncapturedOf(orderId: OrderId): Promise<PaymentCollectionId[]>
  /** A session of the provider that a payer can use as it is. */
  openSessionOf(
    paymentCollectionId: PaymentCollectionId,
    providerId: string,
  ): Promise<PaymentSessionId | undefined>
  /** @param id of a payment, or of one of its captures or refunds */
  sessionOfPayment(id: MedusaPaymentId): Promise<PaymentSessionId | undefined>
}

type Rest = Omit<MedusaRecord, "sessions" | "payments">
type Payments = MedusaRecord["payments"][number]

export function sessionReader(database: Database): SessionReader {
  const first = async <T extends Row>(sql: string, ...given: unknown[]) =>
    (await rowsOf<T>(database, sql, given))[0]
  const ids = async <I extends string>(sql: string, ...given: unknown[]) =>
    (await rowsOf<{ id: I }>(database, sql, given)).map(({ id }) => id)
  return {
    session: (id) => first<MedusaSession>(SQL.SESSION, id),
    payable: (id) => first<MedusaPayable>(SQL.PAYABLE, id),
    due: (paymentCollectionId) =>
      first<MedusaDue>(SQL.DUE, paymentCollectionId, LIMITS.sessionGoneAfterMs),
    order: (paymentCollectionId) => first<MedusaOrder>(SQL.ORDER, paymentCollectionId),
    payableCart: (cartId) => first<MedusaCart>(SQL.CART, cartId),
    async record(paymentCollectionId, providerId) {
      const [sessions, payments, rest] = await Promise.all([
        rowsOf<MedusaSession>(database, SQL.RECORD_SESSIONS, [paymentCollectionId]),
        rowsOf<Payments>(database, SQL.RECORD_PAYMENTS, [paymentCollectionId]),
        first<Rest>(SQL.RECORD_ORDER, paymentCollectionId, providerId),
      ])
      return { ...(rest ?? NOTHING_LEFT), sessions, payments }
    },
    async registeredCustomer({ cartId, orderId }) {
      return (await ids<CustomerId>(SQL.REGISTERED_CUSTOMER, cartId, orderId))[0] ?? null
    },
    collectionsOfOrder: (orderId) => ids<PaymentCollectionId>(SQL.COLLECTIONS_OF_ORDER, orderId),
    paidSessionsOfOrder: (orderId) => ids<PaymentSessionId>(SQL.SESSIONS_OF_ORDER, orderId),
    uncapturedOf: (orderId) => ids<PaymentCollectionId>(SQL.UNCAPTURED_OF_ORDER, orderId),
    openSessionOf: async (paymentCollectionId, providerId) =>
      (await ids<PaymentSessionId>(SQL.OPEN_SESSION, paymentCollectionId, providerId))[0],
    sessionOfPayment: async (id) => (await ids<PaymentSessionId>(SQL.SESSION_OF_PAYMENT, id))[0],
  }
}

/** What is read of a payment collection that no longer exists. */
const NOTHING_LEFT: Rest = { order: null, amount: "", cartId: null, isProviderEnabled: false }
