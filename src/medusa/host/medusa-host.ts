/**
 * Implements the flows' port to Medusa. Facts are read by SQL or the query engine; every change
 * goes through Medusa's own workflows and services, by id.
 */
import type { IPaymentModuleService, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MedusaError, Modules } from "@medusajs/framework/utils"
import type { Database } from "../../ledger/database"
import type { Host } from "../../engine/host"
import { basketOfCart, basketOfOrder, totalOfCart } from "./basket"
import { whileCartRests } from "./cart-lock"
import { customerReader } from "./customer-reader"
import { openOrder } from "./open-order"
import { openSession } from "./open-session"
import { recordsReader } from "./records-reader"
import { refundCaptured } from "./refund-captured"
import { refundReader } from "./refund-reader"
import { hostRefundRecords } from "./refunds"
import { sessionReader } from "./session-reader"

export function medusaHost(container: MedusaContainer, database: Database): Host {
  const reader = sessionReader(database)
  const query = () => container.resolve(ContainerRegistrationKeys.QUERY)
  const payments = (): IPaymentModuleService => container.resolve(Modules.PAYMENT)
  const workflows = () => container.resolve(Modules.WORKFLOW_ENGINE)
  return {
    ...hostRefundRecords(container, database),
    ...refundReader(database),
    ...recordsReader(database),
    ...customerReader(database),
    payable: (id) => reader.payable(id),
    session: (id) => reader.session(id),
    due: (collectionId) => reader.due(collectionId),
    record: (collectionId, providerId) => reader.record(collectionId, providerId),
    async settledRecord(collectionId, providerId) {
      const read = () => reader.record(collectionId, providerId)
      const record = await read()
      if (!record.order || !record.cartId) return record
      return whileCartRests(container.resolve(Modules.LOCKING), record.cartId, read)
    },
    registeredCustomer: (of) => reader.registeredCustomer(of),
    payableCart: (cartId) => reader.payableCart(cartId),
    order: (collectionId) => reader.order(collectionId),
    openOrder: (orderId) => openOrder(query(), reader, orderId),
    openSession: (orderId, providerId) => openSession(container, reader, { orderId, providerId }),
    collectionsOfOrder: (orderId) => reader.collectionsOfOrder(orderId),
    paidSessionsOfOrder: (orderId) => reader.sessionsOfOrder(orderId),
    basketOfCart: (cartId) => basketOfCart(query(), database, cartId),
    basketOfOrder: (orderId) => basketOfOrder(query(), orderId),
    cartTotal: (cartId) => totalOfCart(query(), cartId),
    async showOnSession(session, show) {
      const updated = payments().updatePaymentSession({
        id: session.id,
        amount: Number(session.amount),
        currency_code: session.currency,
        data: { ...(show.data ?? { state: "ready", url: null, reference: null }) },
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
      const completed: { readonly result: unknown } = (await workflows().run("complete-cart", {
        input: { id: cartId },
      })) as { readonly result: unknown }
      return orderIdOf(completed.result)
    },
    async captureOnOrder(sessionId, amount) {
      await workflows().run("process-payment-workflow", {
        input: { action: "captured", data: { session_id: sessionId, amount: Number(amount) } },
      })
    },
    refundCaptured: (sessionId, refund) => refundCaptured(container, database, sessionId, refund),
    async cancelOrder(orderId) {
      await workflows().run("cancel-order", { input: { order_id: orderId } })
    },
  }
}

/** A method that Medusa generates from its models but does not declare. */
type SoftDeletes = { softDeletePayments(ids: readonly string[]): Promise<unknown> }

/** Medusa replaces sessions at any moment; a session that is gone needs no update. */
function unlessGone(error: unknown): void {
  if (!MedusaError.isMedusaError(error) || error.type !== MedusaError.Types.NOT_FOUND) throw error
}

function orderIdOf(result: unknown): string {
  if (typeof result === "object" && result !== null && "id" in result) return String(result.id)
  throw new Error("complete-cart returned no order")
}
