/**
 * Medusa's refunds in memory: it makes its row, asks the provider, and deletes the row where the
 * answer is no; where it is yes, the order's transactions follow.
 */
import { LIMITS } from "../../src/core/limits"
import type { HostRefunds } from "../../src/engine/host"
import type { Cart } from "./host-in-memory"
import { hostNowMs, isInOrder, writeTransactions } from "./refund-entries-in-memory"

let rows = 0

/** @returns the id of the row; the provider is to be asked for it next */
export function openHostRefund(cart: Cart, amount: string, createdBy: string | null): string {
  const [payment] = cart.payments
  if (!payment) throw new Error("Medusa holds no payment to give back")
  const id = `ref_${(rows += 1)}`
  const madeAtMs = hostNowMs(cart)
  cart.refunds.push({ id, sessionId: payment.sessionId, amount, createdBy, madeAtMs })
  return id
}

/** Refused: the row is deleted. Else its workflow goes as far as the transactions. */
export function closeHostRefund(cart: Cart, id: string, isRefused: boolean): void {
  if (isRefused) cart.refunds = cart.refunds.filter((row) => row.id !== id)
  else writeTransactions(cart, id)
}

export function hostRefundsInMemory(carts: ReadonlyMap<string, Cart>): HostRefunds {
  const all = () => [...carts.values()].flatMap(({ refunds }) => refunds)
  return {
    refund: async (id) => {
      const cart = [...carts.values()].find(({ refunds }) => refunds.some((row) => row.id === id))
      const row = cart?.refunds.find((one) => one.id === id)
      if (!cart || !row) return undefined
      const session = cart.sessions.find((one) => one.id === row.sessionId) ?? cart.sessions[0]
      const [payment] = cart.payments
      const before = cart.refunds.slice(0, cart.refunds.indexOf(row))
      const nowMs = hostNowMs(cart)
      return {
        id,
        sessionId: row.sessionId,
        providerId: session?.providerId ?? "",
        amount: row.amount,
        capturedAmount: payment?.amount ?? "0",
        createdBy: row.createdBy,
        hasOrder: cart.order !== null,
        ageMs: nowMs - row.madeAtMs,
        isBehind:
          cart.order !== null &&
          before.some(
            (other) => nowMs - other.madeAtMs < LIMITS.leaseMs && !isInOrder(cart, other.id),
          ),
      }
    },
    shown: async (ids) =>
      new Set(
        all()
          .map(({ id }) => id)
          .filter((id) => ids.includes(id)),
      ),
    paidOfOrder: async (orderId) =>
      [...carts.values()]
        .filter(({ order }) => order?.id === orderId)
        .flatMap(({ payments, refunds }) =>
          payments.map(({ sessionId, amount = "0" }) => ({
            sessionId,
            capturedAmount: amount,
            leftAmount: leftOf(
              amount,
              refunds.map((row) => row.amount),
            ),
          })),
        ),
  }
}

function leftOf(captured: string, refunded: readonly string[]): string {
  const sum = refunded.reduce((total, amount) => total + Number(amount), 0)
  return Math.max(0, Number(captured) - sum).toFixed(5)
}
