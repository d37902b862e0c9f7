/** Medusa's records over the carts in memory: a session that is in no cart is gone at once. */
import type { MedusaPayment } from "../../src/core/medusa-records"
import type { MedusaPeriod } from "../../src/engine/medusa-port"
import type { MedusaStrays } from "../../src/engine/stray-order"
import type { Cart } from "./medusa-in-memory"

export function recordsInMemory(carts: ReadonlyMap<string, Cart>): MedusaPeriod & MedusaStrays {
  const payments = (): MedusaPayment[] =>
    [...carts.values()].flatMap((cart) => {
      const { payments: own, order, entries } = cart
      return own.map(({ sessionId, isCaptured, isCanceled, amount = "0" }) => ({
        id: `pay_${sessionId}`,
        sessionId,
        currency: "usd",
        isCaptured,
        isCanceled,
        capturedAmount: isCaptured ? amount : "0",
        refundedAmount: "0",
        orderId: order?.id ?? null,
        isOrderCanceled: order?.isCanceled ?? false,
        isOrderOpen: entries.orderRefunded !== entries.credited,
      }))
    })
  const sessions = () =>
    new Set([...carts.values()].flatMap((cart) => cart.sessions.map(({ id }) => id)))
  return {
    goneSessions: async (ids) => ids.filter((id) => !sessions().has(id)),
    paymentsOfPeriod: async (_period, { afterId, limit }) =>
      payments()
        .filter(({ id }) => id > afterId)
        .sort((one, other) => (one.id < other.id ? -1 : 1))
        .slice(0, limit),
    paymentsOfSessions: async (ids) =>
      payments().filter(({ sessionId }) => ids.includes(sessionId)),
    refundsOfPeriod: async () => [],
    refundRows: async () => [],
    orderNumbers: async () => new Map(),
    adminNames: async () => new Map(),
    ordersNumbered: async () => new Map(),
    strayOrdersSince: async () => [],
    strayOrders: async () => [],
  }
}
