/**
 * Implements the flows' port to Medusa. Facts are read by SQL or the query engine; every change
 * goes through Medusa's own workflows and services, by id.
 */
import { randomUUID } from "node:crypto"
import type {
  ILockingModule,
  IPaymentModuleService,
  MedusaContainer,
} from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MedusaError, Modules } from "@medusajs/framework/utils"
import { idFrom, type CartId, type OrderId, type PaymentSessionId } from "../../core/ids"
import { LIMITS } from "../../core/limits"
import { systemClock } from "../../core/ports"
import { refusal, refusalThroughMedusa } from "../../core/refusal"
import type { Database } from "../../ledger/database"
import { NOTHING_STARTED, type MedusaPort } from "../../engine/medusa-port"
import { basketOfCart, basketOfOrder, cartTotal } from "./basket"
import { openOrder, openSession } from "./open-order"
import { recordsReader } from "./reconciliation-reader"
import { medusaRefunds } from "./medusa-refunds"
import { WITH_ORDER } from "./medusa-refund-queries"
import { medusaRefundRecords } from "./medusa-refund-records"
import { sessionReader } from "./session-reader"
import { straysReader } from "./stray-orders"
import { idIn, runWorkflow } from "./workflows"

export function medusaAdapter(container: MedusaContainer, database: Database): MedusaPort {
  const reader = sessionReader(database)
  const query = () => container.resolve(ContainerRegistrationKeys.QUERY)
  const payments = (): IPaymentModuleService => container.resolve(Modules.PAYMENT)
  return {
    ...medusaRefundRecords(container, database),
    ...medusaRefunds(database),
    ...recordsReader(database),
    ...straysReader(database),
    ...reader,
    async settledRecord(paymentCollectionId, providerId) {
      const read = () => reader.record(paymentCollectionId, providerId)
      const record = await read()
      if (!record.order || !record.cartId) return record
      return whileCartRests(container.resolve(Modules.LOCKING), record.cartId, read)
    },
    openOrder: (orderId) => openOrder(query(), reader, orderId),
    openSession: (orderId, providerId) => openSession(container, reader, orderId, providerId),
    basketOfCart: (cartId) => basketOfCart(container, database, cartId),
    cartTotal: (cartId) => cartTotal(query(), cartId),
    basketOfOrder: (orderId) => basketOfOrder(query(), reader, orderId),
    async showOnSession(session, show) {
      const updated = payments().updatePaymentSession({
        id: session.id,
        amount: Number(session.amount),
        currency_code: session.currency,
        data: { ...(show.data ?? NOTHING_STARTED) },
        ...(show.status ? { status: show.status } : {}),
      })
      await updated.catch(unlessGone)
    },
    async deleteSessions(ids) {
      for (const id of ids) await payments().deletePaymentSession(id)
    },
    async dropCapture(sessionId) {
      const held = await payments().listPayments({ payment_session_id: sessionId })
      await container
        .resolve<SoftDeletes>(Modules.PAYMENT)
        .softDeletePayments(held.map(({ id }) => id))
    },
    async completeCart(cartId) {
      const order = await runWorkflow(container, "complete-cart", { id: cartId })
      return idFrom<OrderId>(idIn(order, "complete-cart returned no order"))
    },
    async captureOnOrder(sessionId, amount) {
      const data = { session_id: sessionId, amount: Number(amount) }
      await runWorkflow(container, "process-payment-workflow", { action: "captured", data })
    },
    refundCaptured: (sessionId, refund) => refundCaptured(container, database, sessionId, refund),
    async cancelOrder(orderId) {
      await runWorkflow(container, "cancel-order", { order_id: orderId })
    },
  }
}

/** A method that Medusa generates from its models but does not declare. */
type SoftDeletes = { softDeletePayments(ids: readonly string[]): Promise<unknown> }

/** Medusa replaces sessions at any moment; a session that is gone needs no update. */
function unlessGone(error: unknown): void {
  if (!MedusaError.isMedusaError(error) || error.type !== MedusaError.Types.NOT_FOUND) throw error
}

/**
 * Reads under Medusa's own lock of a cart. A completion holds that lock from before it makes the
 * order until the order is made or undone. It is acquired as Medusa's workflows do: with the
 * Postgres provider `execute` would be another lock, and would hold a connection.
 *
 * @throws if the lock is held by another process for {@link LIMITS.orderLockMs}
 */
async function whileCartRests<T>(
  locking: Pick<ILockingModule, "acquire" | "release">,
  cartId: CartId,
  read: () => Promise<T>,
): Promise<T> {
  const ownerId = `merchant-payments:${randomUUID()}`
  const untilMs = systemClock.monotonicMs() + LIMITS.orderLockMs
  for (;;) {
    try {
      await locking.acquire(cartId, { ownerId, expire: LIMITS.cartReadLockMs / 1_000 })
      break
    } catch (error) {
      if (systemClock.monotonicMs() >= untilMs) throw error
    }
    await systemClock.sleep(LIMITS.lockRetryMs)
  }
  try {
    return await read()
  } finally {
    await locking.release(cartId, { ownerId })
  }
}

const CAPTURED_PAYMENT = `
  select p.id, p.amount::text as amount,
         o.id is not null and o.status <> 'canceled' and o.canceled_at is null as has_order
    from payment p ${WITH_ORDER}
   where p.payment_session_id = $1 and p.deleted_at is null and p.canceled_at is null
   limit 1`

/**
 * Refunds a whole payment in review that Medusa captured, through Medusa and in the admin's name.
 * An order that stands gets transaction and credit line by the workflow. Without one the workflow
 * does not run (H24, H25): then the Payment module refunds, and the job delivers what the order
 * lacks.
 *
 * @throws Refusal with which the payment provider refused the refund
 */
async function refundCaptured(
  container: MedusaContainer,
  database: Database,
  sessionId: PaymentSessionId,
  refund: { readonly createdBy: string; readonly note: string },
): Promise<void> {
  const [row] = await database.query(CAPTURED_PAYMENT, [sessionId])
  if (!row) throw refusal("refund_unavailable")
  const input = {
    payment_id: String(row["id"]),
    amount: Number(row["amount"]),
    created_by: refund.createdBy,
    note: refund.note,
  }
  try {
    if (row["has_order"] === true) {
      await runWorkflow(container, "refund-payment-workflow", input)
    } else {
      const payments: IPaymentModuleService = container.resolve(Modules.PAYMENT)
      await payments.refundPayment(input)
    }
  } catch (error) {
    throw refusalThroughMedusa(error) ?? error
  }
}
