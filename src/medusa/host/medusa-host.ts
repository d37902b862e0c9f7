/**
 * Implements the flows' port to Medusa. Facts are read by SQL or the query engine; every change
 * goes through Medusa's own workflows and services, by id.
 */
import type { IPaymentModuleService, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MedusaError, Modules } from "@medusajs/framework/utils"
import type { Database } from "../../ledger/database"
import { NOTHING_STARTED, type Host } from "../../engine/host"
import { basketOfCart, basketOfOrder, totalOfCart } from "./basket"
import { whileCartRests } from "./cart-lock"
import { openOrder, openSession } from "./open-order"
import { recordsReader } from "./records-reader"
import { refundCaptured } from "./refund-captured"
import { refundReader } from "./refund-reader"
import { hostRefundRecords } from "./refunds"
import { sessionReader } from "./session-reader"
import { idIn, runWorkflow } from "./workflows"

export function medusaHost(container: MedusaContainer, database: Database): Host {
  const reader = sessionReader(database)
  const query = () => container.resolve(ContainerRegistrationKeys.QUERY)
  const payments = (): IPaymentModuleService => container.resolve(Modules.PAYMENT)
  return {
    ...hostRefundRecords(container, database),
    ...refundReader(database),
    ...recordsReader(database),
    ...reader,
    async settledRecord(collectionId, providerId) {
      const read = () => reader.record(collectionId, providerId)
      const record = await read()
      if (!record.order || !record.cartId) return record
      return whileCartRests(container.resolve(Modules.LOCKING), record.cartId, read)
    },
    openOrder: (orderId) => openOrder(query(), reader, orderId),
    openSession: (orderId, providerId) => openSession(container, reader, orderId, providerId),
    basketOfCart: (cartId) => basketOfCart(query(), database, cartId),
    basketOfOrder: (orderId) => basketOfOrder(query(), orderId),
    cartTotal: (cartId) => totalOfCart(query(), cartId),
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
      return idIn(order, "complete-cart returned no order")
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
