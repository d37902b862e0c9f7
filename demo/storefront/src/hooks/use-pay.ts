/**
 * Paying: makes the payment session, places the order first where the store works that way, then
 * starts the payment. Only the last of these moves money, and asking for it again while one is in
 * flight gives the same payment back, so a lost answer is mended by pressing again.
 */
import { useCallback } from "react"
import { PaymentRefused } from "../api/payments"
import { isInFlight, type PaymentStatus } from "../api/payment-status"
import type { Cart, Store } from "../api/store"
import { rememberedPayment, rememberedPaymentCart } from "../memory"
import { useShop } from "../shop"

export type Choice = { providerId: string; phone: string | null }

/** Resolves to the payment to show, also when the store answers that one is going on already. */
export type Pay = (cart: Cart, choice: Choice) => Promise<PaymentStatus>

export function usePay(): Pay {
  const { store, payments, config } = useShop()
  return useCallback(
    async (cart, { providerId, phone }) => {
      const sessionId = await sessionFor(store, cart, providerId)
      rememberPayment(sessionId, cart.id)
      if (config.orderPlacement === "order_first") await placeOrder(store, cart.id)
      const origin = window.location.origin
      const urls = {
        successUrl: `${origin}/return/success`,
        cancelUrl: `${origin}/return/cancel`,
      }
      try {
        const status = await payments.start(sessionId, { phone, ...urls })
        rememberPayment(status.id, cart.id)
        return status
      } catch (error) {
        const current = error instanceof PaymentRefused ? error.payment : null
        if (current === null || !isInFlight(current)) throw error
        rememberPayment(current.id, cart.id)
        return current
      }
    },
    [store, payments, config],
  )
}

function rememberPayment(sessionId: string, cartId: string): void {
  rememberedPayment.write(sessionId)
  rememberedPaymentCart.write(cartId)
}

/** The cart's session of this provider; a retry keeps it, another provider gets a new one. */
async function sessionFor(store: Store, cart: Cart, providerId: string): Promise<string> {
  const { cart: fresh } = await store.cart.retrieve(cart.id)
  const kept = sessionIdIn(fresh.payment_collection, providerId)
  if (kept !== null) return kept
  const made = await store.payment.initiatePaymentSession(fresh, { provider_id: providerId })
  const sessionId = sessionIdIn(made.payment_collection, providerId)
  if (sessionId === null) throw new Error("The payment could not be prepared. Try again.")
  return sessionId
}

function sessionIdIn(collection: Cart["payment_collection"], providerId: string): string | null {
  const sessions = collection?.payment_sessions ?? []
  return sessions.find((session) => session.provider_id === providerId)?.id ?? null
}

async function placeOrder(store: Store, cartId: string): Promise<void> {
  const { cart } = await store.cart.retrieve(cartId)
  if (cart.completed_at) return
  const answer = await store.cart.complete(cartId)
  if (answer.type === "cart") throw new Error(answer.error.message)
}
