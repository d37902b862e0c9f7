import type { MedusaEvidence } from "./evidence"
import type { Cart } from "./medusa-in-memory"
import { refundEvidenceOf } from "./medusa-refunds-in-memory"

/** What the oracle reads of Medusa, where carts in memory stand in its place. */
export function medusaOf(carts: ReadonlyMap<string, Cart>): MedusaEvidence {
  return {
    payments: [...carts].flatMap(([collectionId, cart]) => {
      const { payments, order } = cart
      return payments.map((payment, index) => ({
        id: `${collectionId}_${index}`,
        sessionId: payment.sessionId,
        collectionId,
        providerId: "pp_mobile-money_merchant",
        amount: payment.amount ?? "0",
        currency: "USD",
        isCaptured: payment.isCaptured,
        isCanceled: payment.isCanceled,
        capturedAmount: payment.amount ?? "0",
        inOrderAmount: payment.isInOrder ? (payment.amount ?? "0") : "0",
        orderId: order?.id ?? null,
        isOrderCanceled: order?.isCanceled ?? false,
        refunds: refundEvidenceOf(cart, `${collectionId}_${index}`),
      }))
    }),
    orders: [...carts].flatMap(([collectionId, { order }]) =>
      order ? [{ id: order.id, collectionId, isCanceled: order.isCanceled }] : [],
    ),
    sessions: [...carts].flatMap(([collectionId, cart]) =>
      cart.isGone
        ? []
        : cart.sessions.map(({ id, providerId, amount, currency }) => ({
            id,
            providerId,
            collectionId,
            amount,
            currency: currency.toUpperCase(),
          })),
    ),
    sessionData: [...carts.values()].flatMap(({ shown }) => shown),
  }
}
