/**
 * Paying: makes the payment session, places the order first where the store works that way, then
 * starts the payment. Only the last of these moves money, and asking for it again while one is in
 * flight gives the same payment back, so a lost answer is mended by pressing again.
 */
import { useCallback } from "react"
import { PaymentRefused, type Payments } from "../api/payments"
import { isInFlight, type PaymentStatus } from "../api/payment-status"
import { httpStatusOf, type Cart, type Store } from "../api/store"
import { rememberedPayment, rememberedPaymentCart } from "../memory"
import { useShop } from "../shop"

export type Choice = { providerId: string; phone: string | null }

/** Resolves to the payment to show, also when the store answers that one is going on already. */
export type Pay = (cart: Cart, choice: Choice) => Promise<PaymentStatus>

export function usePay(): Pay {
  const { store, payments, config } = useShop()
  return useCallback(
    async (cart, { providerId, phone }) => {
      const { cart: fresh } = await store.cart.retrieve(cart.id)
      const origin = window.location.origin
      const request = {
        phone,
        successUrl: `${origin}/return/success`,
        cancelUrl: `${origin}/return/cancel`,
      }
      try {
        const sessionId = await sessionFor(store, fresh, providerId)
        rememberPayment(sessionId, cart.id)
        if (config.orderPlacement === "order_first") await placeOrder(store, fresh)
        const status = await payments.start(sessionId, request)
        rememberPayment(status.id, cart.id)
        return status
      } catch (error) {
        const current = await goingOn(payments, fresh, error)
        if (current === null) throw error
        rememberPayment(current.id, cart.id)
        return current
      }
    },
    [store, payments, config],
  )
}

/** The payment that stands in the way of a new one, if the shopper should see it instead. */
async function goingOn(
  payments: Payments,
  cart: Cart,
  error: unknown,
): Promise<PaymentStatus | null> {
  const answered = error instanceof PaymentRefused ? error.payment : null
  if (answered !== null) return isInFlight(answered) ? answered : null
  // Medusa's own routes refuse with the status alone.
  const session = cart.payment_collection?.payment_sessions?.[0]
  if (httpStatusOf(error) !== 409 || session === undefined) return null
  const current = await payments.status(session.id).catch(() => null)
  return current !== null && isInFlight(current) ? current : null
}

function rememberPayment(sessionId: string, cartId: string): void {
  rememberedPayment.write(sessionId)
  rememberedPaymentCart.write(cartId)
}

/** The cart's session of this provider; a retry keeps it, another provider gets a new one. */
async function sessionFor(store: Store, cart: Cart, providerId: string): Promise<string> {
  const kept = sessionIdIn(cart.payment_collection, providerId)
  if (kept !== null) return kept
  const made = await store.payment.initiatePaymentSession(cart, { provider_id: providerId })
  const sessionId = sessionIdIn(made.payment_collection, providerId)
  if (sessionId === null) throw new Error("The payment could not be prepared. Try again.")
  return sessionId
}

function sessionIdIn(collection: Cart["payment_collection"], providerId: string): string | null {
  const sessions = collection?.payment_sessions ?? []
  return sessions.find((session) => session.provider_id === providerId)?.id ?? null
}

/** A cart that is an order already stays that order. */
async function placeOrder(store: Store, cart: Cart): Promise<void> {
  if (cart.completed_at) return
  const answer = await store.cart.complete(cart.id)
  if (answer.type === "cart") throw new Error(answer.error.message)
}
